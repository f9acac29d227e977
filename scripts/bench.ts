import { COIN } from "../sdk/protocol/terms.js";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { hexlify, randomBytes, ZeroHash } from "ethers";
import hre from "hardhat";
import Duello from "../ignition/modules/Duello.js";
import { Client } from "../sdk/player/client.js";
import { WIN_RATE_RUNS, measureWinRate, setupsOf } from "../sdk/games/win-rate.js";
import { battle, type Teams } from "../sdk/games/auto-battler/engine.js";
import { encodeTeam } from "../sdk/games/auto-battler/moves.js";
import { defaultMode } from "../sdk/games/auto-battler/mode.js";
import { autoBattler } from "../sdk/games/auto-battler/index.js";
import { measured } from "../sdk/games/win-rates.js";
import { stockGame, games } from "../sdk/games/index.js";
import type { WinRate, GameModule } from "../sdk/games/module.js";
import { InputError, oneLine } from "../sdk/protocol/input.js";
import { answerTo, revealFor, commitMove } from "../sdk/protocol/commitment.js";
import { Fighters__factory } from "../typechain-types/index.js";
import { addressesOf } from "../cli/shared/node/deployment.js";
import { benchAgent } from "./bench-agent.js";
import { benchChannels } from "./bench-channels.js";
import { benchEvents } from "./bench-events.js";
import { benchOpponents } from "./bench-opponents.js";
import { checkParity } from "./parity.js";
import { previewContract } from "../cli/shared/match/preview.js";
import { isHelped } from "../cli/shared/command/program.js";
import { benchIndex } from "./record/bench-index.js";
import { benchVerify } from "./record/bench-verify.js";

const TEAM = [0, 1, 2, 3, 4];
const STATS = [0, 1, 2, 3, 4, 5];
const WIN_RATES = "sdk/games/win-rates.ts";
const WIN_RATES_HEAD = `import type { WinRate } from "./module.js";

/** Win rates of the stock modes as counts of matches that sum to the runs, by game and mode; written by \`npm run bench\`. */
export const measured: Readonly<Record<string, Readonly<Record<string, WinRate>>>> = `;

/** File with the win rates of the first hundredth of each measurement's matches, which a test repeats. */
const FIRST_MATCHES = "test/win-rates.json";
const FIRST_PART = 100;

/** Number of battles that test/gas.json averages. */
const BATTLES = 300;

/** Published gas of comparable games: of whole matches, and of one attack. */
const PEERS = { matches: [525_000, 621_000, 904_000], attack: 15_304 };

const HELP = `Usage: npm run -s bench -- [options]

Measure both engines, the decoder of events, whole matches, and how often each seat wins in every stock mode.

Options:
  --battles <count>    battles of the auto-battler on each engine (default: 20000)
  --matches <count>    whole matches on a chain (default: 100)
  --verified <count>   short matches to synthesize and verify, and a hundredth as many long ones (default: 0)
  --channels <count>   players at once against an agent in channels, and ten for comparison, e.g. 200 (default: 0)
  --duels <count>      matches on chain at once against an agent, e.g. 100 (default: 0)
  --offers <count>     open offers of others among which an agent decides, and ten for comparison, e.g. 10000 (default: 0)
  --opponents <count>  games of Warmancer's computer player against others (default: 0)
  --parity <count>     random matches of each game to compare on both engines (default: 0)
  --index <count>      short matches to synthesize, e.g. 100000, to read and verify by commands, and to index, beside a
                       plain loop into SQLite (default: 0); Postgres too, if DATABASE_URL names one
  --game <name>        win rates and parity of this game only
  --no-win-rates       skip the win rates
  -h, --help           display this help`;

try {
  if (!isHelped(process.argv, HELP)) await bench();
} catch (error) {
  // Prints in full an input for which the engines differ.
  console.error(oneLine(error instanceof Error ? error.message : String(error), Infinity));
  process.exitCode = 1;
}

async function bench(): Promise<void> {
  const { tested, winRates, counts } = readOptions(process.argv.slice(2));
  await benchEngines(counts.battles);
  for (const line of await benchEvents()) console.log(line);
  await benchMatches(counts.matches);
  await printGas();
  if (counts.verified > 0) for (const line of await benchVerify(counts.verified)) console.log(line);
  if (counts.index > 0) for (const line of await benchIndex(counts.index, process.env.DATABASE_URL)) console.log(line);
  if (counts.channels > 0) for await (const line of benchChannels(counts.channels)) console.log(line);
  if (counts.duels + counts.offers > 0) for await (const line of benchAgent(counts)) console.log(line);
  if (counts.opponents > 0) for (const line of benchOpponents(counts.opponents)) console.log(line);
  if (winRates) await benchWinRates(tested);
  for (const game of counts.parity > 0 ? tested : []) {
    await checkParity(game, counts.parity);
    console.log(`Parity, ${game.name}: ${counts.parity} matches at random, every log entry the same`);
  }
}

interface Options {
  /** Games whose win rates and parity are measured. */
  tested: readonly GameModule[];
  /** True if win rates are measured. */
  winRates: boolean;
  counts: Record<
    "battles" | "matches" | "verified" | "index" | "channels" | "duels" | "offers" | "opponents" | "parity",
    number
  >;
}

function readOptions(args: string[]): Options {
  const count = (text: string) => ({ type: "string", default: text }) as const;
  const options = {
    battles: count("20000"),
    matches: count("100"),
    verified: count("0"),
    index: count("0"),
    channels: count("0"),
    duels: count("0"),
    offers: count("0"),
    opponents: count("0"),
    parity: count("0"),
    game: { type: "string" },
    "win-rates": { type: "boolean", default: true },
  } as const;
  const { values } = parseArgs({ args, options, allowNegative: true });
  const { game, "win-rates": winRates } = values;
  const read = (name: keyof Options["counts"]) => {
    if (!/^\d{1,9}$/.test(values[name])) throw new InputError(`--${name}`, `${values[name]} is not a number of runs`);
    return Number(values[name]);
  };
  return {
    tested: game === undefined ? games : [stockGame(game)],
    winRates,
    counts: {
      battles: read("battles"),
      matches: read("matches"),
      verified: read("verified"),
      index: read("index"),
      channels: read("channels"),
      duels: read("duels"),
      offers: read("offers"),
      opponents: read("opponents"),
      parity: read("parity"),
    },
  };
}

function randomTeams(): Teams {
  const bytes = randomBytes(60);
  return [0, 30].map((at) => TEAM.map((slot) => STATS.map((stat) => 1 + (bytes[at + 6 * slot + stat] % 3))));
}

/** Runs a function repeatedly. @returns the number of runs per second. */
async function rate(runs: number, run: () => unknown): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < runs; i++) await run();
  return (1000 * runs) / (performance.now() - start);
}

async function benchEngines(runs: number): Promise<void> {
  const teams = Array.from({ length: 200 }, randomTeams);
  let next = 0;
  const typescript = await rate(runs, () => battle(randomBytes(32), defaultMode, teams[next++ % teams.length]));
  const { contract, close } = await previewContract(autoBattler);
  const preview = contract.getFunction("preview");
  const solidity = await rate(Math.ceil(runs / 100), () => {
    const [team1, team2] = teams[next++ % teams.length];
    return preview.staticCall(hexlify(randomBytes(32)), "0x", team1, team2);
  });
  await close();
  console.log(
    `Random default battles: ${typescript.toFixed(0)} a second in TypeScript, ${solidity.toFixed(0)} on chain`,
  );
  console.log(`TypeScript : chain = ${(typescript / solidity).toFixed(1)} : 1`);
}

/** Prints the gas of matches and attacks from test/gas.json, next to published figures of comparable games. */
async function printGas(): Promise<void> {
  const gas = JSON.parse(await readFile("test/gas.json", "utf8")) as Record<string, number>;
  const battles = `${BATTLES} random default battles`;
  const list = (numbers: readonly number[]) => numbers.map((number) => number.toLocaleString("en")).join(", ");
  const own = gas[`${battles}: whole match on average`];
  const ratios = PEERS.matches.map((peer) => (peer / own).toFixed(2)).join(", ");
  console.log(`Gas of a whole auto-battle on average: ${list([own])}; three others': ${list(PEERS.matches)}`);
  console.log(`others : ours = ${ratios} : 1`);
  const ownAttack = gas[`${battles}: an attack, with log and statistics (slope)`];
  console.log(
    `Gas of an attack, log and statistics included: ${list([ownAttack])}; another's: ${list([PEERS.attack])}`,
  );
  console.log(`other : ours = ${(PEERS.attack / ownAttack).toFixed(1)} : 1`);
}

async function benchMatches(runs: number): Promise<void> {
  const { ethers, ignition, close } = await hre.network.create();
  const [owner, ...players] = await ethers.getSigners();
  const addresses = await addressesOf(await ignition.deploy(Duello));
  const fighters = Fighters__factory.connect(addresses.Fighters, owner);
  await fighters.setMinter(owner, true);
  const [alice, bob] = await Promise.all(players.slice(0, 2).map((player) => Client.connect(addresses, games, player)));
  // Golden fighters never cool down. Alice has ids 1 to 5, Bob 6 to 10.
  for (const { address } of [alice, bob]) {
    for (const slot of TEAM) await fighters.mint(address, slot, [1, 2, 3, 3, 2, 1], true);
  }
  const matches = await rate(runs, () => playMatch(alice, bob));
  await close();
  console.log(`Whole matches in three transactions: ${matches.toFixed(1)} a second`);
}

async function playMatch(alice: Client, bob: Client): Promise<void> {
  const game = alice.addresses.AutoBattler;
  const { secret, committed } = commitMove(alice.committer(game), encodeTeam([1n, 2n, 3n, 4n, 5n]));
  const terms = { game, mode: ZeroHash, token: COIN, stake1: 0n, stake2: 0n, clock: 3600n, rated: true };
  const offer = await alice.create({ terms, opponent: bob.address, data: committed });
  const answer = answerTo(committed, encodeTeam([6n, 7n, 8n, 9n, 10n]));
  await bob.join(offer, answer);
  await alice.act(offer.matchId, revealFor(secret, answer));
}

/**
 * Measures the win rates of the stock modes and of their unequal starts, and prints them. Updates the table of win
 * rates, and the table for the first matches, which the tests repeat.
 */
async function benchWinRates(tested: readonly GameModule[]): Promise<void> {
  const winRates: Record<string, Record<string, WinRate>> = {};
  const firstMatches = JSON.parse(await readFile(FIRST_MATCHES, "utf8")) as typeof winRates;
  for (const { name } of games) winRates[name] = measured[name];
  for (const game of tested) {
    winRates[game.name] = {};
    firstMatches[game.name] = {};
    const runs = game.odds?.winRateRuns ?? WIN_RATE_RUNS;
    for (const [name, setup] of Object.entries(setupsOf(game))) {
      const winRate = await measureWinRate(game, setup);
      winRates[game.name][name] = winRate;
      firstMatches[game.name][name] = await measureWinRate(game, setup, runs / FIRST_PART);
      const shares = [winRate.player1, winRate.player2, winRate.draws].map((count) =>
        ((100 * count) / runs).toFixed(1),
      );
      console.log(
        `${game.name}, ${name}: player 1 ${shares[0]} %, player 2 ${shares[1]} %, draws ${shares[2]} % at random`,
      );
    }
  }
  await writeFile(WIN_RATES, `${WIN_RATES_HEAD}${JSON.stringify(winRates)};\n`);
  await writeFile(FIRST_MATCHES, JSON.stringify(firstMatches));
  execFileSync("node_modules/.bin/oxfmt", [WIN_RATES, FIRST_MATCHES]);
}
