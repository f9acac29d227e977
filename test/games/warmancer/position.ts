import { expect } from "chai";
import { dataLength, dataSlice, getBytes, id, toBigInt, toNumber } from "ethers";
import { encodeMode, QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { NONE, STUCK, type Move } from "../../../sdk/games/warmancer/legal-moves.js";
import {
  encodePosition,
  Phase,
  positionLength,
  slotAt,
  startPosition,
  type Position,
} from "../../../sdk/games/warmancer/position.js";
import { Kind } from "../../../sdk/games/warmancer/state.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Random } from "../../../sdk/laws/random.js";
import { EngineDriver, type Sent } from "../../support/warmancer.js";

const MODES: Mode[] = [
  QUICK,
  SKIRMISH,
  { ...SKIRMISH, alwaysHidden: true, budget: 90 },
  { ...SKIRMISH, sequential: true },
  { ...SKIRMISH, casual: true },
  { ...SKIRMISH, casual: true, sequential: true },
];

/** Returns random matches. In every second match the players sometimes claim to be stuck. */
function* matches(each: number): Generator<EngineDriver> {
  for (const [i, mode] of MODES.entries()) {
    for (let n = 0; n < each; n++) {
      const random = new Random(`positions ${i} ${n}`);
      const isStuck = () => n % 2 === 1 && random.below(50) === 0;
      yield EngineDriver.of(mode, random, (moves) => (isStuck() ? STUCK : random.pick(moves))).start();
    }
  }
}

const slotsIn = (mask: bigint) =>
  Array.from({ length: 256 }, (_, bit) => bit).filter((bit) => (mask >> BigInt(bit)) & 1n);
const slotsOf = (flags: Uint8Array) => [...flags.keys()].filter((slot) => flags[slot]);
const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

/** Expects bytes to contain a position, with each field at the offset on the page. */
function expectBytes(data: Hex, position: Position, mode: Mode): void {
  const { turn, phase, mover, proved, moves, sides } = position;
  const number = (at: number, length: number) => toNumber(dataSlice(data, at, at + length));
  const pawns = sides[0].tiles.length;
  expect(dataSlice(data, 0, 32)).to.equal(dataSlice(encodeMode(mode), 0, 32));
  expect(dataSlice(data, 32, 49)).to.equal(dataSlice(encodeMode(mode), 96));
  expect([number(49, 2), number(51, 1), number(52, 1), number(53, 1)]).to.deep.equal([turn, phase, mover, proved]);
  expect([number(54, 2), number(56, 2), number(58, 1)]).to.deep.equal([...moves, pawns]);
  const length = 120 + pawns + Math.ceil(pawns / 2);
  expect(dataLength(data)).to.equal(59 + 2 * length);
  for (const [side, { root, alive, moved, movedFar, tiles, ranks }] of sides.entries()) {
    const from = 59 + side * length;
    const bits = (at: number, bytes: number) => slotsIn(toBigInt(dataSlice(data, from + at, from + at + bytes)));
    expect(dataSlice(data, from, from + 32)).to.equal(root);
    const living = slotsOf(alive);
    expect(bits(32, 32)).to.deep.equal(ascending(living.map((slot) => tiles[slot])));
    const still = living.filter((slot) => [1, 12].includes(ranks[slot]));
    expect(bits(64, 32)).to.deep.equal(ascending(still.map((slot) => tiles[slot])));
    expect([bits(96, 8), bits(104, 8), bits(112, 8)]).to.deep.equal([living, slotsOf(moved), slotsOf(movedFar)]);
    const rest = getBytes(dataSlice(data, from + 120, from + length));
    expect(rest.slice(0, pawns)).to.deep.equal(tiles);
    const nibbles = [...rest.slice(pawns)].flatMap((byte) => [byte >> 4, byte & 15]);
    expect(nibbles).to.deep.equal([...ranks, ...(pawns % 2 ? [0] : [])]);
  }
}

/** Returns the moves that an action reveals, by side, as far as the action alone contains them. */
function shownBy({ seat, data }: Sent, { phase }: Position): (Move | undefined)[] {
  const side = Number(seat) - 1;
  const pair = (own?: Move, others?: Move) => (side === 0 ? [own, others] : [others, own]);
  const kind = toNumber(dataSlice(data, 0, 1));
  const body = dataSlice(data, 1 + positionLength(toNumber(dataSlice(data, 59, 60))));
  const move = (at: number) => toNumber(dataSlice(body, at, at + 2));
  if (kind === Kind.Reveal) return pair(move(32), move(34));
  if (kind !== Kind.Move) return [];
  return pair(move(phase === Phase.Reply ? 0 : dataLength(body) - 2));
}

describe("Warmancer: the encoded position", () => {
  it("encodes each field in its documented place", () => {
    for (const { match, sent } of [...matches(3)].map((driver) => driver.play())) {
      for (const { outcome } of sent.slice(1)) {
        const position = outcome.state.position!;
        expectBytes(encodePosition(position), position, match.mode);
      }
    }
  });

  it("excludes a dead Trap's tile from the tiles of pawns that stay in place", () => {
    const position = startPosition(QUICK, { roots: [id("one"), id("two")] });
    const [, { alive, ranks }] = position.sides;
    ranks.set([12, 12, 1, 5]);
    alive[1] = 0;
    const still = 59 + 126 + 64;
    expectBytes(encodePosition(position), position, QUICK);
    expect(slotsIn(toBigInt(dataSlice(encodePosition(position), still, still + 32)))).to.deep.equal([2, 18]);
  });

  it("includes moves and proofs of the turn only while a proof or a second move is awaited", () => {
    const seen = new Set<string>();
    for (const driver of matches(4)) {
      for (; !driver.over; driver.step()) {
        const { position, side } = driver;
        const { phase, mover, moves, proved, rules, sides } = position;
        const second = phase === Phase.Move && rules.casual && !rules.sequential && mover !== side + 1;
        const pending = moves.map((move) => move !== NONE);
        const mine = [mover === 1, mover === 2];
        const expected =
          phase === Phase.Prove ? (rules.sequential ? mine : [true, true]) : second ? mine : [false, false];
        expect(pending).to.deep.equal(expected);
        if (phase !== Phase.Prove) expect(proved).to.equal(0);
        // A rank that was proved in this turn is not recorded yet, and equals the rank in the setup.
        const ranks = driver.setups[mover - 1].ranks;
        const slot = slotAt(position.at[moves[mover - 1] >> 8], mover - 1);
        if (proved >> 4) expect([sides[mover - 1].ranks[slot], proved >> 4]).to.deep.equal([0, ranks[slot] + 1]);
        if (proved & 15) expect(ranks).to.include((proved & 15) - 1);
        if (phase === Phase.Prove) seen.add(`${Number(proved >> 4 > 0)}${Number((proved & 15) > 0)}`);
      }
    }
    expect([...seen].sort()).to.deep.equal(["00", "01", "10", "11"]);
  });

  it("stores who leads the turn: the committing player, the only mover or the first mover", () => {
    for (const driver of matches(2)) {
      for (; !driver.over && driver.position.phase < Phase.Won; driver.step()) {
        const { phase, mover, rules, turn } = driver.position;
        const leads = mover === driver.side + 1;
        if (phase === Phase.Prove || phase === Phase.Reply) expect(leads).to.equal(false);
        if (phase === Phase.Move && rules.sequential) expect([leads, mover]).to.deep.equal([true, 2 - (turn % 2)]);
        if (phase === Phase.Move && !rules.sequential) expect(mover).to.equal(2 - (turn % 2));
      }
    }
  });

  it("records which pawns moved, and moved far, in all revealed moves, executed or not", () => {
    let count = 0;
    for (const driver of matches(4)) {
      const { sent } = driver.play();
      for (const [i, each] of sent.slice(2).entries()) {
        const [before, after] = [sent[i + 1], each].map(({ outcome }) => outcome.state.position!);
        if (before.rules.casual && !before.rules.sequential) continue;
        for (const [side, move] of shownBy(each, before).entries()) {
          const { moved, movedFar } = before.sides[side];
          const [now, far] = [moved.slice(), movedFar.slice()];
          if (move !== undefined && move !== STUCK) {
            const [from, to] = [move >> 8, move & 255];
            now[slotAt(before.at[from], side)] = 1;
            if (![1, 16].includes(Math.abs(from - to))) far[slotAt(before.at[from], side)] = 1;
            count++;
          }
          expect([after.sides[side].moved, after.sides[side].movedFar]).to.deep.equal([now, far]);
        }
      }
    }
    expect(count).to.be.above(500);
  });
});
