import { concat, toBeHex } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { moveOf } from "../../../sdk/games/warmancer/legal-moves.js";
import { Kind } from "../../../sdk/games/warmancer/state.js";
import { RANKS, THRONE } from "../../../sdk/games/warmancer/ranks.js";
import { encodeSetup, rootOf } from "../../../sdk/games/warmancer/setup.js";
import { TILES } from "../../../sdk/games/warmancer/tiles.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { EngineDriver } from "../warmancer.js";
import type { Fraud, Piece } from "../../../sdk/laws/game.js";

const MOVE_BYTES = 2;

/**
 * Returns frauds of a match: player 2 has committed to an illegal setup or, if moves are committed, player 1 to an
 * illegal move.
 */
export function fraudsIn(driver: EngineDriver): Record<string, Fraud> {
  const { casual, sequential } = driver.match.mode;
  if (casual) return {};
  return { ...wrongSetups(driver), ...(!sequential && wrongMoves(driver)) };
}

/** Returns frauds up to the setup, which player 2 must show because player 1 concedes immediately. */
function wrongSetups({ match, setups, random }: EngineDriver): Record<string, Fraud> {
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
    const driver = new EngineDriver(match, setups, random);
    driver.roots[1] = rootOf(match.players[1], setup);
    driver.start().send(Seat.One, encodeAction(Kind.Concede, driver.position, driver.concession()));
    return [what, { error, pieces: upTo(driver, encodeAction(Kind.Setup, driver.position, encodeSetup(setup))) }];
  });
  return Object.fromEntries(unmasked) as Record<string, Fraud>;
}

/** Returns frauds up to the reveal of the first move. */
function wrongMoves({ match, setups, random }: EngineDriver): Record<string, Fraud> {
  const [from, beside] = new EngineDriver(match, setups, random).start().position.sides[0].tiles;
  const frauds = {
    "a move of nobody": { error: "NoOwnPawn", move: moveOf(TILES - 1, from) },
    "a move onto an own pawn": { error: "OwnPawnThere", move: moveOf(from, beside) },
    "a move off the board": { error: "Impassable", move: moveOf(from, TILES - 1) },
  };
  const opened = Object.entries(frauds).map(([what, { error, move }]) => {
    const driver = new EngineDriver(match, setups, random).start();
    const { salt, body } = driver.commitmentOf(move);
    driver.send(Seat.One, encodeAction(Kind.Commit, driver.position, body));
    driver.step();
    const moves = [move, Number(driver.state.answer)].map((each) => toBeHex(each, MOVE_BYTES));
    const reveal = encodeAction(Kind.Reveal, driver.position, concat([salt, ...moves]));
    return [what, { error, pieces: upTo(driver, reveal) }];
  });
  return Object.fromEntries(opened) as Record<string, Fraud>;
}

/** Returns the pieces that were sent, and a last one by the player in turn. */
function upTo({ sent, state }: EngineDriver, last: Hex): Piece[] {
  return [...sent, { seat: state.turn, data: last }].map(({ seat, data }) => ({ seat, data, wrong: {} }));
}
