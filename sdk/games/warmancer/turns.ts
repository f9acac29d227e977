import { concat, dataLength, dataSlice, hexlify, randomBytes, toBeHex, toNumber } from "ethers";
import { sized } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { SecretStore, Moves, OpenTurn, Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { decodeCommitment, NO_STATE } from "../../protocol/commit-reveal.js";
import { commitmentBy, type Secret } from "../../protocol/commitment.js";
import { dueKind } from "./act.js";
import { anySetup } from "./random-game.js";
import { checkRanks } from "./army.js";
import type { Mode } from "./mode.js";
import { STUCK, tilesOfMove, type Move } from "./moves.js";
import { moveText, readMove, readSetup, setupText } from "./notation.js";
import { modeBehind, ownCommitment, replayMatch, type ReplayedMatch } from "./replay.js";
import { Player, setupBehind } from "./player.js";
import { slotAt, type Position } from "./position.js";
import { Kind } from "./protocol.js";
import { ContractError } from "./contract-error.js";
import { rootOf } from "./setup.js";
import { tilesOf } from "./tiles.js";

/** In place of moves: a player gives up, if the other can show its setup. */
const CONCEDE: Hex = "0xc0";
const MOVE_BYTES = 2;

/** How a setup is committed: as the root of its tree. */
export function rootBy(player: string) {
  return ({ move, salt }: Secret): Hex => rootOf(player, setupBehind({ move, salt }));
}

/** The turn of a player in a match that both have joined. @throws Error if a secret of its own is missing. */
export async function playerIn(past: ReplayedMatch, seat: bigint, secretStore: SecretStore): Promise<Player> {
  const { match, state, roots } = past;
  const side = Number(seat) - 1;
  if (state.position === undefined) throw new Error(`Player 2 has not joined match ${match.matchId}.`);
  const { ranks } = state.position.sides[side];
  const setup = match.mode.casual
    ? { secret: NO_STATE, ranks: Array.from(ranks, (code) => code - 1) }
    : setupBehind(await secretStore.reveal(roots[side], rootBy(match.players[side])));
  // Whoever committed it may have committed to anything.
  if (!match.mode.casual) checkRanks(match.mode, setup.ranks);
  const commitment = ownCommitment(past, seat);
  const committed = commitment === undefined ? undefined : await secretStore.reveal(commitment);
  if (committed) sized(committed.move, "move", MOVE_BYTES);
  return new Player(match, state, seat, { setup, committed });
}

/** How a player makes up its mind. */
export interface Mind {
  /** Ranks by slot of an army that the mode allows, for side 0 or 1. */
  setup(mode: Mode, side: number): number[];
  /** A legal move on a board; STUCK if there is none. */
  move(player: Player, board: Position): Move;
}

/** Finds the words that are asked for in a turn: a setup, or moves in the order in which they are played. */
export function chooserOf(mind: Mind): Moves["suggest"] {
  return async (turn, secretStore) => {
    const { record, history, seat } = turn;
    if (record?.joinData === undefined) return [setupText(mind.setup(await modeOf(turn), Number(seat) - 1))];
    const player = await playerIn(await replayMatch(record, history), seat, secretStore);
    const prospect = player.foresee();
    const moves: Move[] = [];
    let board = prospect.board;
    for (let wanted = player.wanted(prospect); wanted > 0 && board !== undefined; wanted--) {
      moves.push(mind.move(player, board));
      if (wanted > 1) board = player.after(moves[0]);
    }
    return moves.map(moveText);
  };
}

/** How a setup is committed and moves are made; players name setups by letters, moves by tiles. */
export const warmancerMoves: Moves = {
  usage: ["SETUP", "SETUP"],
  later: "MOVE",
  async pendingCommitments(record, seat, history) {
    const past = await replayMatch(record, history);
    const [root, commitment] = [past.roots[Number(seat) - 1], ownCommitment(past, seat)];
    if (root === undefined || record.settlement !== undefined) return [];
    const player = past.match.players[Number(seat) - 1];
    return [
      { committed: root, commit: rootBy(player) },
      ...(commitment === undefined ? [] : [{ committed: commitment }]),
    ];
  },
  async commitments(record, seat, history) {
    return (await replayMatch(record, history)).roots.slice(Number(seat) - 1, Number(seat));
  },
  commitmentSchemes: (by) => [rootBy(by.player), commitmentBy(by)],
  async answeredCommitment({ seat, record, history }) {
    const { state } = await replayMatch(record, history);
    const { position, commitment } = state;
    return position && commitment !== NO_STATE && dueKind(position, seat) === Kind.Answer ? commitment : undefined;
  },
  async read(moveArgs, turn) {
    if (turn.record?.joinData === undefined) return readRanks(moveArgs, await modeOf(turn));
    if (moveArgs.length === 1 && moveArgs[0] === "concede") return CONCEDE;
    return concat(moveArgs.map((word) => toBeHex(readMove(word), MOVE_BYTES)));
  },
  suggest: chooserOf({ setup: (mode) => anySetup(mode, below), move: anyMove }),
  async create(move, turn, secretStore) {
    return (await modeOf(turn)).casual ? move : secretStore.commit(move, rootBy(turn.player));
  },
  async join(move, turn, secretStore) {
    const { record } = turn;
    if ((await modeOf(turn)).casual) return concat([record.createData, move]);
    return concat([
      decodeCommitment(record.createData).commitment,
      await secretStore.commit(move, rootBy(turn.player)),
    ]);
  },
  async act(move, { record, history, seat }, secretStore) {
    const player = await playerIn(await replayMatch(record, history), seat, secretStore);
    if (move === CONCEDE) return player.concession();
    const orders = Array.from({ length: dataLength(move) / MOVE_BYTES }, (_, i) =>
      toNumber(dataSlice(move, i * MOVE_BYTES, (i + 1) * MOVE_BYTES)),
    );
    return player.action(orders, (order) => secretStore.commit(order));
  },
};

async function modeOf({ mode, record, history }: Turn | OpenTurn): Promise<Mode> {
  return modeBehind(mode, record?.terms.game ?? history.addresses.Warmancer, history);
}

/** A setup that the mode allows, a byte each by slot. */
function readRanks(moveArgs: readonly string[], mode: Mode): Hex {
  const ranks = readSetup(moveArgs);
  const slots = tilesOf(mode.setup1).length;
  if (ranks.length !== slots) throw new InputError("setup", `${ranks.length} letters instead of ${slots}`);
  try {
    checkRanks(mode, ranks);
  } catch (error) {
    throw error instanceof ContractError ? new InputError("setup", error.message) : error;
  }
  return hexlify(new Uint8Array(ranks));
}

/** A legal move, an attack if there is one; STUCK if there is none. */
function anyMove(player: Player, board: Position): Move {
  const legal = player.legal(board);
  const attacks = legal.filter((move) => slotAt(board.at[tilesOfMove(move)[1]], 1 - player.side) >= 0);
  const choice = attacks.length > 0 ? attacks : legal;
  return choice.length === 0 ? STUCK : choice[below(choice.length)];
}

function below(count: number): number {
  return toNumber(randomBytes(4)) % count;
}
