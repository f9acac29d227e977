import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type Contract, getCreateAddress, Wallet } from "ethers";
import { seedOf } from "../../sdk/protocol/dice.js";
import { fingerprintOf, offerHash } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  type Answer,
  decodeAnswer,
  decodeReveal,
  decodeCommitment,
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
  NO_STATE,
  commitmentOf,
  stateHashOf,
} from "../../sdk/protocol/commit-reveal.js";
import { flipped } from "../../sdk/laws/bytes.js";
import { expectRefused } from "../support/refusals.js";
import {
  DAY,
  deployed,
  deployMock,
  ethers,
  loadFixture,
  networkHelpers,
  receiptOf,
  Seat,
  Status,
  type Terms,
  termsFor,
  termsHash,
  time,
  type World,
  offerHashOf,
} from "../support/index.js";

interface Round {
  name: string;
  matchId: string;
  round: number;
  state: Hex;
  committer: string;
  move: Hex;
  salt: Hex;
  commitment: Hex;
  note: Hex;
  committed: Hex;
  stateHashCommitted: Hex;
  answerMove: Hex;
  answerSalt: Hex;
  answer: Hex;
  stateHashAnswered: Hex;
  next: Hex;
  reveal: Hex;
  seed: Hex;
  nextState: Hex;
  stateHashNext: Hex;
  dice: { n: number; word: Hex; d6: string[] }[];
}

interface Golden {
  chainId: number;
  deployer: { key: Hex; address: string };
  game: string;
  player1: { key: Hex; address: string };
  player2: { key: Hex; address: string };
  rounds: Round[];
  commitments: { chainId: number; game: string; player: string; move: Hex; salt: Hex; commitment: Hex }[];
  modes: { game: string; content: Hex; mode: Hex; isDefault: boolean }[];
  terms: (Record<"game" | "token" | "mode" | "stake1" | "stake2" | "clock" | "feeBps" | "termsHash", string> & {
    rated: boolean;
  })[];
  offers: Record<"termsHash" | "player1" | "data" | "fingerprint" | "offerHash", string>[];
}

const golden = JSON.parse(readFileSync(new URL("../golden/protocol.json", import.meta.url), "utf8")) as Golden;

const lengthOf = ethers.dataLength;
const byte = (value: number, length: number) => ethers.hexlify(new Uint8Array(length).fill(value));

/** Flips one bit of some bytes; bit 0 is the highest of the first byte. */
function flip(data: Hex, bit: number): Hex {
  return flipped(data, bit >> 3, 0x80 >> (bit & 7));
}

/**
 * Deploys committed rounds without a game, at the address in the vectors, with the first vector's round answered, and a
 * contract that tries many calls at once.
 */
async function harnessed() {
  const world = await deployed();
  await networkHelpers.setBalance(golden.deployer.address, 10n ** 20n);
  const deployer = new Wallet(golden.deployer.key, ethers.provider);
  const factory = await ethers.getContractFactory("CommitRevealHarness", deployer);
  const game = (await (await factory.deploy()).waitForDeployment()) as unknown as Contract;
  const [first] = golden.rounds;
  await game.putCommitment(first.matchId, first.round, first.state, first.committed);
  await game.takeAnswer(first.matchId, first.answer, lengthOf(first.answerMove));
  return { world, game: game.connect(world.owner) as unknown as Contract, caller: await deployMock("Puppet") };
}

/** Returns the error names of many calls, or "accepted". Each call starts from the same state. */
async function errorsOf(
  target: Contract | World["arena"],
  caller: Contract,
  calls: Hex[],
  size = 200,
): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < calls.length; i += size) {
    const results = await caller.tryAll.staticCall(target, calls.slice(i, i + size), { gasLimit: 16_000_000n });
    for (const [ok, data] of results) names.push(ok ? "accepted" : (ERRORS.parseError(data)?.name ?? data));
  }
  return names;
}

const ERRORS = new ethers.Interface([
  "error WrongLength(uint256,uint256,uint256)",
  "error ZeroCommitment()",
  "error ZeroSalt()",
  "error WrongRound(uint256,bytes32,bytes32)",
]);

describe("Protocol: golden vectors", () => {
  it("contain the address of the deployer's first contract, and the right address for each key", async () => {
    const { game } = await loadFixture(harnessed);
    expect(await game.getAddress()).to.equal(golden.game);
    expect(getCreateAddress({ from: golden.deployer.address, nonce: 0 })).to.equal(golden.game);
    for (const { key, address } of [golden.deployer, golden.player1, golden.player2])
      expect(new Wallet(key).address).to.equal(address);
  });

  for (const v of golden.rounds) {
    it(`match the SDK: ${v.name}`, () => {
      const header = { round: v.round, state: v.state };
      const answer: Answer = { ...header, commitment: v.commitment, move: v.answerMove, salt: v.answerSalt };
      const data = {
        ...header,
        salt: v.salt,
        move: v.move,
        answerMove: v.answerMove,
        answerSalt: v.answerSalt,
        next: v.next,
      };
      expect(commitmentOf(golden.chainId, golden.game, v.committer, v.move, v.salt)).to.equal(v.commitment);
      expect(stateHashOf(header, v.commitment)).to.equal(v.stateHashCommitted);
      expect(stateHashOf(header, v.commitment, { move: v.answerMove, salt: v.answerSalt })).to.equal(
        v.stateHashAnswered,
      );
      expect(encodeCommitment({ commitment: v.commitment, note: v.note })).to.equal(v.committed);
      expect(decodeCommitment(v.committed)).to.deep.equal({ commitment: v.commitment, note: v.note });
      expect(encodeAnswer(answer)).to.equal(v.answer);
      expect(decodeAnswer(v.answer)).to.deep.equal(answer);
      expect(encodeReveal(data)).to.equal(v.reveal);
      expect(decodeReveal(v.reveal, lengthOf(v.move), lengthOf(v.answerMove))).to.deep.equal(data);
    });

    it(`match the contract: ${v.name}`, async () => {
      const { game } = await loadFixture(harnessed);
      const lengths = [lengthOf(v.move), lengthOf(v.answerMove)];
      await game.putCommitment(v.matchId, v.round, v.state, v.committed);
      expect(await game.stateHashOf(v.matchId)).to.equal(v.stateHashCommitted);
      const taken = await game.takeAnswer.staticCall(v.matchId, v.answer, lengths[1]);
      expect([...taken]).to.deep.equal([BigInt(v.round), v.state, v.answerMove]);
      await game.takeAnswer(v.matchId, v.answer, lengths[1]);
      expect(await game.stateHashOf(v.matchId)).to.equal(v.stateHashAnswered);
      const opened = await game.takeReveal(v.matchId, v.committer, v.reveal, ...lengths);
      expect([...opened]).to.deep.equal([v.seed, v.state, v.move, v.answerMove, v.next]);
      for (const { n, word, d6 } of v.dice) {
        expect(await game.diceWord(v.seed, n)).to.equal(BigInt(word));
        for (const [k, die] of d6.entries()) expect(await game.lane(word, k, 6)).to.equal(BigInt(die));
      }
      if (v.next === "0x") return;
      await game.revealAndCommitNext(v.matchId, v.committer, v.reveal, ...lengths, v.nextState);
      expect(await game.stateHashOf(v.matchId)).to.equal(v.stateHashNext);
    });
  }

  it("have commitments that depend on chain, contract, player, move and salt", () => {
    for (const { chainId, game, player, move, salt, commitment } of golden.commitments) {
      expect(commitmentOf(chainId, game, player, move, salt)).to.equal(commitment);
    }
    expect(new Set(golden.commitments.map(({ commitment }) => commitment)).size).to.equal(golden.commitments.length);
  });

  it("identify modes by the hash of their content, including the default mode", async () => {
    const { autoBattler } = await loadFixture(deployed);
    for (const { content, mode, isDefault } of golden.modes) {
      await autoBattler.registerMode(content);
      expect(await autoBattler.modeOf(mode)).to.equal(content);
      if (isDefault) expect(await autoBattler.modeOf(NO_STATE)).to.equal(content);
    }
  });

  it("identify terms by the hash of their eight words", async () => {
    const { arena, alice, scripted } = await loadFixture(deployed);
    for (const { termsHash: hash, ...terms } of golden.terms)
      expect(termsHash(terms as unknown as Terms)).to.equal(hash);
    const [{ termsHash: hash, ...terms }] = golden.terms;
    await networkHelpers.setCode(terms.game, await ethers.provider.getCode(scripted));
    await arena.connect(alice).create(terms, ethers.ZeroAddress, 0, "0x");
    expect(await arena.termsIdOf(hash)).to.equal(1n);
  });

  it("identify offers by terms, player 1 and the hash of player 1's data", async () => {
    const { arena, scripted } = await loadFixture(deployed);
    const { termsHash: playable, game } = golden.terms[0];
    await networkHelpers.setCode(game, await ethers.provider.getCode(scripted));
    for (const { termsHash: named, player1, data, fingerprint, offerHash: hash } of golden.offers) {
      const { termsHash: _, ...terms } = golden.terms.find((each) => each.termsHash === named)!;
      expect(fingerprintOf(data)).to.equal(fingerprint);
      expect(offerHash({ terms: terms as unknown as Terms, player1, fingerprint })).to.equal(hash);
      if (named !== playable) continue;
      await networkHelpers.setBalance(player1, 10n ** 18n);
      await arena.connect(await ethers.getImpersonatedSigner(player1)).create(terms, ethers.ZeroAddress, 0, data);
      const id = await arena.matchCount();
      await expect(arena.fund(id, ethers.ZeroHash))
        .to.be.revertedWithCustomError(arena, "WrongOffer")
        .withArgs(id, ethers.ZeroHash, hash);
    }
  });
});

/** Bits to flip in a reveal: one of every byte at changing positions, or all with THOROUGH. */
const STRIDE = process.env.THOROUGH ? 1 : 7;

describe("Protocol: reveals and answers", () => {
  const vector = golden.rounds[0];
  const LENGTHS = [80, 80] as const;
  let world: World;
  let game: Contract;
  let caller: Contract;

  beforeEach(async () => {
    ({ world, game, caller } = await loadFixture(harnessed));
  });

  const refused = async (send: () => Promise<unknown>, error: string, args?: unknown[]) =>
    expectRefused({ ...world, game }, send, error, args);
  const callOf = (data: Hex, player = vector.committer, matchId: string | bigint = vector.matchId) =>
    game.interface.encodeFunctionData("takeReveal", [matchId, player, data, ...LENGTHS]);
  const all = (count: number, error: string) => Array.from({ length: count }, () => error);
  const bitsOf = (data: Hex) => Array.from({ length: 8 * lengthOf(data) }, (_, bit) => flip(data, bit));

  it("refuses a reveal with any one bit changed: round, state, salt, move, the answer's move or its salt", async () => {
    expect(await errorsOf(game, caller, [callOf(vector.reveal)])).to.deep.equal(["accepted"]);
    expect(lengthOf(vector.reveal)).to.equal(2 + 32 + 32 + 80 + 80 + 32);
    const bits = bitsOf(vector.reveal).filter((_, bit) => bit % STRIDE === 0);
    const calls = bits.map((data) => callOf(data));
    expect(await errorsOf(game, caller, calls)).to.deep.equal(all(calls.length, "WrongRound"));
  });

  it("refuses a reveal for a player with any one bit changed", async () => {
    const calls = bitsOf(vector.committer).map((player) => callOf(vector.reveal, player));
    expect(calls.length).to.equal(160);
    expect(await errorsOf(game, caller, calls)).to.deep.equal(all(160, "WrongRound"));
  });

  it("refuses a reveal for a match with any one bit changed", async () => {
    const ids = Array.from({ length: 256 }, (_, bit) => BigInt(vector.matchId) ^ (1n << BigInt(bit)));
    const calls = ids.map((id) => callOf(vector.reveal, vector.committer, id));
    expect(await errorsOf(game, caller, calls)).to.deep.equal(all(256, "WrongRound"));
  });

  it("refuses a reveal with a salt of zero", async () => {
    const zero = ethers.concat([vector.reveal.slice(0, 2 + 68), NO_STATE, `0x${vector.reveal.slice(2 + 132)}`]);
    await refused(() => game.takeReveal(vector.matchId, vector.committer, zero, ...LENGTHS), "ZeroSalt");
  });

  it("refuses to reveal a commitment that was made with a salt of zero", async () => {
    const commitment = commitmentOf(golden.chainId, golden.game, vector.committer, vector.move, NO_STATE);
    await game.putCommitment(99, 1, NO_STATE, commitment);
    const header = { round: 1, state: NO_STATE };
    await game.takeAnswer(
      99,
      encodeAnswer({ ...header, commitment, move: vector.answerMove, salt: vector.answerSalt }),
      80,
    );
    const { move, answerMove, answerSalt } = vector;
    const data = encodeReveal({ ...header, salt: NO_STATE, move, answerMove, answerSalt, next: "0x" });
    await refused(() => game.takeReveal(99, vector.committer, data, ...LENGTHS), "ZeroSalt");
  });

  it("reports the state hash of a refused reveal, and the expected state hash", async () => {
    const expected = vector.stateHashAnswered;
    const { move, salt, commitment, answerMove } = vector;
    const otherSalt = ethers.id("another");
    const word = stateHashOf(vector, commitment, { move: answerMove, salt: otherSalt });
    const data = encodeReveal({ ...vector, salt, move, answerMove, answerSalt: otherSalt, next: "0x" });
    await refused(() => game.takeReveal(vector.matchId, vector.committer, data, ...LENGTHS), "WrongRound", [
      vector.matchId,
      word,
      expected,
    ]);
  });

  it("rejects a reveal whose committed move and answer have wrong lengths, even if the total length fits", async () => {
    for (const [one, two] of [
      [79, 81],
      [81, 79],
      [0, 160],
      [160, 0],
    ]) {
      await refused(() => game.takeReveal(vector.matchId, vector.committer, vector.reveal, one, two), "WrongRound");
    }
  });

  it("refuses an awaited answer whose header has any one bit changed", async () => {
    const id = 5n;
    await game.putCommitment(id, vector.round, vector.state, vector.committed);
    const encode = (data: Hex) => game.interface.encodeFunctionData("takeAnswer", [id, data, 80]);
    const calls = Array.from({ length: 8 * 66 }, (_, bit) => encode(flip(vector.answer, bit)));
    expect(await errorsOf(game, caller, calls)).to.deep.equal(all(8 * 66, "WrongRound"));
    expect(await errorsOf(game, caller, [encode(vector.answer)])).to.deep.equal(["accepted"]);
  });

  it("refuses a second answer, whether equal or different, and an answer before any commitment", async () => {
    for (const data of [vector.answer, flip(vector.answer, 8 * 70)]) {
      await refused(() => game.takeAnswer(vector.matchId, data, 80), "WrongRound");
    }
    await refused(() => game.takeAnswer(77, vector.answer, 80), "WrongRound");
  });

  it("refuses a reveal before the answer, and a reveal of an earlier round", async () => {
    await game.putCommitment(5, vector.round, vector.state, vector.committed);
    const open = (id: bigint | string) => game.takeReveal(id, vector.committer, vector.reveal, ...LENGTHS);
    await refused(() => open(5n), "WrongRound");
    const on = ethers.concat([vector.reveal, ethers.id("next commitment")]);
    await game.revealAndCommitNext(vector.matchId, vector.committer, on, ...LENGTHS, NO_STATE);
    await refused(() => open(vector.matchId), "WrongRound");
  });

  it("accepts an answer that equals the committed move and salt, and still accepts the reveal", async () => {
    const { committer, move, salt, commitment } = vector;
    const header = { round: vector.round, state: vector.state };
    await game.putCommitment(5, vector.round, vector.state, vector.committed);
    await game.takeAnswer(5, encodeAnswer({ ...header, commitment, move, salt }), 80);
    const data = encodeReveal({ ...header, salt, move, answerMove: move, answerSalt: salt, next: "0x" });
    const [seed, , move1, move2] = await game.takeReveal(5, committer, data, ...LENGTHS);
    expect([move1, move2]).to.deep.equal([move, move]);
    expect(seed).to.equal(seedOf(5n, vector.round, salt, salt));
    await refused(() => game.takeReveal(5, golden.player2.address, data, ...LENGTHS), "WrongRound");
  });

  it("refuses an answer with a salt of zero", async () => {
    await game.putCommitment(5, vector.round, vector.state, vector.committed);
    const answer = encodeAnswer({ ...vector, commitment: vector.commitment, move: vector.answerMove, salt: NO_STATE });
    await refused(() => game.takeAnswer(5, answer, 80), "ZeroSalt");
  });

  it("refuses a first or next commitment of zero, with or without a note", async () => {
    for (const note of [0, 1, 96]) {
      const data = ethers.concat([NO_STATE, byte(255, note)]);
      await refused(() => game.putCommitment(5, 1, NO_STATE, data), "ZeroCommitment");
      const on = ethers.concat([vector.reveal, data]);
      await refused(
        () => game.revealAndCommitNext(vector.matchId, vector.committer, on, ...LENGTHS, NO_STATE),
        "ZeroCommitment",
      );
    }
  });

  it("accepts a commitment only of 32 to 128 bytes", async () => {
    const lengths = Array.from({ length: 32 + 131 }, (_, length) => length);
    const calls = lengths.map((length) =>
      game.interface.encodeFunctionData("putCommitment", [5, 1, NO_STATE, byte(7, length)]),
    );
    const expected = lengths.map((length) => (length < 32 || length > 128 ? "WrongLength" : "accepted"));
    expect(await errorsOf(game, caller, calls, 60)).to.deep.equal(expected);
    await refused(() => game.putCommitment(5, 1, NO_STATE, "0x"), "WrongLength", [0, 32, 128]);
  });

  it("accepts an answer only if it has 178 bytes", async () => {
    await game.putCommitment(5, vector.round, vector.state, vector.committed);
    const long = ethers.concat([vector.answer, byte(7, 130)]);
    const lengths = Array.from({ length: 178 + 131 }, (_, length) => length);
    const calls = lengths.map((length) =>
      game.interface.encodeFunctionData("takeAnswer", [5, ethers.dataSlice(long, 0, length), 80]),
    );
    const expected = lengths.map((length) => (length === 178 ? "accepted" : "WrongLength"));
    expect(await errorsOf(game, caller, calls)).to.deep.equal(expected);
    await refused(() => game.takeAnswer(5, "0x", 80), "WrongLength", [0, 178, 178]);
  });

  it("accepts a reveal only if it has 258 bytes, or 32 to 128 bytes more with a next commitment", async () => {
    const long = ethers.concat([vector.reveal, byte(7, 130)]);
    const lengths = Array.from({ length: 258 + 131 }, (_, length) => length);
    const calls = lengths.map((length) => callOf(ethers.dataSlice(long, 0, length)));
    const expected = lengths.map((length) =>
      length === 258 || (length >= 290 && length <= 386) ? "accepted" : "WrongLength",
    );
    expect(await errorsOf(game, caller, calls)).to.deep.equal(expected);
    await refused(
      () => game.takeReveal(vector.matchId, vector.committer, "0x", ...LENGTHS),
      "WrongLength",
      [0, 258, 386],
    );
  });

  it("rejects a reveal without a next commitment if its player commits again", async () => {
    await refused(
      () => game.revealAndCommitNext(vector.matchId, vector.committer, vector.reveal, ...LENGTHS, NO_STATE),
      "WrongLength",
      [0, 32, 128],
    );
  });

  it("refuses to reveal a copied commitment in another player's name (CodeHawks RPS M-03)", async () => {
    await game.putCommitment(8, vector.round, vector.state, vector.committed);
    await game.takeAnswer(8, vector.answer, 80);
    await game.takeReveal(8, vector.committer, vector.reveal, ...LENGTHS);
    for (const thief of [golden.player2.address, world.carol.address, ethers.ZeroAddress]) {
      await refused(() => game.takeReveal(8, thief, vector.reveal, ...LENGTHS), "WrongRound");
    }
  });

  it("refuses to reveal a commitment that was made for another deployment, chain or player", async () => {
    const { move, salt, answerMove, answerSalt, committer } = vector;
    const header = { round: 1, state: NO_STATE };
    const other = (await deployMock("CommitRevealHarness")).target as string;
    const commitments = {
      here: commitmentOf(31337, golden.game, committer, move, salt),
      deployment: commitmentOf(31337, other, committer, move, salt),
      chain: commitmentOf(1, golden.game, committer, move, salt),
      seat: commitmentOf(31337, golden.game, golden.player2.address, move, salt),
    };
    for (const [i, [what, commitment]] of Object.entries(commitments).entries()) {
      const id = 100 + i;
      await game.putCommitment(id, 1, NO_STATE, commitment);
      await game.takeAnswer(id, encodeAnswer({ ...header, commitment, move: answerMove, salt: answerSalt }), 80);
      const data = encodeReveal({ ...header, salt, move, answerMove, answerSalt, next: "0x" });
      const result = await errorsOf(game, caller, [callOf(data, committer, BigInt(id))]);
      expect([what, ...result]).to.deep.equal([what, what === "here" ? "accepted" : "WrongRound"]);
    }
  });

  it("refuses, in a copy of the game at another address, to reveal a commitment to the game", async () => {
    const copy = ethers.getAddress(`0x${"c0de".repeat(10)}`);
    await networkHelpers.setCode(copy, await ethers.provider.getCode(game));
    const there = game.attach(copy) as unknown as Contract;
    await there.putCommitment(vector.matchId, vector.round, vector.state, vector.committed);
    await there.takeAnswer(vector.matchId, vector.answer, 80);
    await refused(() => there.takeReveal(vector.matchId, vector.committer, vector.reveal, ...LENGTHS), "WrongRound");
  });
});

describe("Protocol: committed matches through the arena", () => {
  let w: World;
  beforeEach(async () => {
    w = await loadFixture(deployed);
  });

  const refused = async (send: () => Promise<unknown>, error: string) => expectRefused(w, send, error);
  const TIERS = [1, 2, 3, 1, 2, 3] as const;
  const SALT = [ethers.id("salt 1"), ethers.id("salt 2")];
  const HEADER = { round: 1, state: NO_STATE };
  const moveOf = (ids: number[]) => ethers.concat(ids.map((id) => ethers.toBeHex(id, 16)));
  const [MOVE1, MOVE2] = [moveOf([1, 2, 3, 4, 5]), moveOf([6, 7, 8, 9, 10])];
  const REVEAL = encodeReveal({
    ...HEADER,
    salt: SALT[0],
    move: MOVE1,
    answerMove: MOVE2,
    answerSalt: SALT[1],
    next: "0x",
  });

  /** Creates a committed offer, by default of alice to bob, with golden fighters 1 to 5 and 6 to 10. */
  const challenge = async (
    committed?: Hex,
    by = w.alice,
    to = w.bob,
  ): Promise<{ id: bigint; hash: Hex; commitment: Hex }> => {
    const game = await w.autoBattler.getAddress();
    if ((await w.fighters.balanceOf(w.bob)) === 0n) {
      for (const player of [w.alice, w.bob])
        for (let i = 0; i < 5; i++) await w.fighters.mint(player, 1, [...TIERS], true);
    }
    const commitment = commitmentOf(31337, game, by.address, MOVE1, SALT[0]);
    const terms = await termsFor(w, { game, clock: DAY });
    await w.arena.connect(by).create(terms, to, (await time.latest()) + 86_400, committed ?? commitment);
    const id = await w.arena.matchCount();
    return { id, hash: await offerHashOf(w.arena, id), commitment: committed ?? commitment };
  };
  const answerTo = (commitment: Hex) =>
    encodeAnswer({ ...HEADER, commitment: ethers.dataSlice(commitment, 0, 32), move: MOVE2, salt: SALT[1] });

  it("lets an operator reveal its player's commitment, but not a commitment of its own", async () => {
    const { id, hash, commitment } = await challenge();
    await w.arena.connect(w.bob).join(id, hash, answerTo(commitment));
    await w.arena.connect(w.alice).allow(w.stranger, 2n ** 40n - 1n);
    await w.arena.connect(w.stranger).act(id, REVEAL);
    expect((await w.arena.statusOf(id)) >= Status.P1Win).to.equal(true);
  });

  it("lets a player who offers a copied commitment lose by the clock (CodeHawks RPS M-03)", async () => {
    const original = await challenge();
    const copy = await challenge(original.commitment, w.carol, w.bob);
    await w.arena.connect(w.bob).join(copy.id, copy.hash, answerTo(copy.commitment));
    for (const id of [1, 2, 3, 4, 5]) await w.fighters.connect(w.alice).transferFrom(w.alice, w.carol, id);
    await refused(() => w.arena.connect(w.carol).act(copy.id, REVEAL), "WrongRound");
    await time.increase(DAY + 1n);
    await w.arena.connect(w.bob).timeout(copy.id);
    expect(await w.arena.statusOf(copy.id)).to.equal(Status.P2WinInactive);
  });

  it("refuses a reveal or an answer that is replayed in another match", async () => {
    const first = await challenge();
    await w.arena.connect(w.bob).join(first.id, first.hash, answerTo(first.commitment));
    await w.arena.connect(w.alice).act(first.id, REVEAL);
    const fresh = commitmentOf(31337, await w.autoBattler.getAddress(), w.alice.address, MOVE1, ethers.id("fresh"));
    const second = await challenge(fresh);
    await refused(() => w.arena.connect(w.bob).join(second.id, second.hash, answerTo(first.commitment)), "WrongRound");
    await w.arena.connect(w.bob).join(second.id, second.hash, answerTo(fresh));
    await refused(() => w.arena.connect(w.alice).act(second.id, REVEAL), "WrongRound");
  });

  it("gives two matches with the same commitment and answer different dice", async () => {
    const logs: string[] = [];
    for (let n = 0; n < 2; n++) {
      const { id, hash, commitment } = await challenge();
      await w.arena.connect(w.bob).join(id, hash, answerTo(commitment));
      const receipt = await receiptOf(w.arena.connect(w.alice).act(id, REVEAL));
      logs.push(receipt.logs.find(({ address }) => address === w.autoBattler.target)!.data);
    }
    expect(logs[0]).to.not.equal(logs[1]);
  });

  it("refuses a reveal out of turn, and ignores a next commitment and its note when the game is over", async () => {
    const { id, hash, commitment } = await challenge();
    await refused(() => w.arena.connect(w.alice).act(id, REVEAL), "WrongStatus");
    await w.arena.connect(w.bob).join(id, hash, answerTo(commitment));
    await refused(() => w.arena.connect(w.bob).act(id, REVEAL), "NotYourTurn");
    expect((await w.arena.matchOf(id)).turn).to.equal(Seat.One);
    await w.arena.connect(w.alice).act(id, ethers.concat([REVEAL, byte(0, 32), byte(1, 96)]));
    expect(await w.arena.positionOf(id)).to.equal(NO_STATE);
  });

  it("refuses an offer whose commitment is zero or of a wrong length, and stakes nothing", async () => {
    await challenge();
    for (const [committed, error] of [
      [NO_STATE, "ZeroCommitment"],
      ["0x", "WrongLength"],
      [byte(1, 31), "WrongLength"],
      [byte(1, 129), "WrongLength"],
    ]) {
      await refused(() => challenge(committed), error);
    }
  });
});
