import { expect } from "chai";
import { AbiCoder, concat, id, keccak256, N, toBeHex, Wallet, ZeroHash } from "ethers";
import {
  messageText,
  parseMessage,
  parseTranscript,
  readMessage,
  type AwayAgreement,
  type AwayAsk,
  type AwayMove,
} from "../../../sdk/protocol/away/messages.js";
import {
  agreementRequest,
  appointmentRequest,
  askRequest,
  digestOf,
  isSignedBy,
  NEVER,
  signersOf,
  stateRequest,
} from "../../../sdk/protocol/away/signatures.js";
import {
  decodeAccept,
  decodePost,
  decodeTable,
  encodeAccept,
  encodePost,
  encodeTable,
  firstTable,
  tableAfter,
  tableHash,
} from "../../../sdk/protocol/away/table.js";
import {
  checkMove,
  checkNote,
  checkTranscript,
  nextRecord,
  signedState,
  supportedStates,
} from "../../../sdk/protocol/away/transcript.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Random } from "../../../sdk/laws/random.js";
import { Seat } from "../../../sdk/protocol/status.js";
import {
  awayBase as base,
  awayMatch as match,
  awayPlayers as players,
  movesBy,
  pledgedKey as pledged,
  signedBy as signing,
} from "../../support/away.js";

const random = new Random("away");
const session = new Wallet(id("session"));
const { arena, game } = match;

/** Computes a digest by hand, following EIP-712. */
function plainDigest(type: string, types: string[], values: unknown[], name: string, contract: string): string {
  const coder = AbiCoder.defaultAbiCoder();
  const domain = keccak256(
    coder.encode(
      ["bytes32", "bytes32", "bytes32", "uint256", "address"],
      [
        id("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
        id(name),
        id("1"),
        31_337,
        contract,
      ],
    ),
  );
  const struct = keccak256(coder.encode(["bytes32", ...types], [id(type), ...values]));
  return keccak256(concat(["0x1901", domain, struct]));
}

describe("Typed data away from the chain", () => {
  it("has the digests of EIP-712, each in its domain", () => {
    const [word, record] = [random.word(), random.word()];
    const state = { matchId: 7n, base, nonce: 5, turn: Seat.Two, word, record };
    expect(digestOf(stateRequest(31_337n, game, state))).to.equal(
      plainDigest(
        "State(uint256 matchId,bytes32 base,uint32 nonce,uint8 turn,bytes32 word,bytes32 record)",
        ["uint256", "bytes32", "uint32", "uint8", "bytes32", "bytes32"],
        [7, base, 5, 2, word, record],
        "Duello",
        game,
      ),
    );
    const agreement = { matchId: 7n, termsHash: id("terms"), winner: Seat.One, until: NEVER, record };
    expect(digestOf(agreementRequest(31_337n, arena, agreement))).to.equal(
      plainDigest(
        "Agreement(uint256 matchId,bytes32 termsHash,uint8 winner,uint40 until,bytes32 record)",
        ["uint256", "bytes32", "uint8", "uint40", "bytes32"],
        [7, id("terms"), 1, 2n ** 40n - 1n, record],
        "Duello",
        arena,
      ),
    );
    expect(digestOf(appointmentRequest(31_337n, arena, 7n, session.address))).to.equal(
      plainDigest("Key(uint256 matchId,address key)", ["uint256", "address"], [7, session.address], "Duello", arena),
    );
    expect(digestOf(askRequest(31_337n, arena, { matchId: 7n, winner: Seat.None, nonce: 5 }))).to.equal(
      plainDigest(
        "Ask(uint256 matchId,uint8 winner,uint32 nonce)",
        ["uint256", "uint8", "uint32"],
        [7, 0, 5],
        "Duello proposals",
        arena,
      ),
    );
  });

  it("chains records by seat and action", () => {
    expect(nextRecord(base, Seat.Two, "0x0102")).to.equal(keccak256(concat([base, "0x02", "0x0102"])));
  });
});

describe("Tables", () => {
  const table = { base, word: random.word(), nonce: 0x01020304, turn: Seat.Two, poster: Seat.One };
  const state = {
    nonce: 9,
    turn: Seat.One,
    word: random.word(),
    record: random.word(),
    signature1: random.note(130),
    signature2: random.note(65),
  };

  it("have 70 bytes, and are decoded as they were encoded", () => {
    expect(encodeTable(table)).to.equal(concat([base, table.word, "0x0102030402", "0x01"]));
    expect(decodeTable(encodeTable(table))).to.deep.equal(table);
    expect(tableHash(table)).to.equal(keccak256(encodeTable(table)));
    expect(firstTable(base, Seat.Two)).to.deep.equal({ base, word: base, nonce: 0, turn: Seat.Two, poster: Seat.None });
    expect(() => decodeTable(`${encodeTable(table)}00`)).to.throw(InputError, "table: 71 bytes instead of 70");
  });

  it("are posted as they stand, or with a signed state", () => {
    expect(decodePost(encodePost(table))).to.deep.equal({ table });
    const { nonce, turn, word, record, signature1, signature2 } = state;
    const data = concat([
      encodeTable(table),
      toBeHex(nonce, 4),
      toBeHex(turn, 1),
      word,
      record,
      toBeHex(130, 1),
      signature1,
      signature2,
    ]);
    expect(encodePost(table, state)).to.equal(data);
    expect(decodePost(data)).to.deep.equal({ table, state });
    expect(tableAfter(table, Seat.Two, state)).to.deep.equal({ base, word, nonce, turn, poster: Seat.Two });
    expect(tableAfter(table, Seat.Two)).to.deep.equal({ ...table, poster: Seat.Two });
    expect(() => decodePost(data.slice(0, 2 + 2 * (70 + 69)))).to.throw(InputError, "posted state: 69 bytes");
    expect(() => decodePost(data.slice(0, 2 + 2 * (70 + 70 + 129)))).to.throw(InputError, "posted state: 199 bytes");
  });

  it("are accepted, with an own action or without", () => {
    expect(decodeAccept(encodeAccept(table))).to.deep.equal({ table });
    expect(decodeAccept(encodeAccept(table, "0x0102"))).to.deep.equal({ table, action: "0x0102" });
  });
});

describe("Signatures away from the chain", () => {
  const digest = id("digest");
  const [one, two] = [signersOf(match, Seat.One), signersOf(match, Seat.Two)];
  const raw = (signer: Wallet, hash = digest) => signer.signingKey.sign(hash).serialized;
  const appointed = (key: Wallet, by: Wallet) => concat([raw(key), raw(by, one.keyDigestOf(key.address))]);

  it("count if player, pledged key or appointed session key made them", () => {
    expect(isSignedBy(digest, raw(players[0]), one)).to.equal(true);
    expect(isSignedBy(digest, raw(pledged), two)).to.equal(true);
    expect(isSignedBy(digest, appointed(session, players[0]), one)).to.equal(true);
    expect(isSignedBy(digest, appointed(session, players[1]), two)).to.equal(true);
  });

  it("do not count if anybody else made them", () => {
    expect(isSignedBy(digest, raw(players[1]), one)).to.equal(false);
    expect(isSignedBy(digest, raw(pledged), one), "pledged by the other").to.equal(false);
    expect(isSignedBy(digest, raw(session), one), "not appointed").to.equal(false);
    expect(isSignedBy(digest, appointed(session, players[1]), one), "appointed by the other").to.equal(false);
    expect(isSignedBy(digest, appointed(session, pledged), two), "appointed by a pledged key").to.equal(false);
    const other = { ...match, matchId: 8n };
    expect(isSignedBy(digest, appointed(session, players[0]), signersOf(other, Seat.One)), "of a match").to.equal(
      false,
    );
  });

  it("do not count with any bit flipped, with a high s, another v, or another length", () => {
    const signature = raw(players[0]);
    for (let bit = 0; bit < 65 * 8; bit++) {
      const flipped = BigInt(signature) ^ (1n << BigInt(bit));
      expect(isSignedBy(digest, toBeHex(flipped, 65), one), `bit ${bit}`).to.equal(false);
    }
    const { r, s, v } = players[0].signingKey.sign(digest);
    const high = concat([r, toBeHex(N - BigInt(s), 32), toBeHex(55 - v, 1)]);
    expect(isSignedBy(digest, high, one)).to.equal(false);
    expect(isSignedBy(digest, concat([r, s, toBeHex(v - 27, 1)]), one)).to.equal(false);
    expect(isSignedBy(digest, concat([ZeroHash, s, toBeHex(v, 1)]), one)).to.equal(false);
    for (const length of [0, 64, 66, 129, 131]) expect(isSignedBy(digest, random.note(length), one)).to.equal(false);
  });
});

describe("Messages away from the chain", () => {
  const { One, Two } = Seat;

  it("are written as a line of JSON and read again, moves, proposals and agreements", async () => {
    const [first, second] = await movesBy([Two, One]);
    const ask: AwayAsk = { type: "ask", seat: One, winner: Seat.None, nonce: 0, signature: random.note(65) };
    const agreement: AwayAgreement = { ...ask, type: "agreement", until: NEVER, record: random.word() };
    for (const message of [first, second, ask, agreement]) {
      expect(parseMessage(messageText(message), "line")).to.deep.equal(message);
      expect(messageText(readMessage(JSON.parse(messageText(message)), ""))).to.equal(messageText(message));
    }
    const lines = [first, ask, second, agreement].map(messageText).join("\n");
    expect(parseTranscript(`${lines}\n`, "7.jsonl")).to.deep.equal([first, second]);
  });

  it("are refused with the name of what is wrong", async () => {
    const [move] = await movesBy([Two]);
    const fields = JSON.parse(messageText(move)) as object;
    const expectWrong = (value: unknown, problem: RegExp) =>
      expect(() => readMessage(value, "m")).to.throw(InputError, problem);
    expectWrong(null, /^m\.type: left out$/);
    expectWrong({ ...fields, type: "say" }, /^m\.type: "say" is not one of move, ask, agreement$/);
    expectWrong({ ...fields, nonce: 0 }, /^m\.nonce: 0 is below 1$/);
    expectWrong({ ...fields, seat: 3 }, /^m\.seat: 3 is above 2$/);
    expectWrong({ ...fields, turn: 3 }, /^m\.turn: 3 is above 2$/);
    expectWrong({ ...fields, action: "0x" }, /^m\.action: 0 bytes instead of 1 to 2048$/);
    expectWrong({ ...fields, action: "zz" }, /^m\.action: not 0x and hex bytes$/);
    expectWrong({ ...fields, word: "0x01" }, /^m\.word: "0x01" is not 0x and 64 hex digits$/);
    expectWrong({ ...fields, signature: random.note(66) }, /^m\.signature: 66 bytes instead of 65 or 130$/);
    expectWrong({ ...fields, more: 1 }, /^m\.more: unknown field$/);
    expect(() => parseMessage("{", "7.jsonl:3")).to.throw(InputError, "7.jsonl:3: not JSON");
    expect(() => parseMessage(" ".repeat(4097), "7.jsonl:3")).to.throw(
      InputError,
      "4097 characters are more than 4096",
    );
  });

  it("are checked against the move before: nonce, seat, base, record and both signatures", async () => {
    const moves = await movesBy([Two, One, One, Two]);
    checkTranscript(match, moves);
    const [first, second, third, fourth] = moves;
    const expectWrong = (before: AwayMove | undefined, move: AwayMove, problem: string) =>
      expect(() => checkMove(match, before, move)).to.throw(InputError, problem);
    expectWrong(first, third, "move.nonce: 3 instead of 2");
    expectWrong(first, { ...second, seat: Two }, "move.seat: 2 instead of 1, which is in turn");
    expectWrong(first, { ...second, base: second.word }, "move.base");
    expectWrong(first, { ...second, action: "0x00" }, "move.record");
    expectWrong(undefined, { ...first, word: base }, "move.signature: seat 2 has not signed this");
    expectWrong(undefined, { ...first, turn: Two }, "move.signature: seat 2 has not signed this");
    expectWrong(first, { ...second, previous: second.signature }, "move.previous: seat 1 has not signed this");
    const { previous, ...without } = second;
    expectWrong(first, without, "move.previous: left out");
    expectWrong(second, { ...third, previous }, "move.previous: there is no state to sign before this one");
    expectWrong(undefined, { ...first, previous }, "move.previous: there is no state to sign before this one");
    checkMove(match, third, fourth);
    expect(() => checkMove({ ...match, matchId: 8n }, third, fourth)).to.throw("seat 2 has not signed this");
    expect(() => checkMove({ ...match, game: arena }, third, fourth)).to.throw("seat 2 has not signed this");
  });

  it("are checked for who proposes and who agrees", async () => {
    const ask = { winner: Seat.None, nonce: 3 };
    const agreement = { winner: One, until: 99n, record: random.word() };
    const note: AwayAsk = {
      type: "ask",
      seat: One,
      ...ask,
      signature: await signing(players[0], askRequest(31_337n, arena, { matchId: 7n, ...ask })),
    };
    const half: AwayAgreement = {
      type: "agreement",
      seat: Two,
      nonce: 3,
      ...agreement,
      signature: await signing(
        pledged,
        agreementRequest(31_337n, arena, { matchId: 7n, termsHash: match.termsHash, ...agreement }),
      ),
    };
    checkNote(match, note);
    checkNote(match, half);
    expect(() => checkNote(match, { ...note, seat: Two })).to.throw("ask.signature: seat 2 has not signed this");
    expect(() => checkNote(match, { ...note, nonce: 4 })).to.throw("ask.signature");
    expect(() => checkNote(match, { ...half, winner: Two })).to.throw("agreement.signature");
    expect(() => checkNote(match, { ...half, until: 100n })).to.throw("agreement.signature");
  });

  it("support a post of the newest state that the other seat has signed and in which a player is in turn", async () => {
    const moves = await movesBy([Two, One, One, Two], { last: Seat.None });
    const newest = (count: number, seat: bigint) => {
      const found = supportedStates(moves.slice(0, count), seat).at(0);
      return found && [found.move.nonce, found.own !== undefined];
    };
    expect(newest(0, One)).to.equal(undefined);
    expect(newest(1, One)).to.deep.equal([1, false]);
    expect(newest(1, Two)).to.equal(undefined);
    expect(newest(2, One)).to.deep.equal([1, true]);
    expect(newest(2, Two)).to.deep.equal([2, false]);
    expect(newest(3, One)).to.deep.equal([1, true]);
    expect(newest(3, Two)).to.deep.equal([3, false]);
    // The last state has nobody in turn, but the move to it signs the one before.
    expect(newest(4, One)).to.deep.equal([3, true]);
    expect(newest(4, Two)).to.deep.equal([3, true]);
    const { move, signature, own } = supportedStates(moves, One).at(0)!;
    const state = signedState(move, One, own!, signature);
    expect([state.signature1, state.signature2]).to.deep.equal([moves[2].signature, moves[3].previous]);
  });
});
