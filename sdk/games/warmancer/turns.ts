import { concat, dataLength, dataSlice, hexlify, randomBytes, toBeHex, toNumber } from "ethers";
import { sized } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { Keeper, Moves, OpenTurn, Turn } from "../moves.js";
import type { Hex } from "../../protocol/hex.js";
import { decodeSealed, NO_STATE } from "../../protocol/seal.js";
import { sealBy, type Secret } from "../../protocol/sealed.js";
import { dueKind } from "./act.js";
import { anySetup } from "./chance.js";
import { checkRanks } from "./army.js";
import type { Mode } from "./mode.js";
import { STUCK, tilesOfMove, type Move } from "./moves.js";
import { moveText, readMove, readSetup, setupText } from "./notation.js";
import { modeBehind, ownSeal, retrace, type Past } from "./past.js";
import { Player, setupBehind } from "./player.js";
import { slotAt, type Position } from "./position.js";
import { Kind } from "./protocol.js";
import { Refusal } from "./refusal.js";
import { rootOf } from "./setup.js";
import { tilesOf } from "./tiles.js";

/** In place of moves: a player gives up, if the other can show its setup. */
const CONCEDE: Hex = "0xc0";
const MOVE_BYTES = 2;

/** How a setup is sealed: as the root of its tree. */
export function rootBy(player: string) {
  return ({ move, salt }: Secret): Hex => rootOf(player, setupBehind({ move, salt }));
}

/** The turn of a player in a match that both have joined. @throws Error if a secret of its own is missing. */
export async function playerIn(past: Past, seat: bigint, keeper: Keeper): Promise<Player> {
  const { match, state, roots } = past;
  const side = Number(seat) - 1;
  if (state.position === undefined) throw new Error(`Player 2 has not joined match ${match.matchId}.`);
  const { ranks } = state.position.sides[side];
  const setup = match.mode.casual
    ? { secret: NO_STATE, ranks: Array.from(ranks, (code) => code - 1) }
    : setupBehind(await keeper.open(roots[side], rootBy(match.players[side])));
  // Whoever sealed it may have sealed anything.
  if (!match.mode.casual) checkRanks(match.mode, setup.ranks);
  const seal = ownSeal(past, seat);
  const sealed = seal === undefined ? undefined : await keeper.open(seal);
  if (sealed) sized(sealed.move, "move", MOVE_BYTES);
  return new Player(match, state, seat, { setup, sealed });
}

/** How a player makes up its mind. */
export interface Mind {
  /** Ranks by slot of an army that the mode allows, for side 0 or 1. */
  setup(mode: Mode, side: number): number[];
  /** A legal move on a board; STUCK if there is none. */
  move(player: Player, board: Position): Move;
}

/** Finds the words that are asked for in a turn: a setup, or moves in the order in which they are played. */
export function wordsBy(mind: Mind): Moves["suggest"] {
  return async (turn, keeper) => {
    const { record, history, seat } = turn;
    if (record?.answer === undefined) return [setupText(mind.setup(await modeOf(turn), Number(seat) - 1))];
    const player = await playerIn(await retrace(record, history), seat, keeper);
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

/** How a setup is sealed and moves are made; players name setups by letters, moves by tiles. */
export const warmancerMoves: Moves = {
  usage: ["SETUP", "SETUP"],
  later: "MOVE",
  async sealings(record, seat, history) {
    const past = await retrace(record, history);
    const [root, seal] = [past.roots[Number(seat) - 1], ownSeal(past, seat)];
    if (root === undefined || record.settlement !== undefined) return [];
    const player = past.match.players[Number(seat) - 1];
    return [{ sealed: root, commit: rootBy(player) }, ...(seal === undefined ? [] : [{ sealed: seal }])];
  },
  async sealed(record, seat, history) {
    return (await retrace(record, history)).roots.slice(Number(seat) - 1, Number(seat));
  },
  commits: (by) => [rootBy(by.player), sealBy(by)],
  async answered({ seat, record, history }) {
    const { state } = await retrace(record, history);
    const { position, seal } = state;
    return position && seal !== NO_STATE && dueKind(position, seat) === Kind.Answer ? seal : undefined;
  },
  async read(words, turn) {
    if (turn.record?.answer === undefined) return readRanks(words, await modeOf(turn));
    if (words.length === 1 && words[0] === "concede") return CONCEDE;
    return concat(words.map((word) => toBeHex(readMove(word), MOVE_BYTES)));
  },
  suggest: wordsBy({ setup: (mode) => anySetup(mode, below), move: anyMove }),
  async create(move, turn, keeper) {
    return (await modeOf(turn)).casual ? move : keeper.seal(move, rootBy(turn.player));
  },
  async join(move, turn, keeper) {
    const { record } = turn;
    if ((await modeOf(turn)).casual) return concat([record.opening, move]);
    return concat([decodeSealed(record.opening).seal, await keeper.seal(move, rootBy(turn.player))]);
  },
  async act(move, { record, history, seat }, keeper) {
    const player = await playerIn(await retrace(record, history), seat, keeper);
    if (move === CONCEDE) return player.concession();
    const orders = Array.from({ length: dataLength(move) / MOVE_BYTES }, (_, i) =>
      toNumber(dataSlice(move, i * MOVE_BYTES, (i + 1) * MOVE_BYTES)),
    );
    return player.action(orders, (order) => keeper.seal(order));
  },
};

async function modeOf({ mode, record, history }: Turn | OpenTurn): Promise<Mode> {
  return modeBehind(mode, record?.terms.game ?? history.addresses.Warmancer, history);
}

/** A setup that the mode allows, a byte each by slot. */
function readRanks(words: readonly string[], mode: Mode): Hex {
  const ranks = readSetup(words);
  const slots = tilesOf(mode.setup1).length;
  if (ranks.length !== slots) throw new InputError("setup", `${ranks.length} letters instead of ${slots}`);
  try {
    checkRanks(mode, ranks);
  } catch (error) {
    throw error instanceof Refusal ? new InputError("setup", error.message) : error;
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
