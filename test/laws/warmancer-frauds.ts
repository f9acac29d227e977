import { concat, toBeHex } from "ethers";
import { encodeAction } from "../../sdk/games/warmancer/encode-action.js";
import { moveOf } from "../../sdk/games/warmancer/legal-moves.js";
import { Kind } from "../../sdk/games/warmancer/state.js";
import { RANKS, THRONE } from "../../sdk/games/warmancer/ranks.js";
import { encodeSetup, rootOf } from "../../sdk/games/warmancer/setup.js";
import { TILES } from "../../sdk/games/warmancer/tiles.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { Playout } from "../support/warmancer.js";
import type { Fraud, Piece } from "./game.js";

const MOVE_BYTES = 2;

/**
 * The same match in which player 2 has committed to a setup that is none, or player 1 a move, where moves are
 * committed.
 */
export function fraudsIn(playout: Playout): Record<string, Fraud> {
  const { casual, sequential } = playout.match.mode;
  if (casual) return {};
  return { ...wrongSetups(playout), ...(!sequential && wrongMoves(playout)) };
}

/** Up to the setup, which is due as the other gives up at once. */
function wrongSetups({ match, setups, random }: Playout): Record<string, Fraud> {
  const { secret, ranks } = setups[1];
  const throne = ranks.indexOf(THRONE);
  const another = ranks.find((rank) => rank !== THRONE)!;
  const frauds = {
    "a setup without a Throne": { error: "WrongArmy", setup: { secret, ranks: ranks.with(throne, another) } },
    "a setup with a rank there is not": {
      error: "UnknownRank",
      setup: { secret, ranks: ranks.with(throne, RANKS.length) },
    },
    "a setup with a pawn less": { error: "WrongLength", setup: { secret, ranks: ranks.slice(1) } },
  };
  const unmasked = Object.entries(frauds).map(([what, { error, setup }]) => {
    const playout = new Playout(match, setups, random);
    playout.roots[1] = rootOf(match.players[1], setup);
    playout.start().send(Seat.One, encodeAction(Kind.Concede, playout.position, playout.concession()));
    return [what, { error, pieces: upTo(playout, encodeAction(Kind.Setup, playout.position, encodeSetup(setup))) }];
  });
  return Object.fromEntries(unmasked) as Record<string, Fraud>;
}

/** Up to the reveal of the first move. */
function wrongMoves({ match, setups, random }: Playout): Record<string, Fraud> {
  const [from, beside] = new Playout(match, setups, random).start().position.sides[0].tiles;
  const frauds = {
    "a move of nobody": { error: "NoOwnPawn", move: moveOf(TILES - 1, from) },
    "a move onto an own pawn": { error: "OwnPawnThere", move: moveOf(from, beside) },
    "a move off the board": { error: "Impassable", move: moveOf(from, TILES - 1) },
  };
  const opened = Object.entries(frauds).map(([what, { error, move }]) => {
    const playout = new Playout(match, setups, random).start();
    const { salt, body } = playout.commitmentOf(move);
    playout.send(Seat.One, encodeAction(Kind.Commit, playout.position, body));
    playout.step();
    const moves = [move, Number(playout.state.answer)].map((each) => toBeHex(each, MOVE_BYTES));
    const reveal = encodeAction(Kind.Reveal, playout.position, concat([salt, ...moves]));
    return [what, { error, pieces: upTo(playout, reveal) }];
  });
  return Object.fromEntries(opened) as Record<string, Fraud>;
}

/** What was sent, and what its sender, whose turn it is, sends last. */
function upTo({ sent, state }: Playout, last: Hex): Piece[] {
  return [...sent, { seat: state.turn, data: last }].map(({ seat, data }) => ({ seat, data, wrong: {} }));
}
