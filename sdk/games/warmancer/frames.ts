import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { Seat } from "../../protocol/status.js";
import { frameText, replayedFrames, unpainted, type Step } from "../frames.js";
import type { Frame, Viewer } from "../module.js";
import type { KnownRanks } from "./draw.js";
import { NONE, STUCK, tilesOfMove } from "./legal-moves.js";
import { BattleKind, decodeEntry } from "./log.js";
import { playerIn } from "./moves.js";
import type { Player, Prospect } from "./player.js";
import { slotAt, type Position } from "./position.js";
import { possibleRanks } from "./possible-ranks.js";
import { RANKS } from "./ranks.js";
import { replay, replayMatch } from "./replay.js";
import { startOf, withSent } from "./story.js";
import { tileName, tilesOf } from "./tiles.js";
import { knownIn, tellTurns, type ToldTurn } from "./told-turns.js";

/** Pawn, identified by its player and the number of its slot, which never changes. */
export interface PawnId {
  readonly player: number;
  readonly slot: number;
}

/** Pawn with the name of its rank; null while the rank is hidden from the public. */
export interface RankedPawn extends PawnId {
  readonly rank: string | null;
}

/** Pawn on the board. */
export interface BoardPawn extends RankedPawn {
  /** Names of the ranks that the pawn may still have, according to public information. */
  readonly mayBe: readonly string[];
  readonly moved: boolean;
  /** Rank of the viewer's own pawn; null for any other pawn. */
  readonly own: string | null;
}

/** Move of a pawn in a turn, complete or not: a pawn that falls on its way never arrives. */
export interface PawnMove extends PawnId {
  readonly from: string;
  readonly to: string;
}

/** Battle of two pawns, with their public ranks after it. */
export interface PawnBattle {
  /** `meet` if both pawns enter one tile, `swap` if they attack each other, `attack` if one pawn stays. */
  readonly kind: "meet" | "swap" | "attack";
  readonly tile: string;
  /** Pawn that attacks; if both pawns move, player 1's pawn. */
  readonly attacker: RankedPawn;
  readonly defender: RankedPawn;
  /** Player whose pawn has won, 1 or 2; 0 if both pawns fall. */
  readonly winner: number;
}

/** Pawn that has fallen. */
export interface FallenPawn extends RankedPawn {
  /** Turn in which the pawn fell. */
  readonly turn: number;
  /** Tile on which the pawn was before. */
  readonly tile: string;
}

/** Frame of a turn: both setups before the first turn, and then the board after each. */
export interface WarmancerFrame extends Frame {
  /** Number of the turn; 0 before the first. */
  readonly turn: number;
  /** Names of the passable tiles, the same in each frame. */
  readonly tiles: readonly string[];
  /** Pawns by the names of their tiles, after the turn. */
  readonly board: Readonly<Record<string, BoardPawn>>;
  readonly moves: readonly PawnMove[];
  readonly battles: readonly PawnBattle[];
  /** Pawns whose rank was revealed in this turn. */
  readonly proved: readonly RankedPawn[];
  /** All pawns that have fallen so far, oldest first. */
  readonly fallen: readonly FallenPawn[];
  /** Moves of the next turn that the viewer has sent or can see; only in the last frame of an open match. */
  readonly pending?: readonly PawnMove[];
}

/** Side whose ranks the viewer knows, with the ranks by slot. */
export interface OwnRanks {
  /** Number of the side, 0 or 1. */
  readonly side: number;
  readonly ranks: readonly number[];
}

const KINDS = { [BattleKind.SameTile]: "meet", [BattleKind.Swap]: "swap", [BattleKind.Attack]: "attack" } as const;

/**
 * Draws the turns of a match, once player 2 has joined. When the match is over, the last frame shows every revealed
 * rank.
 * @throws RecordError or InputError for data that the game's contract would have refused.
 * @example
 * ```ts
 * import { frames } from "duello/games/warmancer";
 *
 * const steps = await frames(await history.match(7n), history);
 * console.log(steps.at(-1)?.result?.winner);
 * ```
 */
export const frames = replayedFrames<WarmancerFrame>(replay, framesOf);

async function framesOf(record: MatchRecord, history: History, viewer?: Viewer): Promise<Step<WarmancerFrame>[]> {
  const past = await replayMatch(record, history);
  const { match, state, logs } = past;
  const { position } = state;
  if (position === undefined) return [];
  const player = viewer && (await playerIn(past, viewer.seat, viewer.secretStore));
  const own = player && ownRanks(player);
  const start = startOf(match.mode, position);
  const tiles = tilesOf(start.rules.passable).map(tileName);
  const fallen: FallenPawn[] = [];
  const nothing = { tiles, moves: [], battles: [], proved: [] };
  const setups = { ...nothing, text: "Both armies are set up", turn: 0, board: boardPawns(start, own), fallen: [] };
  const operations = logs.flatMap(({ entries }) => entries.map(decodeEntry));
  const turns = tellTurns(start, operations, unpainted).map((told): Step<WarmancerFrame> => {
    fallen.push(...fallenIn(told));
    return { ...turnStep(told, own), tiles, fallen: [...fallen] };
  });
  if (state.turn !== Seat.None) {
    const drawn: Step<WarmancerFrame>[] = [setups, ...turns];
    const pending = player ? pendingMoves(player) : [];
    return pending.length === 0 ? drawn : drawn.with(-1, { ...drawn.at(-1)!, pending });
  }
  const known = knownIn(position, withSent(knownIn(position), record.actions));
  const end = {
    ...nothing,
    text: "The end, with every rank that was shown",
    turn: position.turn,
    board: boardPawns(position, own, known),
    fallen: fallen.map((pawn) => ({ ...pawn, rank: rankName(known, pawn) })),
  };
  return [setups, ...turns, end];
}

/** Draws a turn without the parts that are the same in all frames; of fallen pawns, only those of this turn. */
function turnStep(told: ToldTurn, own?: OwnRanks) {
  return {
    text: frameText(told.sentences),
    turn: told.turn,
    board: boardPawns(told.after, own),
    moves: movesIn(told),
    battles: battlesIn(told),
    proved: provedIn(told),
    fallen: fallenIn(told),
  };
}

/**
 * Lists the moves of a turn that a player knows before it is carried out, including the player's own secret move.
 * @example
 * ```ts
 * import { pendingMoves } from "duello/games/warmancer";
 *
 * for (const { from, to } of pendingMoves(player)) console.log(`${from}-${to}`); // e.g. "d4-d5"
 * ```
 */
export function pendingMoves(player: Player): PawnMove[] {
  const { position } = player;
  return player.sentMoves().flatMap((move, by) => {
    if (move === NONE || move === STUCK) return [];
    const [from, to] = tilesOfMove(move);
    return { player: playerOf(by), slot: slotAt(position.at[from], by), from: tileName(from), to: tileName(to) };
  });
}

/**
 * Draws the turn that a player's action will carry out; undefined if the action carries out no turn.
 * @example
 * ```ts
 * import { foreseenTurn } from "duello/games/warmancer";
 *
 * const frame = foreseenTurn(player, {}); // undefined: the action carries out no turn
 * ```
 */
export function foreseenTurn(
  player: Player,
  { operations }: Pick<Prospect, "operations">,
): Omit<WarmancerFrame, "tiles" | "result"> | undefined {
  const told = operations && tellTurns(player.position, operations, unpainted)[0];
  return told && turnStep(told, ownRanks(player));
}

/**
 * Returns a player's own ranks.
 * @example
 * ```ts
 * import { ownRanks, setupText } from "duello/games/warmancer";
 *
 * const { side, ranks } = ownRanks(player);
 * console.log(side, setupText(ranks));
 * ```
 */
export function ownRanks({ side, own }: Player): OwnRanks {
  return { side, ranks: own.setup.ranks };
}

/**
 * Lists the pawns that are alive, by the names of their tiles.
 * @param known Public ranks; defaults to the recorded ones.
 * @example
 * ```ts
 * import { boardPawns, ownRanks } from "duello/games/warmancer";
 *
 * const pawns = boardPawns(position, ownRanks(player));
 * console.log(pawns.d4?.own, pawns.d7?.mayBe); // e.g. "Scout", ["Scout", "Seer"]
 * ```
 */
export function boardPawns(
  position: Position,
  own?: OwnRanks,
  known: KnownRanks = knownIn(position),
): Record<string, BoardPawn> {
  const pawns = position.sides.flatMap(({ alive, moved, tiles }, side) => {
    const mayBe = possibleRanks(position, side, known[side]).map((ranks) => ranks.map((rank) => RANKS[rank].name));
    return Array.from(tiles, (tile, slot): [string, BoardPawn] | undefined => {
      if (!alive[slot]) return undefined;
      const pawn = rankedPawn(known, side, slot);
      const ownRank = own?.side === side ? RANKS[own.ranks[slot]].name : null;
      return [tileName(tile), { ...pawn, mayBe: mayBe[slot], moved: moved[slot] === 1, own: ownRank }];
    });
  });
  return Object.fromEntries(pawns.filter((pawn) => pawn !== undefined));
}

/** Lists the moves of both sides in a turn. */
function movesIn({ operations, before }: ToldTurn): PawnMove[] {
  const moves = new Map<number, PawnMove>();
  const add = (side: number, slot: number, to: number) => {
    const from = before.sides[side].tiles[slot];
    moves.set(side, { player: playerOf(side), slot, from: tileName(from), to: tileName(to) });
  };
  for (const operation of operations) {
    if (operation.op === "move") add(operation.side, operation.slot, operation.to);
    if (operation.op !== "battle") continue;
    const { side, slot, defender, tile, kind } = operation;
    const other = otherSide(side);
    add(side, slot, tile);
    // In a swap each pawn enters the tile that the other leaves.
    const target = kind === BattleKind.Swap ? before.sides[side].tiles[slot] : tile;
    if (kind !== BattleKind.Attack) add(other, defender, target);
  }
  return [...moves].sort(([a], [b]) => a - b).map(([, move]) => move);
}

function battlesIn({ operations, after }: ToldTurn): PawnBattle[] {
  const known = knownIn(after);
  return operations.flatMap((operation): PawnBattle | never[] => {
    if (operation.op !== "battle") return [];
    const { side, slot, defender, tile, kind, winner } = operation;
    return {
      kind: KINDS[kind as keyof typeof KINDS],
      tile: tileName(tile),
      attacker: rankedPawn(known, side, slot),
      defender: rankedPawn(known, otherSide(side), defender),
      winner,
    };
  });
}

function provedIn({ operations, after }: ToldTurn): RankedPawn[] {
  return operations.flatMap((operation) =>
    operation.op === "reveal" ? rankedPawn(knownIn(after), operation.side, operation.slot) : [],
  );
}

function fallenIn({ turn, operations, before, after }: ToldTurn): FallenPawn[] {
  return operations.flatMap((operation): FallenPawn | never[] => {
    if (operation.op !== "kill") return [];
    const { side, slot } = operation;
    return { ...rankedPawn(knownIn(after), side, slot), turn, tile: tileName(before.sides[side].tiles[slot]) };
  });
}

function rankedPawn(known: KnownRanks, side: number, slot: number): RankedPawn {
  const pawn = { player: playerOf(side), slot };
  return { ...pawn, rank: rankName(known, pawn) };
}

function rankName(known: KnownRanks, { player, slot }: PawnId): string | null {
  const code = known[sideOf(player)][slot];
  return code ? RANKS[code - 1].name : null;
}
