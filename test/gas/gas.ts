import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import hre, { network } from "hardhat";
import Duello from "../../ignition/modules/Duello.js";
import { addressesOf } from "../../cli/shared/node/deployment.js";
import { contractsWith } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
import { offers, settings } from "./arena.js";
import { randomBattles, wholeMatches, worstBattle } from "./battles.js";
import { channels } from "./channels.js";
import {
  calldataShare,
  chargedSize,
  dataFee,
  fastLzLength,
  levelRows,
  matchRows,
  transactionRows,
  type PublishedData,
} from "./data.js";
import { ends } from "./ends.js";
import { guardians } from "./guardians.js";
import { wholeDuels } from "./pistols.js";
import { miniGames } from "./mini-games.js";
import { purse, tokens } from "./purse.js";
import { ticTacToe } from "./tic-tac-toe.js";
import { warmancer } from "./warmancer.js";
import { Arena__factory } from "../../typechain-types/index.js";
import { readTable, writeTable } from "../support/tables.js";
import { startWorld, type Costs, type Entries, type World } from "./world.js";

const FILE = new URL("../gas.json", import.meta.url);
const UPDATE = process.env.UPDATE_GAS === "1";
const UPDATE_DOCUMENTS = process.env.UPDATE_DOCUMENTS === "1";

/** Upper bounds of costs. */
const LIMITS = {
  "mini-games, all three transactions: returning players, rated, with stakes": 263_000,
  "300 random default battles: an attack, with log and statistics (slope)": 1250,
  "300 random default battles: whole match on average": 460_000,
  "whole match of 30 attacks: returning players and fighters, rated, with stakes": 462_000,
  "worst legal battle, its reveal": 1_750_000,
  "guardians, a match of 20 attacks, three transactions: returning players, rated, with stakes": 362_000,
  "guardians, the worst legal battle, its reveal": 1_500_000,
  "whole duel with pistols alone (three transactions): returning players, rated, with stakes": 292_000,
  "whole game of tic-tac-toe, nine marks, a draw: returning players": 575_000,
  "warmancer, create with a committed Classic army": 150_000,
  "warmancer, join with a committed Classic army": 150_000,
  "warmancer, a quiet turn, both actions": 134_500,
  "warmancer, a turn with a battle, all actions": 250_000,
  "warmancer, a turn with two battles, all actions": 250_000,
  "warmancer, the end check of a Classic army": 200_000,
  "warmancer, the end check of 64 pawns": 300_000,
  "warmancer, the worst legal action": 300_000,
  "channels, play rock-paper-scissors, rated, with stakes: by the committer": 120_000,
  "channels, play 10 of rock-paper-scissors in one: each": 54_000,
  "channels, play 30 of rock-paper-scissors in one: each": 49_000,
  "channels, play rock-paper-scissors, unrated, without stakes": 86_000,
  "channels, play an auto-battle of 30 attacks, rated, with stakes": 275_000,
  "channels, play tic-tac-toe of nine marks, rated, with stakes": 172_000,
  "channels, play Warmancer Classic, rated, with stakes": 200_000,
  "channels, challenge: known terms": 150_000,
  "channels, a newcomer opens and plays in one, rated, without stakes": 175_000,
  // Bytes that remain below the limit of 24,576.
  "size of Arena in bytes": 24_000,
  "size of Channels in bytes": 24_500,
  "size of Warmancer in bytes": 24_000,
};

/** Upper bound of the part of a transaction's cost that a packed encoding of its calldata could save. */
const MAX_CALLDATA_SHARE = 0.2;

/** Matches with a bill, and the place of their total cost. */
const BILLED = {
  "a mini-game": "mini-games, all three transactions: returning players, rated, with stakes",
  "an auto-battle of 30 attacks": "whole match of 30 attacks: returning players and fighters, rated, with stakes",
  "a battle of guardians with 20 attacks":
    "guardians, a match of 20 attacks, three transactions: returning players, rated, with stakes",
  "a duel with pistols alone":
    "whole duel with pistols alone (three transactions): returning players, rated, with stakes",
  "a game of tic-tac-toe with nine marks": "whole game of tic-tac-toe, nine marks, a draw: returning players",
  "a Quick game of Warmancer": "warmancer, a whole Quick game",
};

/**
 * Transactions that players or minters pay for, in groups: what the table in docs/chains.md calls them, and the name of
 * their gas.
 */
const TRANSACTIONS = {
  tokens: { "mint a fighter": "mint a fighter: returning owner" },
  purse: {
    "deposit the coin": "deposit coin: returning player",
    "deposit FIGHT": "deposit FIGHT: returning player",
    "deposit FIGHT with a permit": "deposit FIGHT with a permit: returning player",
    "send FIGHT into the purse": "send FIGHT into the purse: returning player",
    "send FIGHT into a seat": "send FIGHT into seat 2: returning player",
    "withdraw the coin": "withdraw coin: a part",
    "withdraw FIGHT": "withdraw FIGHT: a part",
  },
  "match on chain": {
    "fund from the purse": "fund seat 2 from the purse",
    cancel: "cancel an offer",
    decline: "decline an offer",
    resign: "resign: player 1, returning players",
    "time out": "time out player 1 before it reveals: returning players",
    "allow an operator": "allow an operator: again",
    "register a mode": "register a mode of the auto-battler: a new one",
  },
  channel: {
    open: "channels, open: again",
    "play rock-paper-scissors": "channels, play rock-paper-scissors, rated, with stakes: by the committer",
    "play 30 of them in one": "channels, play 30 of rock-paper-scissors in one: each",
    "play an auto-battle of 30 attacks": "channels, play an auto-battle of 30 attacks, rated, with stakes",
    "play tic-tac-toe of nine marks": "channels, play tic-tac-toe of nine marks, rated, with stakes",
    "play Warmancer Classic": "channels, play Warmancer Classic, rated, with stakes",
    challenge: "channels, challenge: known terms",
    "act after a challenge": "channels, reveal after a challenge",
    "time out after a challenge": "channels, time out after a challenge",
    "take a challenge back by a play": "channels, take a challenge back by a play",
    "take a challenge back by a checkpoint": "channels, take a challenge back by a checkpoint",
    checkpoint: "channels, checkpoint",
    close: "channels, close",
    expire: "channels, expire",
    "open and play in one": "channels, a newcomer opens and plays in one, rated, without stakes",
  },
};

/** Page with the tables of published data, and the headings above them. */
const CHAINS = fileURLToPath(new URL("../../docs/chains.md", import.meta.url));
const PRICE_LEVELS = "### Price levels";
const MATCHES = "### Matches";
const SINGLE = "### Other transactions";

/** A signed transaction that calls a contract on an OP Stack chain. */
const CALL = [
  "0x",
  "02f901550a758302df1483be21b88304743f94f8",
  "0e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8",
  "e41ef24f3f0000000000000000000000000000000000000000000000",
  "00000000000000006e000000000000000000000000af88d065e77c8c",
  "c2239327c5edb3a432268e5831000000000000000000000000000000",
  "000000000000000000000000000003c1e50000000000000000000000",
  "00000000000000000000000000000000000000000000000000000000",
  "000000000000000000000000000000000000000000000000a0000000",
  "00000000000000000000000000000000000000000000000000000000",
  "148c89ed219d02f1a5be012c689b4f5b731827bebe00000000000000",
  "0000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a36",
  "75a7f5f493ebd5ad77c497f8a07cdf65680e238392693019b4092f61",
  "0222e71b7cec06449cb922b93b6a12744e",
].join("");

/** The measurements, in the order of the file. */
const sections: Record<string, (world: World) => Promise<Costs>> = {
  "the sizes of contracts": sizes,
  tokens: each(tokens),
  purses: each(purse),
  "offers and seats": each(offers),
  "reveals and other ends": each(ends),
  settings: each(settings),
  "whole matches": wholeMatches,
  "whole duels with pistols": wholeDuels,
  "random default battles": randomBattles,
  "the worst legal battle": worstBattle,
  guardians,
  "tic-tac-toe": ticTacToe,
  "mini-games": miniGames,
  warmancer,
  channels,
};

async function sizes(): Promise<Costs> {
  const { ethers, ignition, close } = await network.create();
  const addresses = await addressesOf(await ignition.deploy(Duello));
  const bytes = async (name: string) => ethers.dataLength(await ethers.provider.getCode(addresses[name]));
  const measured = await Promise.all(
    contractsWith(games).map(async (name) => [`size of ${name} in bytes`, await bytes(name)]),
  );
  const channels = await Arena__factory.connect(addresses.Arena, ethers.provider).channels();
  const size = ethers.dataLength(await ethers.provider.getCode(channels));
  await close();
  return { ...Object.fromEntries(measured), "size of Channels in bytes": size } as Costs;
}

function each(entries: Entries): (world: World) => Promise<Costs> {
  return async (world) => {
    const costs: Costs = {};
    for (const [name, entry] of Object.entries(entries)) {
      await world.snapshot.restore();
      costs[name] = await world.recordedGas(name, entry(world));
    }
    return costs;
  };
}

/** Returns the recorded data of `TRANSACTIONS`, with the names in the table. */
function recordedGroups({ recorded }: World): Record<string, PublishedData[]> {
  const named = Object.entries(TRANSACTIONS).map(([group, names]) => {
    const rows = Object.entries(names).map(([kind, name]) => ({ ...recorded[name], kind }));
    return [group, rows] as const;
  });
  return Object.fromEntries(named);
}

describe("Gas", () => {
  const measured: Costs = {};
  let committed: Costs;
  let world: World;

  before(async function () {
    if (hre.globalOptions.coverage) this.skip(); // instrumented code costs more
    committed = UPDATE ? {} : (JSON.parse(await readFile(FILE, "utf8")) as Costs);
    world = await startWorld();
  });
  after(() => world?.close());
  beforeEach(() => world.snapshot.restore());

  for (const [name, measure] of Object.entries(sections)) {
    it(`agrees with test/gas.json: ${name}`, async () => {
      const costs = await measure(world);
      Object.assign(measured, costs);
      if (UPDATE) return;
      const expected = Object.fromEntries(Object.keys(costs).map((key) => [key, committed[key]]));
      expect(costs, "gas has changed: `npm run gas` rewrites test/gas.json, review its diff").to.deep.equal(expected);
    });
  }

  it("is measured for exactly the entries of test/gas.json", async () => {
    if (UPDATE) await writeFile(FILE, `${JSON.stringify(measured, null, 2)}\n`);
    else expect(Object.keys(measured), "`npm run gas` rewrites test/gas.json").to.deep.equal(Object.keys(committed));
  });

  for (const [what, max] of Object.entries(LIMITS)) {
    it(`is at most ${max.toLocaleString("en")}: ${what}`, () => {
      expect(measured[what]).to.be.at.most(max);
    });
  }

  it("is charged for compressed data as on OP Stack nodes", () => {
    // Two separate transactions: one without data, and a call of a contract.
    expect(fastLzLength("0xdd80808094095e7baea6a6c7c4c2dfeb977efac326af552d878080808080")).to.equal(31);
    expect([fastLzLength(CALL), chargedSize(CALL)]).to.deep.equal([202, 126.3874]);
    expect(chargedSize("0x")).to.equal(100);
    // The example of op-geth's tests.
    const fees = { baseFee: 1_000_000_000, blobBaseFee: 10_000_000 };
    expect(dataFee(100, { baseFeeScalar: 2, blobBaseFeeScalar: 3 }, fees)).to.equal(3_203_000);
  });

  const tables: Record<string, () => string[][]> = {
    [PRICE_LEVELS]: levelRows,
    [MATCHES]: () => matchRows(world.published),
    [SINGLE]: () => transactionRows(recordedGroups(world)),
  };

  for (const [title, compute] of Object.entries(tables)) {
    it(`agrees with the table in docs/chains.md: ${title.replace(/^#+ /, "")}`, async () => {
      const rows = compute();
      if (UPDATE_DOCUMENTS) await writeTable(CHAINS, title, rows);
      expect(rows, "`npm run documents` rewrites the table").to.deep.equal(await readTable(CHAINS, title));
    });
  }

  it("falls by less than a fifth at the usual prices if a transaction has no calldata", () => {
    const all = [...Object.values(world.published).flat(), ...Object.values(world.recorded)];
    const above = all.filter((row) => calldataShare(row) >= MAX_CALLDATA_SHARE).map(({ kind }) => kind);
    expect(above, "pack the calldata of these, or state in docs/chains.md why not").to.deep.equal([]);
  });

  it("records the data of exactly the matches with a bill", () => {
    expect(Object.keys(world.published)).to.have.members(Object.keys(BILLED));
  });

  for (const [match, whole] of Object.entries(BILLED)) {
    it(`has a bill that adds up: ${match}`, () => {
      const bill = Object.entries(measured).filter(([what]) => what.startsWith(`bill of ${match}: `));
      expect(bill.reduce((sum, [, gas]) => sum + gas, 0)).to.equal(measured[whole]);
    });
  }
});
