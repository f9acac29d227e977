import { expect } from "chai";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { battlesOf, dueSlots, resolve } from "../../../sdk/games/warmancer/engine.js";
import { decodeEntry, encodeEntry } from "../../../sdk/games/warmancer/log.js";
import { CLASSIC, QUICK, SKIRMISH } from "../../../sdk/games/warmancer/mode.js";
import {
  checkMove,
  isFar,
  legalMoves,
  mightMove,
  moveOf,
  tilesOfMove,
  type Move,
} from "../../../sdk/games/warmancer/legal-moves.js";
import { startPosition, type Position } from "../../../sdk/games/warmancer/position.js";
import { battle, isMobile, RANKS } from "../../../sdk/games/warmancer/ranks.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import { Random } from "../../../sdk/laws/random.js";
import { expectContractError } from "../../support/warmancer.js";

/** Winners by the rank of player 1 in the row and of player 2 in the column, written out by hand. */
const BATTLES = `
  0 2 2 2 2 2 2 2 2 2 2 2
  1 0 2 2 2 2 2 2 2 2 1 2
  1 1 0 2 2 2 2 2 2 2 2 2
  1 1 1 0 2 2 2 2 2 2 2 1
  1 1 1 1 0 2 2 2 2 2 2 2
  1 1 1 1 1 0 2 2 2 2 2 2
  1 1 1 1 1 1 0 2 2 2 2 2
  1 1 1 1 1 1 1 0 2 2 2 2
  1 1 1 1 1 1 1 1 0 2 2 2
  1 1 1 1 1 1 1 1 1 0 2 2
  1 2 1 1 1 1 1 1 1 1 0 2
  1 1 1 2 1 1 1 1 1 1 1 0`;

/** Positions of games between players who move at random, with each side knowing only its own ranks. */
function* positions(): Generator<{ position: Position; known: [Uint8Array, Uint8Array] }> {
  for (const [n, mode] of [QUICK, SKIRMISH, { ...SKIRMISH, alwaysHidden: true }, CLASSIC].entries()) {
    const random = new Random(`positions ${n}`);
    const ranks = () => random.shuffled(mode.army.flatMap((count, rank) => Array<number>(count).fill(rank + 1)));
    const known: [Uint8Array, Uint8Array] = [Uint8Array.from(ranks()), Uint8Array.from(ranks())];
    const position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
    for (; position.turn <= 150; position.turn++) {
      yield { position, known };
      const moves = [0, 1].map((side) => legalMoves(position, side, known[side]));
      if (moves.some((each) => each.length === 0)) break;
      if (resolve(position, [random.pick(moves[0]), random.pick(moves[1])], known).over) break;
    }
  }
}

/** Returns all moves between tiles of the board that the engine does not refuse. */
function allowed(position: Position, side: number, known: Uint8Array): Move[] {
  const moves: Move[] = [];
  const tiles = [...position.open.keys()].filter((tile) => position.open[tile]);
  for (const from of tiles.filter((tile) => position.at[tile])) {
    for (const to of tiles) {
      try {
        checkMove(position, side, from, to, known);
        moves.push(moveOf(from, to));
      } catch (error) {
        if (!(error instanceof ContractError)) throw error;
      }
    }
  }
  return moves;
}

describe("Warmancer: engine", () => {
  it("has the documented ranks", () => {
    const names = "Throne Assassin Scout Seer Grunt Knight Wraith Reaver Herald Champion Warlord Trap";
    expect(RANKS.map(({ name }) => name).join(" ")).to.equal(names);
    expect(RANKS.map(({ price }) => price)).to.deep.equal([0, 6, 3, 4, 4, 5, 6, 7, 8, 9, 10, 4]);
    const moves = RANKS.map((rank) => rank.moves);
    expect(moves).to.deep.equal(["no", "step", "line", ...Array<string>(8).fill("step"), "no"]);
    expect(RANKS.map((_, rank) => isMobile(rank))).to.deep.equal(moves.map((each) => each !== "no"));
  });

  it("decides all 144 battles", () => {
    const rows = BATTLES.trim()
      .split("\n")
      .map((row) => row.trim().split(" ").map(Number));
    for (const [one, row] of rows.entries()) {
      for (const [two, winner] of row.entries()) expect(battle(one, two), `${one} against ${two}`).to.equal(winner);
    }
  });

  it("lists exactly the legal moves, for known ranks and for recorded ranks", () => {
    let count = 0;
    const sorted = (moves: Move[]) => [...moves].sort((a, b) => a - b);
    for (const { position, known } of positions()) {
      if (position.turn % 11 !== 1) continue;
      for (const side of [0, 1]) {
        for (const ranks of [known[side], position.sides[side].ranks]) {
          const moves = allowed(position, side, ranks);
          expect(sorted(legalMoves(position, side, ranks))).to.deep.equal(moves);
          for (const move of moves) {
            const [from, to] = tilesOfMove(move);
            expect(isFar(move)).to.equal(Math.abs((from & 15) - (to & 15)) + Math.abs((from >> 4) - (to >> 4)) > 1);
          }
          count += moves.length;
        }
        const recorded = allowed(position, side, position.sides[side].ranks).some((move) => !isFar(move));
        expect(mightMove(position, side)).to.equal(recorded);
      }
    }
    expect(count).to.be.above(1000);
  });

  it("keeps positions, living pawns and recorded ranks consistent with its log", () => {
    for (const { position } of positions()) {
      const pawns = position.sides.map(({ alive, tiles }) => [...tiles].filter((_, slot) => alive[slot]));
      const occupied = [...position.at.keys()].filter((tile) => position.at[tile]);
      expect([...pawns.flat()].sort((a, b) => a - b)).to.deep.equal(occupied);
      for (const [side, { alive, tiles }] of position.sides.entries()) {
        for (const [slot, tile] of tiles.entries())
          if (alive[slot]) expect(position.at[tile]).to.equal(1 + 64 * side + slot);
      }
    }
  });

  it("refuses an illegal move with the first rule that it breaks", () => {
    const position = startPosition(QUICK, { roots: [NO_STATE, NO_STATE] });
    const [none, known] = [new Uint8Array(4), Uint8Array.from([0, 10, 2, 4], (rank) => rank + 1)];
    const judge =
      (from: number, to: number, ranks = none) =>
      () =>
        checkMove(position, 0, from, to, ranks);
    expectContractError(judge(2, 99), "NoOwnPawn", 2);
    expectContractError(judge(99, 99), "NoOwnPawn", 99);
    expectContractError(judge(0, 4), "Impassable", 4);
    expectContractError(judge(0, 17), "OwnPawnThere", 17);
    expectContractError(judge(0, 0), "OwnPawnThere", 0);
    expectContractError(judge(1, 18), "NotInLine", 1, 18);
    expectContractError(judge(0, 2, known), "RankCannotMove", 0, 0);
    expectContractError(judge(0, 16, known), "OwnPawnThere", 16);
    expectContractError(judge(1, 3, known), "RankCannotMoveFar", 1, 10);
    expectContractError(judge(0, 3), "Blocked", 0, 3, 1);
    expectContractError(judge(16, 18, known), "Blocked", 16, 18, 17);
    expect(judge(1, 2)()).to.equal(1);
    expect(judge(17, 18, known)()).to.equal(3);
  });

  it("requires proofs of unrecorded pawns in battles, in order of their slots", () => {
    const position = startPosition(SKIRMISH, { roots: [NO_STATE, NO_STATE] });
    const battles = [
      { kind: 2, tile: 0, attacker: 0, slots: [9, 3] as [number, number] },
      { kind: 2, tile: 0, attacker: 1, slots: [2, 7] as [number, number] },
    ];
    expect(dueSlots(position, battles, 0)).to.deep.equal([2, 9]);
    expect(dueSlots(position, battles, 1)).to.deep.equal([3, 7]);
    position.sides[0].ranks[2] = 5;
    expect(dueSlots(position, battles, 0)).to.deep.equal([9]);
    expect(battlesOf(position, [0, 0])).to.deep.equal([]);
  });

  it("logs entries with their bits in the documented positions", () => {
    const battle = {
      op: "battle",
      turn: 0x1234,
      side: 1,
      slot: 63,
      defender: 255,
      tile: 254,
      kind: 2,
      winner: 2,
    } as const;
    expect(hexWord(encodeEntry(battle))).to.equal(
      `0x${"0".repeat(52)}1234${((2n << 30n) | (2n << 26n) | (254n << 18n) | (255n << 10n) | (63n << 4n) | 11n).toString(16)}`,
    );
    const pawn = (7n << 32n) | (5n << 4n) | (1n << 3n);
    const [turn, side, slot] = [7, 1, 5];
    const rows = [
      [pawn | 1n | (3n << 10n) | (250n << 18n), { op: "move", turn, side, slot, from: 3, to: 250 }],
      [pawn | 2n | (3n << 10n) | (11n << 26n), { op: "reveal", turn, side, slot, tile: 3, rank: 11 }],
      [
        pawn | 3n | (9n << 10n) | (8n << 18n) | (1n << 26n),
        { op: "battle", turn, side, slot, defender: 9, tile: 8, kind: 1, winner: 0 },
      ],
      [pawn | 4n | (3n << 10n), { op: "kill", turn, side, slot, tile: 3 }],
      [(7n << 32n) | 5n | (2n << 30n), { op: "result", turn, winner: 2 }],
    ] as const;
    for (const [entry, operation] of rows) {
      expect(decodeEntry(entry)).to.deep.equal(operation);
      expect(encodeEntry(operation)).to.equal(entry);
    }
    for (const none of [0n, 6n, 7n]) expect(() => decodeEntry(none)).to.throw(InputError);
  });
});
