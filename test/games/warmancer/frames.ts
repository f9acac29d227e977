import { expect } from "chai";
import { toBeHex } from "ethers";
import { decodeAction } from "../../../sdk/games/warmancer/decode-action.js";
import { Player } from "../../../sdk/games/warmancer/player.js";
import {
  foreseenTurn,
  frames,
  Kind,
  possibleRanks,
  RANKS,
  replayMatch,
  warmancer,
  type WarmancerFrame,
} from "../../../sdk/games/warmancer/index.js";
import { QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { startPosition } from "../../../sdk/games/warmancer/position.js";
import { priceOf } from "../../../sdk/games/warmancer/army.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { tileOf } from "../../../sdk/games/warmancer/tiles.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import { Random } from "../../../sdk/laws/random.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { EngineDriver } from "../../support/warmancer.js";
import { WIDER } from "../../support/warmancer/contest.js";
import { WrittenMatch } from "../../support/warmancer/written.js";

const plain = (text: string) => text;

const framesOf = (match: WrittenMatch) => frames(match.record(), match.history);

/** Plays written turns, and returns the frame of the last one. */
async function lastTurn(mode: Mode, setups: [string, string], ...turns: string[]): Promise<WarmancerFrame> {
  const drawn = await framesOf(new WrittenMatch(mode, setups, turns).play());
  return drawn.findLast(({ turn }) => turn === turns.length)!;
}

/** Plays random matches of a mode as written matches, which have a history. */
function randomMatches(mode: Mode, count: number): WrittenMatch[] {
  return Array.from({ length: count }, (_, i) => {
    const letters = EngineDriver.of(mode, new Random(`frames ${i}`)).setups.map(({ ranks }) =>
      Array.from(ranks, (rank) => "TASEGKWRHCLX"[rank]).join(""),
    );
    const match = new WrittenMatch(mode, [letters[0], letters[1]], []);
    match.driver.play(60);
    return match;
  });
}

const names = (ranks: readonly number[]) => ranks.map((rank) => RANKS[rank].name);

describe("Warmancer: the animation of a match", () => {
  it("begins with both setups, fully hidden", async () => {
    const [start] = await framesOf(new WrittenMatch(QUICK, ["TG/SL", "GT/LS"], []));
    expect(start).to.deep.include({ turn: 0, moves: [], battles: [], proved: [], fallen: [], result: null });
    expect(start.tiles).to.deep.equal(["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]);
    expect(Object.keys(start.board).sort()).to.deep.equal([...start.tiles].sort());
    const mayBe = ["Throne", "Scout", "Grunt", "Warlord"];
    const hidden = { player: 2, slot: 0, rank: null, mayBe, moved: false, own: null };
    expect(start.board.c1).to.deep.equal(hidden);
  });

  it("shows both moves, the battle, the proved ranks and the fallen pawns", async () => {
    const frame = await lastTurn(QUICK, ["TG/SL", "GT/LS"], "b2-c2 c2-b2");
    const [one, two] = [1, 2].map((player) => ({ player, slot: player === 1 ? 3 : 2, rank: "Warlord" }));
    expect(frame.text).to.equal("▲b2 and ▽c2 attack each other; both Warlords fall");
    expect(frame.moves).to.deep.equal([
      { player: 1, slot: 3, from: "b2", to: "c2" },
      { player: 2, slot: 2, from: "c2", to: "b2" },
    ]);
    expect(frame.battles).to.deep.equal([{ kind: "swap", tile: "c2", attacker: one, defender: two, winner: 0 }]);
    expect(frame.proved).to.deep.equal([one, two]);
    expect(frame.fallen).to.deep.equal([
      { ...one, turn: 1, tile: "b2" },
      { ...two, turn: 1, tile: "c2" },
    ]);
    expect([frame.board.b2, frame.board.c2]).to.deep.equal([undefined, undefined]);
  });

  it("shows an attack on a pawn that stays, and on a tile that both enter", async () => {
    const attack = await lastTurn(QUICK, ["TG/SL", "GT/LS"], "b1-c1 c2-b2");
    expect(attack.battles.map(({ kind, tile, winner }) => [kind, tile, winner])).to.deep.equal([
      ["attack", "c1", 0],
      ["attack", "b2", 0],
    ]);
    const meeting = await lastTurn(WIDER, ["TG/SL", "GT/LS"], "b1-c1 e1-d1", "c1-d1 d1-c1");
    expect(meeting.battles.map(({ kind }) => kind)).to.deep.equal(["swap"]);
    const tile = await lastTurn(WIDER, ["TS/GL", "ST/LG"], "b1-d1 e1-d1");
    expect(tile.battles.map(({ kind, tile: at }) => [kind, at])).to.deep.equal([["meet", "d1"]]);
    expect(tile.moves.map(({ to }) => to)).to.deep.equal(["d1", "d1"]);
  });

  it("narrows the possible ranks of a pawn by moves, long moves and proofs", async () => {
    const moved = await lastTurn(WIDER, ["TS/GL", "ST/LG"], "b2-c2 e1-c1");
    expect(moved.board.c2).to.deep.include({ player: 1, moved: true, mayBe: ["Scout", "Grunt", "Warlord"] });
    // The only Scout has moved far, so no other pawn may be a Scout.
    expect(moved.board.c1).to.deep.include({ player: 2, moved: true, mayBe: ["Scout"] });
    expect(moved.board.f2).to.deep.include({ moved: false, mayBe: ["Throne", "Grunt", "Warlord"] });
    const fought = await lastTurn(QUICK, ["TG/SL", "GT/LS"], "b2-c2 c2-b2");
    expect(fought.board.a1.mayBe).to.deep.equal(["Throne", "Scout", "Grunt"]);
  });

  it("never excludes a pawn's true rank, and agrees with the final board of the replay", async () => {
    const modes = [SKIRMISH, { ...SKIRMISH, alwaysHidden: true }, { ...SKIRMISH, sequential: true }];
    for (const mode of modes) {
      for (const match of randomMatches(mode, 8)) {
        const drawn = await framesOf(match);
        const { driver } = match;
        for (const { board, fallen } of drawn) {
          for (const { player, slot, mayBe, rank } of Object.values(board)) {
            const real = RANKS[driver.setups[player - 1].ranks[slot]].name;
            expect(mayBe).to.include(real);
            expect([null, real]).to.include(rank);
          }
          expect(Object.keys(board)).to.have.length(24 - fallen.length);
        }
        const { position } = driver;
        const { board } = drawn.at(-1)!;
        for (const [side, { alive, tiles, ranks, moved }] of position.sides.entries()) {
          for (const [slot, tile] of tiles.entries()) {
            const pawn = Object.entries(board).find(([, each]) => each.player === side + 1 && each.slot === slot);
            expect(pawn && tileOf(pawn[0])).to.equal(alive[slot] ? tile : undefined);
            if (!pawn || driver.over) continue;
            expect(pawn[1].rank).to.equal(ranks[slot] ? RANKS[ranks[slot] - 1].name : null);
            // A move of the unfinished turn may already be marked.
            if (pawn[1].moved) expect(moved[slot]).to.equal(1);
          }
        }
      }
    }
  });

  it("shows a player its own pending move until the turn is resolved", async () => {
    const match = new WrittenMatch(WIDER, ["TG/SL", "GT/LS"], ["b1-c1 e1-d1", "c1-d1 d1-c1"]).play();
    const record = match.record();
    const seenBy = async (side: number, count: number) => {
      const viewer = { seat: [Seat.One, Seat.Two][side], secretStore: match.store(side) };
      const played = { ...record, actions: record.actions.slice(0, count) };
      const drawn = await frames(played, match.history, viewer);
      return drawn.map(({ pending }) => pending?.map(({ player, from, to }) => `${player} ${from}-${to}`));
    };
    expect(await seenBy(0, 0)).to.deep.equal([undefined]);
    expect(await seenBy(0, 1)).to.deep.equal([["1 b1-c1"]]);
    expect(await seenBy(1, 1)).to.deep.equal([undefined]);
    expect(await seenBy(0, 2)).to.deep.equal([["1 b1-c1", "2 e1-d1"]]);
    expect(await seenBy(1, 2)).to.deep.equal([["2 e1-d1"]]);
    expect((await seenBy(0, 3)).at(0)).to.equal(undefined);
  });

  it("shows a player its own ranks beside the public ranks, as the view of the match does", async () => {
    const match = new WrittenMatch(WIDER, ["TG/SL", "GT/LS"], ["b1-c1 e1-d1"]).play();
    const store = { reveal: async () => match.secret(0) } as unknown as SecretStore;
    const viewer = { seat: Seat.One, secretStore: store };
    const record = { ...match.record(), actions: [] };
    const [start] = await frames(record, match.history, viewer);
    expect(start.board.a1).to.deep.include({ rank: null, own: "Throne" });
    expect(start.board.e1).to.deep.include({ rank: null, own: null });
    const letters = { Throne: "T", Grunt: "G", Scout: "S", Warlord: "L" };
    const view = await warmancer.view(record, match.history, plain, viewer);
    const rows = ["2", "1"].map((y) =>
      ["a", "b", "c", "d", "e", "f"].map((x) => {
        const pawn = start.board[x + y];
        if (pawn === undefined) return " .";
        return `${pawn.player === 1 ? "▲" : "▽"}${letters[(pawn.own ?? pawn.rank) as keyof typeof letters] ?? "?"}`;
      }),
    );
    expect(rows.map((row, i) => `   ${2 - i} ${row.join(" ")}`)).to.deep.equal(view.slice(1, 3));
  });

  it("is the same after a turn as in the preview of the player who completes it", async () => {
    for (const mode of [SKIRMISH, { ...SKIRMISH, alwaysHidden: true }]) {
      const [match] = randomMatches(mode, 1);
      const { actions, ...record } = match.record(false);
      const foreseen: object[] = [];
      for (const [sent, { seat, data }] of actions.entries()) {
        const past = await replayMatch({ ...record, actions: actions.slice(0, sent) }, match.history);
        const { kind, moves } = decodeAction(data);
        if (kind === Kind.Concede || kind === Kind.Setup) continue;
        const committed = kind === Kind.Reveal ? { move: toBeHex(moves[0], 2), salt: NO_STATE } : undefined;
        const setup = match.driver.setups[Number(seat) - 1];
        const player = new Player(past.match, past.state, seat, { setup, committed });
        const turn = foreseenTurn(player, player.foresee());
        if (!turn) continue;
        const { board, ...step } = turn;
        foreseen.push(step);
        const own = Object.values(board).filter(({ player: of }) => BigInt(of) === seat);
        expect(own.map(({ slot, own: rank }) => [slot, rank])).to.deep.equal(
          own.map(({ slot }) => [slot, RANKS[setup.ranks[slot]].name]),
        );
      }
      const drawn = (await framesOf(match)).filter(({ moves }) => moves.length > 0);
      // The last turn may have ended the game by Stuck.
      expect(foreseen.length).to.be.greaterThan(1);
      expect(foreseen).to.deep.equal(
        drawn.slice(0, foreseen.length).map(({ text, turn, moves, battles, proved, fallen }) => {
          return { text, turn, moves, battles, proved, fallen: fallen.filter((pawn) => pawn.turn === turn) };
        }),
      );
    }
  });

  it("ends with every rank that was shown, and with the winner", async () => {
    const turns = ["b2-c2 c2-b2", "b1-c1 c1-c2", "c1-d1 c2-b2"];
    const drawn = await framesOf(new WrittenMatch(QUICK, ["TG/SL", "GT/LS"], turns).play());
    const end = drawn.at(-1)!;
    expect(drawn.map(({ turn }) => turn)).to.deep.equal([0, 1, 2, 3, 3]);
    expect(end).to.deep.include({ text: "The end, with every rank that was shown", result: { winner: 1, taker: 1 } });
    const ranks = Object.entries(end.board).map(([tile, { rank }]) => [tile, rank]);
    expect(Object.fromEntries(ranks)).to.deep.equal({ a1: "Throne", a2: "Scout", d1: "Grunt", b2: null, d2: null });
  });
});

describe("Warmancer: the list of a pawn's possible ranks", () => {
  const roots = { roots: [NO_STATE, NO_STATE] };

  it("includes only ranks that the remaining gold can buy, if armies are bought", () => {
    const position = startPosition({ ...QUICK, budget: priceOf(QUICK.army) }, roots);
    const [throne, champion] = [0, 9];
    const known = Uint8Array.of(champion + 1, 0, 0, 0);
    const open = possibleRanks(position, 0, known);
    expect(open[0]).to.deep.equal([champion]);
    // The budget is 17, the price of a Warlord, a Grunt and a Scout. The Champion leaves 8.
    expect(names(open[1])).to.deep.equal([
      "Throne",
      "Assassin",
      "Scout",
      "Seer",
      "Grunt",
      "Knight",
      "Wraith",
      "Reaver",
      "Herald",
    ]);
    expect(names(possibleRanks(position, 0, Uint8Array.of(throne + 1, 0, 0, 0))[1])).not.to.include("Throne");
  });
});
