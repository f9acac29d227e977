import { parseArgs } from "node:util";
import { formatEther, JsonRpcProvider } from "ethers";
import type { Addresses } from "../sdk/chain/addresses.js";
import { Client } from "../sdk/player/client.js";
import { explain } from "../sdk/player/errors.js";
import { games } from "../sdk/games/index.js";
import { gameNamed } from "../sdk/games/list.js";
import type { GameModule } from "../sdk/games/module.js";
import { History } from "../sdk/chain/history.js";
import { InputError, oneLine } from "../sdk/protocol/input.js";
import { Fighters__factory, FightToken__factory, GuardianCards__factory } from "../typechain-types/index.js";
import { addGame } from "./deploy/add-game.js";
import { deployTo, giveAll, startChain, urlOf } from "./local-chain.js";
import { localPolicy, playAsLocalAgent } from "../cli/agent/local-agent.js";
import { loadGames } from "../cli/shared/games.js";
import { isHelped } from "../cli/shared/program.js";
import { heading, say, showMatch, summarizeMatch } from "./demo-match.js";

/** Test accounts for players. Account 0 owns the contracts, account 1 is the treasury. */
const PLAYERS = [2, 3, 4, 5, 6, 7, 8, 9];

/** Test account of the program that takes challenges. */
const AGENT = 10;

const COMMAND_WIDTH = 60;

interface Options {
  once: boolean;
  port: number;
  /** Path of the module of the user's own list. */
  file?: string;
  /** True if a program that takes challenges runs beside the chain. */
  agent: boolean;
  /** Stock games, and those of the user's own list. */
  games: readonly GameModule[];
  /** Games of which a match is played. */
  played: readonly GameModule[];
  /** Games whose match is told in full. */
  told: readonly GameModule[];
}

const HELP = `Usage: npm start -- [options]

Run a local chain with everything on it, play a staked match of each game, and stay up until Ctrl-C or SIGTERM.

Options:
  --port <number>  port on 127.0.0.1 (default: 8545); for another one, other commands need --rpc
  --game <name>    play a match of this game only
  --games <file>   a module that exports games of your own list, to deploy and play too (default: DUELLO_GAMES)
  --all            tell all matches in full, not the first one only
  --once           end after the matches
  --no-agent       run no program to play against
  -h, --help       display this help`;

try {
  if (!isHelped(process.argv, HELP)) {
    const options = await readOptions();
    const server = await startChain(options.port);
    await run(options).finally(() => server.close());
  }
} catch (error) {
  console.error(oneLine(explain(error, { games })));
  process.exitCode = 1;
}

async function readOptions(): Promise<Options> {
  const options = {
    once: { type: "boolean", default: false },
    port: { type: "string", default: "8545" },
    game: { type: "string" },
    games: { type: "string" },
    all: { type: "boolean", default: false },
    agent: { type: "boolean", default: true },
  } as const;
  const { once, port, game, games: file, all, agent } = parseArgs({ options, allowNegative: true }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new InputError("--port", `${port} is not a port`);
  }
  const known = await loadGames(file);
  const played = game === undefined ? known : [gameNamed(game, known)];
  return {
    once,
    port: Number(port),
    file,
    agent: agent && !once,
    games: known,
    played,
    told: all ? played : played.slice(0, 1),
  };
}

async function run({ once, port, file, agent, games, played, told }: Options): Promise<void> {
  // Calls made at the same time still form a batch, but none waits for later ones.
  const provider = new JsonRpcProvider(urlOf(port), undefined, { cacheTimeout: -1, batchStallTime: 0 });
  provider.pollingInterval = 50;
  const opponent = agent ? await provider.getSigner(AGENT) : undefined;
  let deployment = await deployTo(provider, port, opponent && { [opponent.address]: await localPolicy() });
  const owner = await provider.getSigner(0);
  for (const game of games.filter(({ trust }) => trust === "listed")) {
    deployment = await addGame(game, deployment, owner);
  }
  const { addresses, agents } = deployment;
  const given = agent ? [...PLAYERS, AGENT] : PLAYERS;
  const signers = await Promise.all(given.map((number) => provider.getSigner(number)));
  const players = await Promise.all(signers.map((signer) => signer.getAddress()));
  await giveAll(owner, addresses, players);
  const [alice, bob] = await Promise.all(signers.slice(0, 2).map((signer) => Client.connect(addresses, games, signer)));

  const history = new History(provider, addresses);
  for (const game of played) {
    await (told.includes(game) ? showMatch : summarizeMatch)(game, alice, bob, history);
  }
  if (told.length < played.length) say("\nnpm start -- --all tells all of them in full.");
  say(heading("The local chain"));
  await printAddresses(provider, addresses);
  if (!once) {
    const rpc = port === 8545 ? "" : ` --rpc ${urlOf(port)}`;
    const listed = file === undefined ? "" : ` --games ${file}`;
    const command = (words: string, purpose: string) =>
      say(`  ${`npm run -s play --${rpc}${listed} ${words}`.padEnd(COMMAND_WIDTH)}  ${purpose}`);
    say("\nTry from another terminal, as the player of account 4:\n");
    if (opponent) {
      const named = agents?.includes(opponent.address) ? "" : ` --opponent ${opponent.address}`;
      command(`challenge tic-tac-toe${named} --account 4`, `play against the program at account ${AGENT}`);
    }
    command("fighters --account 4", "see your fighters");
    command(`replay ${played.length}`, "see the last match again, and compare it with its events");
    say("");
    // Until here a signal ends the process at once, and nothing needs closing.
    const stopped = new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
    });
    say(`Listening on ${urlOf(port)} until you stop it with Ctrl-C.`);
    await (opponent ? playAsLocalAgent({ rpc: urlOf(port), account: String(AGENT), games: file }, stopped) : stopped);
  }
  provider.destroy();
}

async function printAddresses(provider: JsonRpcProvider, addresses: Addresses): Promise<void> {
  for (const [name, address] of Object.entries(addresses)) say(`${name.padEnd(15)}${address}`);
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
