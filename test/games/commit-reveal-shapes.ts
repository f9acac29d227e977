import { expect } from "chai";
import { concat, dataLength, dataSlice, ZeroHash } from "ethers";
import { seedOf } from "../../sdk/protocol/dice.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  decodeAnswer,
  decodeReveal,
  decodeCommitment,
  commitmentOf,
  stateHashOf,
} from "../../sdk/protocol/commit-reveal.js";
import { Bench, type Draft } from "../../sdk/laws/bench.js";
import { headOf, penniesLaws, scored, type Position } from "../support/laws/pennies.js";
import { Random } from "../../sdk/laws/random.js";
import { twoRoundsLaws } from "../support/laws/two-rounds.js";
import { ethers, inPassing, loadFixture, Seat } from "../support/index.js";
import { lawOptions } from "../support/laws/options.js";

const WORD = 32;
const MAX_NOTE = 96;

/** Drafts random matches until one meets the condition. @throws Error if none of 200 does. */
async function draftWith(bench: Bench, wanted: (draft: Draft) => boolean, mode?: Hex): Promise<Draft> {
  for (let n = 0; n < 200; n++) {
    const draft = await bench.draft(new Random(`shape ${n}`), mode ? { mode } : {});
    if (wanted(draft)) return draft;
  }
  throw new Error("No random match has that shape.");
}

describe("Committed rounds: player 1 commits in each of two rounds", () => {
  const opened = () => Bench.open(twoRoundsLaws, lawOptions);
  let bench: Bench;
  let draft: Draft;
  let positionNow: () => Promise<Hex>;

  beforeEach(async () => {
    bench = await loadFixture(opened);
    draft = await draftWith(bench, ({ pieces }) => pieces.length === 5);
    positionNow = () => bench.world.arena.positionOf(draft.matchId);
  });

  it("stores one state hash per match, over round, state, commitment and answer, and clears it at the end", async () => {
    const answers = [1, 3].map((index) => decodeAnswer(draft.pieces[index].data));
    const [round1, round2] = answers;
    expect(round2.state, "a state of its own in each round").not.to.equal(round1.state);
    const expected = [stateHashOf(round1, round1.commitment), stateHashOf(round1, round1.commitment, round1)];
    expected.push(stateHashOf(round2, round2.commitment), stateHashOf(round2, round2.commitment, round2), ZeroHash);
    for (const [index, word] of expected.entries()) {
      await bench.send(draft, index);
      expect(await positionNow(), `after transaction ${index + 1}`).to.equal(word);
    }
  });

  it("requires the next commitment in the reveal if the same player commits again", async () => {
    await bench.play(draft, 0, 2);
    const { data } = draft.pieces[2];
    const bare = dataLength(data) - WORD;
    for (const length of [bare, bare + 1, bare + WORD - 1]) {
      expect(await bench.refusal(draft, 2, dataSlice(data, 0, length))).to.equal("WrongLength");
    }
    expect(await bench.refusal(draft, 2, concat([dataSlice(data, 0, bare), ZeroHash]))).to.equal("ZeroCommitment");
  });

  it("ignores a further commitment, even zero, once the game is over", async () => {
    const short = await draftWith(bench, ({ pieces }) => pieces.length === 3);
    for (const [match, last] of [
      [draft, 4],
      [short, 2],
    ] as const) {
      await inPassing(async () => {
        await bench.play(match, 0, last);
        const plain = await inPassing(() => bench.send(match, last).then(() => bench.outcome(match.matchId)));
        for (const next of [ZeroHash, new Random("next").note(WORD + MAX_NOTE)]) {
          await inPassing(async () => {
            const pieces = match.pieces.with(last, {
              ...match.pieces[last],
              data: concat([match.pieces[last].data, next]),
            });
            await bench.send({ ...match, pieces }, last);
            expect(await bench.outcome(match.matchId)).to.deep.equal(plain);
            expect(await positionNow()).to.equal(ZeroHash);
          });
        }
      });
    }
  });

  it("accepts notes of 0 to 96 bytes after each commitment, and ignores them", async () => {
    const random = new Random("notes");
    const plain = await inPassing(() => bench.play(draft).then(() => bench.outcome(draft.matchId)));
    for (const length of [1, 31, 32, 33, 64, MAX_NOTE]) {
      const pieces = draft.pieces.map((piece, index) => ({
        ...piece,
        data: index === 0 || index === 2 ? concat([piece.data, random.note(length)]) : piece.data,
      }));
      await inPassing(async () => {
        await bench.play({ ...draft, pieces });
        expect(await bench.outcome(draft.matchId), `notes of ${length} bytes`).to.deep.equal(plain);
        const { createData, actions } = await bench.record(draft.matchId);
        expect(dataLength(decodeCommitment(dataSlice(createData, 1)).note)).to.equal(length);
        expect(dataLength(decodeCommitment(decodeReveal(actions[0].data, 1, 2).next).note)).to.equal(length);
      });
    }
    for (const index of [0, 2]) {
      const longer = (length: number) => concat([draft.pieces[index].data, random.note(length)]);
      for (let length = 0; length <= MAX_NOTE; length++) {
        expect(await bench.refusal(draft, index, longer(length)), `a note of ${length} bytes`).to.equal(undefined);
      }
      expect(await bench.refusal(draft, index, longer(MAX_NOTE + 1))).to.equal("WrongLength");
      await bench.play(draft, index, index + 2);
    }
  });

  it("rejects data of an earlier round", async () => {
    await bench.play(draft, 0, 3);
    expect(await bench.refusal(draft, 3, draft.pieces[1].data), "the first answer").to.equal("WrongRound");
    await bench.send(draft, 3);
    expect(await bench.refusal(draft, 4, draft.pieces[2].data), "the first reveal").to.equal("WrongRound");
    const cut = dataSlice(draft.pieces[2].data, 0, dataLength(draft.pieces[2].data) - WORD);
    expect(await bench.refusal(draft, 4, cut), "the same without its next commitment").to.equal("WrongRound");
  });

  it("rejects an answer to the commitment of another match", async () => {
    const other = await bench.draft(new Random("another match"));
    await bench.play(draft, 0, 3);
    expect(await bench.refusal(draft, 3, other.pieces[1].data)).to.equal("WrongRound");
  });

  it("refuses to reveal a commitment made in another player's name, whoever sends the reveal", async () => {
    const { chainId } = await ethers.provider.getNetwork();
    const reveal = decodeReveal(draft.pieces[2].data, 1, 2);
    const { bob, stranger, arena, alice } = bench.world;
    for (const maker of [bob, stranger]) {
      await inPassing(async () => {
        const commitment = commitmentOf(chainId, bench.address, maker.address, reveal.move, reveal.salt);
        const answer = { ...decodeAnswer(draft.pieces[1].data), commitment };
        const start = dataSlice(draft.pieces[0].data, 0, 1);
        const pieces = draft.pieces.with(0, { ...draft.pieces[0], data: concat([start, commitment]) });
        const header = dataSlice(draft.pieces[1].data, 0, 34);
        pieces[1] = { ...pieces[1], data: concat([header, commitment, answer.move, answer.salt]) };
        await bench.play({ ...draft, pieces }, 0, 2);
        expect(await bench.refusal({ ...draft, pieces }, 2, pieces[2].data)).to.equal("WrongRound");
        await arena.connect(alice).allow(maker, 2n ** 40n - 1n);
        expect(await bench.refusal({ ...draft, pieces, player1: maker }, 2, pieces[2].data)).to.equal("WrongRound");
      });
    }
  });
});

describe("Committed rounds: either seat commits, from the third transaction on", () => {
  const opened = () => Bench.open(penniesLaws, lawOptions);
  const OPEN = "0x03";
  const HEAD = 35;
  let bench: Bench;

  beforeEach(async () => {
    bench = await loadFixture(opened);
  });

  const reveals = ({ pieces }: Draft) =>
    [...pieces.entries()].filter(([index, { data }]) => index > 1 && data.startsWith(OPEN)).map(([index]) => index);
  const isHit = ({ data }: Draft["pieces"][number]) =>
    dataSlice(data, HEAD + WORD, HEAD + 33) === dataSlice(data, HEAD + 33, HEAD + 34);
  const start: Position = { round: 1, rounds: 3, points: [0, 0], committer: Seat.Two };

  for (const [mode, salts] of [
    ["0x00", 0],
    ["0x01", WORD],
  ] as const) {
    describe(salts === 0 ? "given answers without a salt" : "given answers with a salt", () => {
      it("lets player 2 commit first, in its own name", async () => {
        const draft = await draftWith(bench, () => true, mode);
        expect(draft.pieces.slice(2, 5).map(({ seat }) => seat)).to.deep.equal([Seat.Two, Seat.One, Seat.Two]);
        await bench.play(draft);
      });

      it("lets either seat commit, depending on the round", async () => {
        const draft = await draftWith(
          bench,
          (each) => reveals(each).some((index) => each.pieces[index].seat === Seat.One),
          mode,
        );
        await bench.play(draft);
        const revealers = reveals(draft).map((index) => draft.pieces[index].seat);
        expect(revealers).to.include.members([Seat.One, Seat.Two]);
      });

      it("accepts an answer only if it has the exact length", async () => {
        const draft = await draftWith(bench, () => true, mode);
        await bench.play(draft, 0, 3);
        const { data } = draft.pieces[3];
        expect(dataLength(data)).to.equal(HEAD + WORD + 1 + salts);
        for (const other of [dataSlice(data, 0, HEAD + WORD + 1), concat([data, ZeroHash])]) {
          if (other !== data) expect(await bench.refusal(draft, 3, other)).to.equal("WrongLength");
        }
      });

      it("refuses a next commitment when the other seat commits next", async () => {
        const draft = await draftWith(
          bench,
          (each) => reveals(each).length > 1 && isHit(each.pieces[reveals(each)[0]]),
          mode,
        );
        await bench.play(draft, 0, 4);
        const next = new Random("next").note(WORD);
        expect(await bench.refusal(draft, 4, concat([draft.pieces[4].data, next]))).to.equal("WrongLength");
        await bench.send(draft, 4);
        expect((await bench.world.arena.matchOf(draft.matchId)).turn).to.equal(Seat.One);
      });

      it("requires a next commitment when the same seat commits again", async () => {
        const draft = await draftWith(
          bench,
          (each) => reveals(each).length > 1 && !isHit(each.pieces[reveals(each)[0]]),
          mode,
        );
        await bench.play(draft, 0, 4);
        const { data } = draft.pieces[4];
        const bare = dataSlice(data, 0, dataLength(data) - WORD);
        expect(await bench.refusal(draft, 4, bare)).to.equal("WrongLength");
        expect(await bench.refusal(draft, 4, concat([bare, ZeroHash]))).to.equal("ZeroCommitment");
        await bench.send(draft, 4);
        expect((await bench.world.arena.matchOf(draft.matchId)).turn).to.equal(Seat.One);
      });

      it("refuses to reveal a commitment copied from the other player", async () => {
        const draft = await draftWith(
          bench,
          (each) => reveals(each).length > 1 && each.pieces[reveals(each)[1]].seat === Seat.One,
          mode,
        );
        await bench.play(draft, 0, 5);
        const [committed1, answer1, opening1] = draft.pieces.slice(2, 5).map(({ data }) => data);
        const at = scored({ ...start, rounds: Number(dataSlice(draft.pieces[0].data, 0, 1)) }, true);
        const copied = dataSlice(committed1, HEAD, HEAD + WORD);
        const again = [
          concat(["0x01", headOf(at), copied]),
          concat(["0x02", headOf(at), copied, dataSlice(answer1, HEAD + WORD)]),
          concat(["0x03", headOf(at), dataSlice(opening1, HEAD)]),
        ].map((data, n) => ({ seat: n === 1 ? Seat.Two : Seat.One, data, wrong: {} }));
        const copy = { ...draft, pieces: draft.pieces.toSpliced(5, Infinity, ...again) };
        await bench.play(copy, 5, 7);
        expect(await bench.refusal(copy, 7, again[2].data)).to.equal("WrongRound");
      });

      it("rejects an answer while the next action is a commitment, and rejects a second commitment", async () => {
        const draft = await draftWith(bench, () => true, mode);
        await bench.play(draft, 0, 2);
        const answer = draft.pieces[3].data;
        const uncommitted = concat([dataSlice(answer, 0, HEAD), ZeroHash, dataSlice(answer, HEAD + WORD)]);
        expect(await bench.refusal(draft, 2, uncommitted)).to.equal("ZeroCommitment");
        await bench.send(draft, 2);
        expect(await bench.refusal(draft, 3, draft.pieces[2].data)).to.equal("WrongRound");
      });

      it("accepts notes of 0 to 96 bytes after a standalone commitment", async () => {
        const draft = await draftWith(bench, () => true, mode);
        await bench.play(draft, 0, 2);
        const longer = (length: number) => concat([draft.pieces[2].data, new Random("note").note(length)]);
        for (let length = 1; length <= MAX_NOTE; length++) {
          expect(await bench.refusal(draft, 2, longer(length)), `a note of ${length} bytes`).to.equal(undefined);
        }
        expect(await bench.refusal(draft, 2, longer(MAX_NOTE + 1))).to.equal("WrongLength");
        const plain = await inPassing(() => bench.play(draft, 2).then(() => bench.outcome(draft.matchId)));
        const pieces = draft.pieces.with(2, { ...draft.pieces[2], data: longer(MAX_NOTE) });
        await bench.play({ ...draft, pieces }, 2);
        expect(await bench.outcome(draft.matchId)).to.deep.equal(plain);
      });
    });
  }

  it("puts player 1's salt first in the seed, whichever player committed", async () => {
    const both = (each: Draft) => new Set(reveals(each).map((index) => each.pieces[index].seat)).size === 2;
    const draft = await draftWith(bench, both, "0x01");
    await bench.play(draft);
    const { logs } = await bench.record(draft.matchId);
    for (const [n, index] of reveals(draft).entries()) {
      const { seat, data } = draft.pieces[index];
      const own = dataSlice(data, HEAD, HEAD + WORD);
      const others = dataSlice(data, HEAD + WORD + 2, HEAD + WORD + 2 + WORD);
      const seed =
        seat === Seat.One ? seedOf(draft.matchId, n + 1, own, others) : seedOf(draft.matchId, n + 1, others, own);
      expect(BigInt.asUintN(64, logs[n].entries[0] >> 32n)).to.equal(BigInt.asUintN(64, BigInt(seed)));
    }
  });
});
