import { concat, hexlify, randomBytes, toNumber } from "ethers";
import { sized } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { SecretStore, Moves, Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { decodeCommitment, NO_STATE } from "../../protocol/commit-reveal.js";
import { commitmentBy, type Secret } from "../../protocol/commitment.js";
import { otherSide, sideOf } from "../../protocol/sides.js";
import { dueKind } from "./act.js";
import { anySetup } from "./random-game.js";
import { checkRanks } from "./army.js";
import type { Mode } from "./mode.js";
import { STUCK, tilesOfMove, type Move } from "./legal-moves.js";
import { moveText, readMove, readSetup, setupText } from "./notation.js";
import { modeBehind, ownCommitment, replayMatch, type ReplayedMatch } from "./replay.js";
import { Player, setupBehind } from "./player.js";
import { slotAt, type Position } from "./position.js";
import { Kind, MOVE_BYTES } from "./state.js";
import { ContractError } from "./contract-error.js";
import { rootOf } from "./setup.js";
import { tilesOf } from "./tiles.js";

/** Ranks by slot of a setup; in later turns the required moves, in the order of play, or a concession. */
export type WarmancerMove = readonly number[] | "concede";

/** Returns the scheme with which a player commits to a setup: the root of its tree. */
export function rootBy(player: string) {
  return ({ move, salt }: Secret): Hex => rootOf(player, setupBehind({ move, salt }));
}

/**
 * Returns a player in its turn of a match that player 2 has joined.
 * @throws Error if player 2 has not joined, or a secret of the player is missing.
 * @example
 * ```ts
 * import { playerIn, replayMatch, setupText } from "duello/games/warmancer";
 *
 * const past = await replayMatch(turn.record, history);
 * const player = await playerIn(past, turn.seat, secretStore);
 * console.log(setupText(player.own.setup.ranks));
 * ```
 */
export async function playerIn(past: ReplayedMatch, seat: bigint, secretStore: SecretStore): Promise<Player> {
  const { match, state, roots } = past;
  const side = sideOf(Number(seat));
  if (state.position === undefined) throw new Error(`Player 2 has not joined match ${match.matchId}.`);
  const { ranks } = state.position.sides[side];
  const setup = match.mode.casual
    ? { secret: NO_STATE, ranks: Array.from(ranks, (code) => code - 1) }
    : setupBehind(await secretStore.reveal(roots[side], rootBy(match.players[side])));
  // A root may commit to anything.
  if (!match.mode.casual) checkRanks(match.mode, setup.ranks);
  const commitment = ownCommitment(past, seat);
  const committed = commitment === undefined ? undefined : await secretStore.reveal(commitment);
  if (committed) sized(committed.move, "move", MOVE_BYTES);
  return new Player(match, state, seat, { setup, committed });
}

/** Decisions of a player: its setup and its moves. */
interface Mind {
  /** Returns the ranks by slot of an army that the mode allows, for side 0 or 1. */
  setup(mode: Mode, side: number): number[];
  /** Returns a legal move on a board; STUCK if there is none. */
  move(player: Player, board: Position): Move;
}

/** Returns a chooser of what a turn requires: a setup, or moves in the order of play. */
export function chooserOf(mind: Mind): Moves<WarmancerMove>["suggest"] {
  return async (turn, secretStore) => {
    const { record, history, seat } = turn;
    if (record?.joinData === undefined) return mind.setup(await modeOf(turn), sideOf(Number(seat)));
    const player = await playerIn(await replayMatch(record, history), seat, secretStore);
    const prospect = player.foresee();
    const moves: Move[] = [];
    let board = prospect.board;
    for (let wanted = player.wanted(prospect); wanted > 0 && board !== undefined; wanted--) {
      moves.push(mind.move(player, board));
      if (wanted > 1) board = player.after(moves[0]);
    }
    return moves.length === 0 ? undefined : moves;
  };
}

/** Moves of Warmancer: on the command line, letters for a setup and tiles for moves. */
export const warmancerMoves: Moves<WarmancerMove> = {
  usage: ["SETUP", "SETUP"],
  later: "MOVE",
  async pendingCommitments(record, seat, history) {
    const past = await replayMatch(record, history);
    const [root, commitment] = [past.roots[sideOf(Number(seat))], ownCommitment(past, seat)];
    if (root === undefined || record.settlement !== undefined) return [];
    const player = past.match.players[sideOf(Number(seat))];
    return [
      { committed: root, scheme: rootBy(player) },
      ...(commitment === undefined ? [] : [{ committed: commitment }]),
    ];
  },
  async commitments(record, seat, history) {
    return (await replayMatch(record, history)).roots.filter((_, side) => side === sideOf(Number(seat)));
  },
  commitmentSchemes: (by) => [rootBy(by.player), commitmentBy(by)],
  async answeredCommitment({ seat, record, history }) {
    const { state } = await replayMatch(record, history);
    const { position, commitment } = state;
    return position && commitment !== NO_STATE && dueKind(position, seat) === Kind.Answer ? commitment : undefined;
  },
  async parse(moveArgs, turn) {
    if (turn.record?.joinData === undefined) return readRanks(moveArgs, await modeOf(turn));
    if (moveArgs.length === 1 && moveArgs[0] === "concede") return "concede";
    return moveArgs.map(readMove);
  },
  async args(move = [], { record }) {
    if (move === "concede") return [move];
    return record?.joinData === undefined ? [setupText(move)] : move.map(moveText);
  },
  suggest: chooserOf({ setup: (mode) => anySetup(mode, below), move: anyMove }),
  async choices({ record, history, seat }, secretStore) {
    // There are too many setups to list, and without its secrets a player's legal moves are unknown.
    if (record?.joinData === undefined || secretStore === undefined) return [];
    const player = await playerIn(await replayMatch(record, history), seat, secretStore);
    const { board } = player.foresee();
    return board ? player.legal(board).map(moveText) : [];
  },
  create: brought,
  async join(move, turn, secretStore) {
    const { createData } = turn.record;
    const { casual } = await modeOf(turn);
    const first = casual ? createData : decodeCommitment(createData).commitment;
    return concat([first, await brought(move, turn, secretStore)]);
  },
  async act(move = [], { record, history, seat }, secretStore) {
    const past = await replayMatch(record, history);
    const player = await playerIn(past, seat, secretStore);
    if (move === "concede") return player.concession();
    return player.action(move, (order) => secretStore.commit(order));
  },
};

/** Returns the data that a player sends to enter a match: its root and a note or, in a casual match, its ranks. */
async function brought(move: WarmancerMove = [], turn: Turn, secretStore: SecretStore): Promise<Hex> {
  const mode = await modeOf(turn);
  const ranks = hexlify(Uint8Array.from(checkedSetup(move === "concede" ? [] : move, mode)));
  return mode.casual ? ranks : secretStore.commit(ranks, rootBy(turn.player));
}

async function modeOf({ game, mode, history }: Turn): Promise<Mode> {
  return modeBehind(mode, game, history);
}

/**
 * Reads a setup that the mode allows, as ranks by slot.
 * @throws InputError for letters that are not a setup.
 * @example
 * ```ts
 * import { BOARDS, decodeMode, readRanks } from "duello/games/warmancer";
 *
 * readRanks(["TALS"], { ...decodeMode("0x"), ...BOARDS.quick }); // throws InputError: …
 * ```
 */
export function readRanks(moveArgs: readonly string[], mode: Mode): readonly number[] {
  return checkedSetup(readSetup(moveArgs), mode);
}

/** Returns a setup unchanged. @throws InputError for a setup that the mode does not allow. */
function checkedSetup(ranks: readonly number[], mode: Mode): readonly number[] {
  const slots = tilesOf(mode.setup1).length;
  if (ranks.length !== slots) throw new InputError("setup", `${ranks.length} letters instead of ${slots}`);
  try {
    checkRanks(mode, ranks);
  } catch (error) {
    throw error instanceof ContractError ? new InputError("setup", error.message) : error;
  }
  return ranks;
}

/** Picks a legal move, an attack if there is one; STUCK if there is none. */
function anyMove(player: Player, board: Position): Move {
  const legal = player.legal(board);
  const attacks = legal.filter((move) => slotAt(board.at[tilesOfMove(move)[1]], otherSide(player.side)) >= 0);
  const choice = attacks.length > 0 ? attacks : legal;
  return choice.length === 0 ? STUCK : choice[below(choice.length)];
}

function below(count: number): number {
  return toNumber(randomBytes(4)) % count;
}
