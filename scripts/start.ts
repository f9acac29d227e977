import { parseArgs, styleText } from "node:util";
import { formatEther, JsonRpcProvider, parseEther, ZeroHash, type ContractTransactionReceipt } from "ethers";
import type { Addresses } from "../sdk/addresses.js";
import { Client } from "../sdk/client.js";
import { explain } from "../sdk/errors.js";
import { encodeTeam, story } from "../sdk/games/auto-battler/match.js";
import { History } from "../sdk/history.js";
import { InputError, oneLine } from "../sdk/input.js";
import { replay, type Replay } from "../sdk/replay.js";
import { answerTo, openingFor } from "../sdk/sealed.js";
import { sealWithKey, walletKey } from "../sdk/secrets.js";
import { Status, statusText } from "../sdk/status.js";
import { Fighters__factory, FightToken__factory, GuardianCards__factory } from "../typechain-types/index.js";
import { deployTo, giveAll, startChain, urlOf } from "./local-chain.js";

/** Test accounts 2 to 9 play; 0 owns the contracts, 1 is the treasury. */
const PLAYERS = [2, 3, 4, 5, 6, 7, 8, 9];
const STAKE = parseEther("100");
const CLOCK = 86_400n;

try {
  const { once, port } = readOptions();
  const server = await startChain(port);
  const stopped = new Promise((resolve) => ["SIGINT", "SIGTERM"].forEach((signal) => process.once(signal, resolve)));
  await run(port, once ? undefined : stopped).finally(() => server.close());
} catch (error) {
  console.error(oneLine(explain(error)));
  process.exitCode = 1;
}

function readOptions(): { once: boolean; port: number } {
  const options = { once: { type: "boolean", default: false }, port: { type: "string", default: "8545" } } as const;
  const { once, port } = parseArgs({ options }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new InputError("--port", `${port} is not a port`);
  }
  return { once, port: Number(port) };
}

async function run(port: number, stopped?: Promise<unknown>): Promise<void> {
  const provider = new JsonRpcProvider(urlOf(port), undefined, { cacheTimeout: -1 });
  provider.pollingInterval = 50;
  const addresses = await deployTo(provider, port);
  const signers = await Promise.all(PLAYERS.map((number) => provider.getSigner(number)));
  await giveAll(provider, addresses, await Promise.all(signers.map((signer) => signer.getAddress())));
  const [alice, bob] = await Promise.all(signers.slice(0, 2).map((signer) => Client.connect(addresses, signer)));

  say(heading("A staked match"));
  const matchId = await play(alice, bob);
  const history = new History(provider, addresses);
  const replayed = await replay(history, matchId);
  say(heading("The battle, as the chain logged it"));
  for (const line of await story(replayed.record, history, paint)) say(line);
  tellEnd(replayed);
  say(heading("The local chain"));
  await tellAddresses(provider, addresses);
  if (stopped) {
    const rpc = port === 8545 ? "" : ` --rpc ${urlOf(port)}`;
    say(`\nPlay from another terminal, e.g. npm run -s play --${rpc} --account 4 fighters`);
    say(`Listening on ${urlOf(port)} until you stop it with Ctrl-C.`);
    await stopped;
  }
  provider.destroy();
}

/** One whole match in three transactions, and what each cost. */
async function play(alice: Client, bob: Client): Promise<bigint> {
  const { addresses } = alice;
  for (const player of [alice, bob]) await player.deposit(addresses.FightToken, STAKE);
  say(
    `Alice ${dim(alice.address)} and Bob ${dim(bob.address)} each put ${formatEther(STAKE)} FIGHT into their purses.`,
  );
  const key = await walletKey(alice.signer, alice.chainId, addresses.Arena);
  const { secret, sealed } = await sealWithKey(alice.sealer(addresses.AutoBattler), await team(alice), key);
  const stakes = { token: addresses.FightToken, stake1: STAKE, stake2: STAKE };
  const { matchId, terms, receipt } = await alice.create({
    terms: { game: addresses.AutoBattler, mode: ZeroHash, clock: CLOCK, rated: true, ...stakes },
    opponent: bob.address,
    opening: sealed,
  });
  say(`1. Alice challenges Bob and seals her team   ${cost(receipt)}`);
  const answer = answerTo(sealed, await team(bob));
  say(`2. Bob joins and answers in the open         ${cost(await bob.join(matchId, terms, answer))}`);
  const opened = await alice.act(matchId, openingFor(secret, answer));
  say(`3. Alice opens: the fight runs on chain      ${cost(opened)}`);
  return matchId;
}

/** The five fighters a player was given first. */
async function team(player: Client): Promise<string> {
  const fighters = Fighters__factory.connect(player.addresses.Fighters, player.signer);
  const given = await fighters.queryFilter(fighters.filters.FighterMinted(undefined, player.address));
  return encodeTeam(given.slice(0, 5).map(({ args }) => args.id));
}

function tellEnd({ record, difference }: Replay): void {
  const { status, paid1, paid2, house, rating1, rating2 } = record.settlement!;
  const winner = status === Status.P1Win ? paint("Alice", 1) : paint("Bob", 2);
  say(`\n${winner} wins: ${statusText[String(status)]}.`);
  say(`Paid: ${formatEther(paid1 + paid2)} FIGHT to the winner, ${formatEther(house)} to the house.`);
  say(`Ratings: Alice ${rating1}, Bob ${rating2}.`);
  say(heading("The replay"));
  if (difference !== undefined) throw new Error(`The replay differs: ${difference}`);
  const words = record.logs.reduce((sum, log) => sum + log.words.length, 0);
  say(
    `Match ${record.matchId} was fought again in TypeScript from its events alone: all ${words} words are identical.`,
  );
}

async function tellAddresses(provider: JsonRpcProvider, addresses: Addresses): Promise<void> {
  for (const [name, address] of Object.entries(addresses)) say(`${name.padEnd(15)}${address as string}`);
  const fight = FightToken__factory.connect(addresses.FightToken, provider);
  const fighters = Fighters__factory.connect(addresses.Fighters, provider);
  const cards = GuardianCards__factory.connect(addresses.GuardianCards, provider);
  say("\nTest accounts that can play:");
  for (const number of PLAYERS) {
    const { address } = await provider.getSigner(number);
    const [coin, tokens] = await Promise.all([provider.getBalance(address), fight.balanceOf(address)]);
    const owned = `${await fighters.balanceOf(address)} fighters  ${await cards.balanceOf(address)} cards`;
    say(`${number}  ${address}  ${formatEther(coin).slice(0, 8)} coin  ${formatEther(tokens)} FIGHT  ${owned}`);
  }
}

function say(text: string): void {
  console.log(text);
}

function heading(text: string): string {
  return `\n${styleText("bold", text)}\n`;
}

function dim(text: string): string {
  return styleText("dim", text);
}

function paint(text: string, side: number): string {
  return styleText(side === 1 ? "cyan" : "yellow", text);
}

function cost(receipt: ContractTransactionReceipt): string {
  return dim(`${receipt.gasUsed.toLocaleString("en")} gas`);
}
