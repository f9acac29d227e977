import { parseArgs } from "node:util";
import { formatEther, JsonRpcProvider } from "ethers";
import type { Addresses } from "../sdk/chain/addresses.js";
import { Client } from "../sdk/player/client.js";
import { explain } from "../sdk/player/errors.js";
import { gameNamed, games } from "../sdk/games/index.js";
import type { GameModule } from "../sdk/games/module.js";
import { History } from "../sdk/chain/history.js";
import { InputError, oneLine } from "../sdk/protocol/input.js";
import { Fighters__factory, FightToken__factory, GuardianCards__factory } from "../typechain-types/index.js";
import { deployTo, giveAll, startChain, urlOf } from "./local-chain.js";
import { playAsLocalAgent } from "../cli/agent/local-agent.js";
import { isHelped } from "../cli/shared/program.js";
import { heading, say, showMatch } from "./demo-match.js";

/** Test accounts for players. Account 0 owns the contracts, account 1 is the treasury. */
const PLAYERS = [2, 3, 4, 5, 6, 7, 8, 9];

/** Test account of the program that takes challenges. */
const AGENT = 10;

interface Options {
  once: boolean;
  port: number;
  /** True if a program that takes challenges runs beside the chain. */
  agent: boolean;
  /** Games of which a match is shown. */
  shown: readonly GameModule[];
}

const HELP = `Usage: npm start -- [options]

Run a local chain with everything on it, play a staked match of each game, and stay up until Ctrl-C or SIGTERM.

Options:
  --port <number>  port on 127.0.0.1 (default: 8545); for another one, other commands need --rpc
  --game <name>    play a match of this game only
  --once           end after the matches
  --no-agent       run no program to play against
  -h, --help       display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = readOptions();
    const server = await startChain(options.port);
    await run(options).finally(() => server.close());
  }
} catch (error) {
  console.error(oneLine(explain(error)));
  process.exitCode = 1;
}

function readOptions(): Options {
  const options = {
    once: { type: "boolean", default: false },
    port: { type: "string", default: "8545" },
    game: { type: "string" },
    agent: { type: "boolean", default: true },
  } as const;
  const { once, port, game, agent } = parseArgs({ options, allowNegative: true }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new InputError("--port", `${port} is not a port`);
  }
  return { once, port: Number(port), agent: agent && !once, shown: game === undefined ? games : [gameNamed(game)] };
}

async function run({ once, port, agent, shown }: Options): Promise<void> {
  // Calls made at the same time still form a batch, but none waits for later ones.
  const provider = new JsonRpcProvider(urlOf(port), undefined, { cacheTimeout: -1, batchStallTime: 0 });
  provider.pollingInterval = 50;
  const opponent = agent ? await provider.getSigner(AGENT) : undefined;
  const { addresses, agents } = await deployTo(provider, port, opponent && [opponent.address]);
  const given = agent ? [...PLAYERS, AGENT] : PLAYERS;
  const signers = await Promise.all(given.map((number) => provider.getSigner(number)));
  const players = await Promise.all(signers.map((signer) => signer.getAddress()));
  await giveAll(await provider.getSigner(0), addresses, players);
  const [alice, bob] = await Promise.all(signers.slice(0, 2).map((signer) => Client.connect(addresses, signer)));

  const history = new History(provider, addresses);
  for (const game of shown) await showMatch(game, alice, bob, history);
  say(heading("The local chain"));
  await printAddresses(provider, addresses);
  if (!once) {
    const rpc = port === 8545 ? "" : ` --rpc ${urlOf(port)}`;
    say(`\nPlay from another terminal, e.g. npm run -s play --${rpc} --account 4 fighters`);
    if (opponent) {
      const named = agents?.includes(opponent.address) ? "" : ` --opponent ${opponent.address}`;
      say(`Or against the program at account ${AGENT}: npm run play --${rpc} --account 4 challenge coin${named}`);
    }
    // Until here a signal ends the process at once, and nothing needs closing.
    const stopped = new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
    });
    say(`Listening on ${urlOf(port)} until you stop it with Ctrl-C.`);
    await (opponent ? playAsLocalAgent(urlOf(port), AGENT, stopped) : stopped);
  }
  provider.destroy();
}

async function printAddresses(provider: JsonRpcProvider, addresses: Addresses): Promise<void> {
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
