import { expect } from "chai";
import { getAddress, hexlify, randomBytes, ZeroHash } from "ethers";
import { character, match, matchEvent, mode, terms } from "../../indexer/ponder.schema.js";
import type { Db } from "../../indexer/src/db.js";
import { eventOf } from "../../indexer/src/event.js";
import { RowHistory } from "../../indexer/src/row-history.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { fighterContract } from "../../sdk/games/auto-battler/fighters.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import { acted, addressOf, ARENA, created, GAME, TERMS, termsAdded, wordOf } from "../support/made-up-events.js";

const FIGHTERS = addressOf(0xfe);
const [KNOWN, EMPTY, UNKNOWN] = [1, 2, 3].map(wordOf);
const addresses = { Arena: ARENA, Fighters: FIGHTERS, AutoBattler: GAME } as unknown as Addresses;
const traits = { to: GAME, character: "3", tiers: ["1", "2", "3", "3", "2", "1"], golden: true };

/** Rows of the tables that a history reads, as text of their keys. */
const ROWS = new Map<object, Record<string, object>>([
  [terms, { [JSON.stringify({ hash: termsHash(TERMS) })]: { hash: termsHash(TERMS), termsId: 5n, ...TERMS } }],
  [
    mode,
    {
      [JSON.stringify({ game: GAME, hash: KNOWN })]: { content: "0x0102" },
      // Somebody has played the mode, but nobody has registered it.
      [JSON.stringify({ game: GAME, hash: EMPTY })]: { content: null },
    },
  ],
  [
    character,
    {
      [JSON.stringify({ contract: FIGHTERS, characterId: "1" })]: { traits: { id: "1", ...traits } },
      [JSON.stringify({ contract: FIGHTERS, characterId: "2" })]: { traits: null },
    },
  ],
  [match, { [JSON.stringify({ matchId: "1" })]: { events: 2 } }],
  [matchEvent, Object.fromEntries([created(), acted(1n)].map((event, place) => [keyOf(place), rowOf(event)]))],
]);

function keyOf(place: number): string {
  return JSON.stringify({ matchId: "1", place });
}

function rowOf({ name, args, address, block, index, transaction }: ReturnType<typeof created>): object {
  const { matchId, ...rest } = args as { matchId: bigint };
  const texts = JSON.parse(JSON.stringify(rest, asText)) as object;
  return { matchId, name, args: texts, address, block, logIndex: index, transaction };
}

function asText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

const db = {
  find: async (table: object, key: object) => ROWS.get(table)![JSON.stringify(key, asText)] ?? null,
} as unknown as Db;
const messageOf = (error: unknown) => (error as Error).message;

describe("The history from rows of an index", () => {
  const history = new RowHistory(db, addresses, 31_337n);

  it("reads terms without the columns that only the index has", async () => {
    expect(await history.terms(termsHash(TERMS))).to.deep.equal(TERMS);
  });

  it("reads registered modes, and no others", async () => {
    expect(await history.mode(GAME, KNOWN)).to.equal("0x0102");
    for (const hash of [EMPTY, UNKNOWN, ZeroHash])
      expect(await history.mode(GAME, hash).catch(messageOf)).to.equal(
        `The mode ${hash} was never registered with the game ${GAME}.`,
      );
  });

  it("reads minted characters, and no others", async () => {
    expect(await history.characterNumbers(fighterContract, 1n)).to.deep.equal([3, 1, 2, 3, 3, 2, 1, 1]);
    for (const id of [2n, 3n])
      expect(await history.characterNumbers(fighterContract, id).catch(messageOf)).to.equal(
        `The fighter ${id} was never minted.`,
      );
  });

  it("finds no other events by their fields", async () => {
    expect(await history.events(ARENA, "Acted", { matchId: 1n }).catch(messageOf)).to.equal(
      "The index finds no events Acted by their fields.",
    );
  });

  it("reads a match from the rows of its events", async () => {
    const { player1, terms: its, actions } = await history.match(1n);
    const { args } = created();
    expect([player1, its, actions]).to.deep.equal([
      (args as { player1: string }).player1,
      TERMS,
      [{ seat: 1n, data: "0x" }],
    ]);
    expect((await history.eventRows(1n)).map(({ name }) => name)).to.deep.equal(["Created", "Acted"]);
  });
});

describe("An event from Ponder", () => {
  it("has checksummed addresses and one type for all integers", () => {
    // Checksummed addresses are cached, and this one is new in each run.
    const mixed = getAddress(hexlify(randomBytes(20)));
    const place = { log: { address: mixed.toLowerCase(), logIndex: 3 }, block: { number: 7n } };
    const where = { ...place, transaction: { hash: KNOWN } };
    const args = { matchId: 5n, player1: mixed.toLowerCase(), opponent: GAME, termsHash: KNOWN };
    const rest = { firmUntil: 9, funded: true, data: "0x01" };
    // A repeated address is the same.
    for (const _ of [1, 2])
      expect(eventOf("Created", { args: { ...args, ...rest }, ...where })).to.deep.equal({
        address: mixed,
        name: "Created",
        args: { ...args, player1: mixed, ...rest, firmUntil: 9n },
        block: 7,
        index: 3,
        transaction: KNOWN,
      });
  });

  it("has tuples and arrays in the same form", () => {
    const place = { log: { address: GAME, logIndex: 0 }, block: { number: 1n }, transaction: { hash: KNOWN } };
    const { termsId, terms: its } = termsAdded().args as { termsId: bigint; terms: typeof TERMS };
    const lower = { ...its, clock: 3600, feeBps: 2000 };
    expect(eventOf("TermsAdded", { args: { termsId, terms: lower }, ...place }).args.terms).to.deep.equal(TERMS);
    const log = eventOf("Log", { args: { matchId: 1n, round: 2, logEntries: [1n, 2] }, ...place });
    expect(log.args).to.deep.equal({ matchId: 1n, round: 2n, logEntries: [1n, 2n] });
  });
});
