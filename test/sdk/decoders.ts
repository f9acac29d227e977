import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { concat, computeAddress, encryptKeystoreJsonSync } from "ethers";
import * as journal from "../../scripts/deploy/journal.js";
import { address } from "../../sdk/protocol/address.js";
import { readAmount } from "../../sdk/protocol/arguments.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { readExported } from "../../sdk/player/key-store.js";
import * as wallet from "../../cli/shared/wallet/wallet.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { decodeTurn as fightersTurn } from "../../sdk/games/auto-battler/log.js";
import { decodeTurn as cardsTurn } from "../../sdk/games/guardians/log.js";
import { stockGame } from "../../sdk/games/index.js";
import { decodeGame } from "../../sdk/games/mini-games/log.js";
import { decodeBlow, decodeResult, encodeResult } from "../../sdk/games/pistols/log.js";
import { decodeState } from "../../sdk/games/pistols/state.js";
import { decodeMark } from "../../sdk/games/tic-tac-toe/log.js";
import { decodeEntry, encodeEntry } from "../../sdk/games/warmancer/log.js";
import { readMove } from "../../sdk/games/warmancer/notation.js";
import { decodePosition } from "../../sdk/games/warmancer/position.js";
import { decodeProof, decodeSetup } from "../../sdk/games/warmancer/setup.js";
import { InputError } from "../../sdk/protocol/input.js";
import { turnOf, type SecretStore } from "../../sdk/games/moves.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decodeAnswer, decodeReveal, decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import { revealFor } from "../../sdk/protocol/commitment.js";
import { Seat } from "../../sdk/protocol/status.js";
import { recordAll, type Recorded } from "../support/recorded.js";

const WORD = `0x${"07".repeat(32)}`;
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SECRET = { chainId: 1, game: ADDRESS, player: ADDRESS, commitment: WORD, move: "0x01", salt: WORD };
const BATTLE = { op: "battle", turn: 7, side: 0, slot: 0, defender: 3, tile: 3, kind: 0, winner: 1 } as const;

/** Expects an InputError with a message. */
function expectRefused(run: () => unknown, message: string | RegExp): void {
  expect(run).to.throw(InputError, message);
}

describe("The decoder of foreign bytes", () => {
  it("refuses bytes that are too short for a commitment, an answer or a reveal", () => {
    expectRefused(() => decodeCommitment("0x07"), /^commitment: 1 bytes instead of at least 32$/);
    expectRefused(() => decodeAnswer(`0x${"07".repeat(97)}`), /^answer: 97 bytes instead of at least 98$/);
    expectRefused(() => decodeReveal(WORD, 1, 1), /^reveal: 32 bytes instead of at least 100$/);
    expectRefused(() => revealFor({ move: "0x01", salt: WORD }, "0x"), /^answer: 0 bytes/);
    expectRefused(() => decodeCommitment("commitment"), /^commitment: not 0x and hex bytes$/);
  });

  it("refuses a log entry with a bit outside its fields, or with a field out of range", () => {
    const none = /^log: 0x[0-9a-f]{64} is no entry of it$/;
    const entries: [(entry: bigint) => unknown, bigint[]][] = [
      [fightersTurn, [1n << 20n, 5n << 8n, 7n << 11n, 1n << 80n, 1n << 112n, 1n << 181n]],
      [cardsTurn, [1n << 22n, 3n << 18n, 1n << 80n, 1n << 112n, 1n << 160n]],
      [decodeGame, [4n << 24n, 1n << 16n, 3n << 32n, 3n << 34n, 1n << 36n]],
      [decodeBlow, [3n, 1n << 13n, 1n << 60n]],
      [decodeResult, [0n, 15n, 51n, encodeResult({ winner: 1, pot: 1, honour: [1, 2] }) | (1n << 23n)]],
      [decodeMark, [9n, 1n << 5n, 3n << 26n, 1n << 29n]],
      [decodeEntry, [0n, 6n, 7n, encodeEntry({ op: "reveal", turn: 7, side: 0, slot: 0, tile: 3, rank: 12 })]],
      [
        decodeEntry,
        [encodeEntry({ ...BATTLE, kind: 3 }), encodeEntry({ op: "result", turn: 7, winner: 3 }), 1n << 48n],
      ],
    ];
    for (const [decode, wrong] of entries) for (const entry of wrong) expectRefused(() => decode(entry), none);
  });

  it("refuses a state, position, proof or setup of the wrong length or with unknown bits", () => {
    expectRefused(() => decodeState("0x07"), /^state: 1 bytes instead of 32$/);
    expectRefused(() => decodeState(WORD), /^state: 0x0707.* is none$/);
    expectRefused(() => decodePosition(WORD), /^position: 32 bytes instead of at least 59$/);
    expectRefused(() => decodePosition(`0x${"07".repeat(60)}`), /^position: 60 bytes instead of 321$/);
    expectRefused(() => decodeProof(`0x${"07".repeat(227)}`), /^proof: 227 bytes instead of 226$/);
    expectRefused(() => decodeSetup("0x07"), /^setup: 1 bytes instead of at least 32$/);
  });
});

describe("A match from a lying node", () => {
  let archive: Archive;
  let matches: Recorded[];

  before(async () => ({ archive, matches } = await recordAll()));

  const secretStoreOf = (move: Hex): SecretStore => ({
    commit: async () => WORD,
    reveal: async () => ({ move, salt: WORD }),
  });
  const recordOf = (name: string): MatchRecord => matches.find(({ game }) => game.name === name)!.record;
  const turnIn = (record: MatchRecord) => turnOf(record, Seat.One, record.player1, archive);
  /** Returns the error message that rejects something. */
  const refusal = async (run: () => Promise<unknown>): Promise<string> => {
    const error: unknown = await run().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(TypeError).and.not.instanceOf(RangeError);
    return (error as Error).message;
  };

  it("is refused with a mark outside the board, or an unknown rule for ties", async () => {
    const { replay } = stockGame("tic-tac-toe");
    const record = recordOf("tic-tac-toe");
    expect(await refusal(() => replay({ ...record, createData: "0x" }, archive))).to.match(/^createData: 0 bytes/);
    const told = { ...record, createData: "0x09", joinData: "0x0901", actions: [] };
    expect(await refusal(() => replay(told, archive))).to.match(/mark\[0\]: there is no cell 9$/);
    const history = Object.create(archive, { mode: { value: async () => "0x02" } }) as Archive;
    const other = { ...record, terms: { ...record.terms, mode: WORD } };
    expect(await refusal(() => replay(other, history))).to.equal("mode: 2 is above 1");
  });

  it("is rejected if a turn belongs to a card that is in neither team", async () => {
    const { decodeLog, story } = stockGame("guardians");
    const record = recordOf("guardians");
    const told = { ...record, logs: [{ round: 1n, entries: [1n | (3n << 11n)] }] };
    for (const tell of [decodeLog, story]) {
      const run = () => tell(told, archive, (text: string) => text);
      expect(await refusal(run)).to.match(/^match \d+: turn 1 is of a card that no team of 3 has$/);
    }
  });

  it("is refused if a pistols duel has a third round, or no paces in the first round", async () => {
    const { moves } = stockGame("pistols");
    const record = recordOf("pistols");
    const [first] = record.actions;
    // Moves of round 2 have one more byte each.
    const later = { ...first, data: concat([first.data, "0x0000"]) };
    const more = { ...record, actions: [first, later, later], settlement: undefined };
    expect(await refusal(() => moves.pendingCommitments!(more, Seat.One, archive))).to.match(
      /^Nothing is committed in match \d+ any more\.$/,
    );
    const joined = turnIn({ ...record, actions: [], settlement: undefined });
    for (const move of ["0x", "0x00", "0x0b"]) {
      expect(await refusal(() => moves.act(undefined, joined, secretStoreOf(move))), move).to.match(
        /^move: 0|is no move of round 1$/,
      );
    }
  });

  it("is not revealed without an answer, and does not continue before player 2 has joined", async () => {
    for (const name of ["auto-battler", "warmancer"]) {
      const offered = { ...recordOf(name), joinData: undefined, actions: [], settlement: undefined };
      const run = () => stockGame(name).moves.act(undefined, turnIn(offered), secretStoreOf("0x"));
      expect(await refusal(run)).to.match(
        /there is no answer to what is committed$|^Player 2 has not joined match \d+\.$/,
      );
    }
  });

  it("is not continued if the committed setup or move is invalid", async () => {
    const { moves } = stockGame("warmancer");
    const joined = turnIn({ ...recordOf("warmancer"), actions: [], settlement: undefined });
    for (const move of ["0x", "0x0c", WORD]) {
      expect(await refusal(() => moves.suggest(joined, secretStoreOf(move))), move).to.match(/pawns of rank|no rank/);
    }
  });
});

describe("The reader of foreign texts and files", () => {
  let folder: string;

  before(() => (folder = mkdtempSync(join(tmpdir(), "duello-"))));
  after(() => rmSync(folder, { recursive: true }));

  it("quotes foreign text in one short, printable line", () => {
    const huge = "9".repeat(100_000);
    for (const [word, seen] of [
      ["\u001b[2J\u001b[31m1\n2", /^amount: {2}\[2J \[31m1 2 is not an amount like 12.5$/],
      ["\u202e5", /^amount: {2}5 is not an amount/],
      [huge, /^amount: 9{490,500}…9{460,490} is not an amount like 12.5$/],
    ] as const) {
      expectRefused(() => readAmount(word, 18, "amount"), seen);
    }
  });

  it("rejects a move from a tile to itself, which is the encoding of Stuck", () => {
    for (const word of ["p16-p16", "a1-a1"]) expectRefused(() => readMove(word), `${word}: not a move`);
  });

  it("refuses objects as addresses, whatever methods they have", () => {
    const odd: unknown = JSON.parse('{"toString":1,"valueOf":2}');
    const deep: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
    for (const value of [odd, deep, null, 7]) {
      expectRefused(() => address(value, "arena"), /^arena: .* is not a text$/);
      expectRefused(() => readExported([{ ...SECRET, player: value }], "backup.json"), /\.player: .* is not a text$/);
    }
  });

  it("rejects a file without revealing its secrets", () => {
    const key = `0x${"5a".repeat(33)}`;
    const kept = { chainId: 1, arena: ADDRESS, player: ADDRESS, key };
    for (const content of [kept, [{ ...SECRET, salt: key }]]) {
      expectRefused(() => readExported(content, "backup.json"), /(key|salt): not 0x and 64 hex digits$/);
    }
  });

  it("refuses a stored answer that contains no valid move", async () => {
    const vault = new Vault(folder);
    const round = { chainId: 1, arena: ADDRESS, matchId: 7n, after: 1, commitment: WORD };
    await vault.keepShown(round, { moveArgs: "rock", answer: WORD });
    writeFileSync(vault.placeOf(round), JSON.stringify({ version: 1, moveArgs: { toString: 1 }, answer: WORD }));
    const error: unknown = await vault.shown(round).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(InputError)
      .with.property("message")
      .that.matches(/moveArgs: an object is not a text$/);
  });

  it("rejects a journal, naming the invalid line and field", () => {
    const line = (value: unknown) => JSON.stringify(value);
    const sent = { type: "TRANSACTION_SEND", futureId: "Duello#Arena", transaction: { hash: WORD } };
    for (const [wrong, message] of [
      ["null", "journal:2: null is not an object"],
      ["{", "journal:2: a run was cut off"],
      [line({ ...sent, transaction: {} }), "journal:2.transaction.hash: left out"],
      [
        line({ type: "TRANSACTION_CONFIRM", receipt: { blockNumber: "7" } }),
        'journal:2.receipt.blockNumber: "7" is not',
      ],
      [line({ type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE" }), "journal:2.strategy: left out"],
    ]) {
      expectRefused(() => journal.parseJournal(`${line(sent)}\n${wrong}\n`, "journal"), message);
    }
  });

  it("rejects a keystore that would take forever to decrypt", async () => {
    const account = { address: computeAddress(WORD), privateKey: WORD };
    const keystore = encryptKeystoreJsonSync(account, "", { scrypt: { N: 2, r: 1, p: 1 } });
    expect((await wallet.openKeystore(keystore, "", "wallet.json")).address).to.match(/^0x/);
    for (const endless of [keystore.replace('"p":1', '"p":1073741824'), keystore.replace('"n":2', '"N":1073741824')]) {
      const error: unknown = await wallet.openKeystore(endless, "", "wallet.json").catch((reason: unknown) => reason);
      expect(String(error)).to.equal("InputError: --keystore: wallet.json would take for ever to open");
    }
  });
});
