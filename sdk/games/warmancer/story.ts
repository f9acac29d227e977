import type { MatchRecord } from "../../chain/record.js";
import type { Secret } from "../../protocol/commitment.js";
import { playerOf, sideOf } from "../../protocol/sides.js";
import { Seat } from "../../protocol/status.js";
import { listed } from "../../protocol/text.js";
import type { Paint, Telling } from "../module.js";
import { decodeAction, isStuck, type SentAction } from "./decode-action.js";
import { draw, rowsOf, type KnownRanks } from "./draw.js";
import { STUCK, type Move } from "./legal-moves.js";
import { decodeEntry } from "./log.js";
import type { Mode } from "./mode.js";
import { moveText, RANK_LETTERS } from "./notation.js";
import { setupBehind, type Player, type Prospect } from "./player.js";
import { Phase, startPosition, type Position } from "./position.js";
import { RANKS } from "./ranks.js";
import type { ReplayedMatch } from "./replay.js";
import { Kind } from "./state.js";
import { knownIn, tellTurns } from "./told-turns.js";
import { tileName } from "./tiles.js";

const NAMED = RANKS.map(({ name }, rank) => `${RANK_LETTERS[rank]} ${name}`);
/** Letters of the ranks, on two lines that fit a terminal. */
const LEGEND = [NAMED.slice(0, NAMED.length / 2), NAMED.slice(NAMED.length / 2)].map((names) => names.join(", "));

/** Describes a match: its turns, and the final board with every rank that the match or a player has shown. */
export function tellMatch(
  { match, state, logs }: ReplayedMatch,
  { actions, settlement }: MatchRecord,
  paint: Paint,
  { turns = false, shown = [], sight = "end" }: Telling,
): string[] {
  if (state.position === undefined) return [];
  const armies = armiesIn(state.position, shown);
  const start = startOf(match.mode, state.position);
  const operations = logs.flatMap(({ entries }) => entries.map(decodeEntry));
  const told = tellTurns(start, operations, paint);
  const isOver = settlement !== undefined || state.turn === Seat.None;
  const byEnd = isOver ? withSent(armies, actions) : armies;
  const seen = byEnd.map((codes, side) => {
    const isSeen = sight === "end" || sight === `player ${playerOf(side)}`;
    return isOver && !isSeen ? new Uint8Array(codes.length) : codes;
  });
  const rows = (board: Position) => rowsOf(board, paint, knownIn(board, seen));
  const lines = told.flatMap(({ turn, sentences, after }) =>
    turns
      ? [`Turn ${turn}`, ...sentences.map((sentence) => `  ${sentence}`), ...rows(after), ""]
      : sentences.map((sentence) => `Turn ${turn}: ${sentence}`),
  );
  const space = turns ? [] : [""];
  if (!isOver) {
    return [...lines, ...space, ...draw(state.position, paint, knownIn(state.position, armies))];
  }
  const known = knownIn(state.position, byEnd);
  return [
    ...lines,
    ...space,
    "The end, with every rank that was shown",
    ...draw(state.position, paint, known),
    ...LEGEND,
    ...known.map((codes, side) => `Setup of player ${playerOf(side)}: ${setupLine(start.sides[side].tiles, codes)}`),
  ];
}

/** Returns the position before the first turn, with the ranks of a casual match. */
export function startOf(mode: Mode, { rules, sides }: Position): Position {
  const ranks = sides.map((side) => Array.from(side.ranks, (code) => code - 1));
  return startPosition(mode, rules.casual ? { ranks } : { roots: sides.map(({ root }) => root) });
}

/** Draws the setup that a seat's secret reveals, as it was before the first turn. */
export function drawSetup({ match, state }: ReplayedMatch, seat: bigint, secret: Secret, paint: Paint): string[] {
  const start = startOf(match.mode, state.position!);
  const side = sideOf(Number(seat));
  const known = armiesIn(start, [{ seat, secret }]);
  return [
    ...draw(start, paint, known),
    ...LEGEND,
    `Setup of player ${seat}: ${setupLine(start.sides[side].tiles, known[side])}`,
  ];
}

/** Returns the codes of ranks, by side and slot, of the shown setups; 0 for all others. */
function armiesIn({ sides }: Position, shown: Telling["shown"] = []): Uint8Array[] {
  const armies = sides.map(({ tiles }) => new Uint8Array(tiles.length));
  for (const { seat, secret } of shown) {
    armies[sideOf(Number(seat))] = Uint8Array.from(setupBehind(secret).ranks, (rank) => rank + 1);
  }
  return armies;
}

/** Adds the ranks that actions have proved or shown to the known ranks. */
export function withSent(known: KnownRanks, actions: MatchRecord["actions"]): KnownRanks {
  const all = known.map((codes) => codes.slice());
  for (const { seat, data } of actions) {
    const { proofs, setup } = decodeAction(data);
    const own = all[sideOf(Number(seat))];
    for (const { slot, rank } of proofs) own[slot] = rank + 1;
    setup?.ranks.forEach((rank, slot) => (own[slot] = rank + 1));
  }
  return all;
}

/** Writes a setup in the players' notation, row by row, with ? for an unknown rank. */
function setupLine(tiles: Uint8Array, codes: Uint8Array): string {
  const letters = Array.from(codes, (code, slot) => {
    const isFirst = slot > 0 && tiles[slot] >> 4 !== tiles[slot - 1] >> 4;
    return `${isFirst ? "/" : ""}${code ? RANK_LETTERS[code - 1] : "?"}`;
  });
  return letters.join("");
}

/** Describes the actions of a match's players, as a module's `actionTexts` does. */
export function tellActions({ match }: ReplayedMatch, { joinData, actions }: MatchRecord): string[] {
  const begun = match.mode.casual ? "shows its setup" : "commits to its setup";
  if (joinData === undefined) return [begun];
  return [begun, begun, ...actions.map(({ seat, data }) => actionText(sideOf(Number(seat)), decodeAction(data)))];
}

function actionText(side: number, sent: SentAction): string {
  const { kind, position, moves, proofs, next, setup } = sent;
  if (kind === Kind.Concede) return "concedes";
  const ranks = proofs.map(({ slot, rank }) => {
    return `the ${RANKS[rank].name} on ${tileName(position.sides[side].tiles[slot])}`;
  });
  const parts = [
    ...(kind === Kind.Prove ? [] : moveTexts(kind, moves)),
    ...(ranks.length > 0 ? [`proves ${listed(ranks)}`] : []),
    ...(kind === Kind.Prove ? moveTexts(kind, moves) : []),
    ...(isStuck(sent) ? ["has no legal move"] : []),
    ...(next !== undefined && !isStuck(sent) ? [`commits to ${kind === Kind.Commit ? "a" : "its next"} move`] : []),
    ...(setup ? ["shows its setup"] : []),
  ];
  return listed(parts);
}

function moveTexts(kind: number, moves: readonly Move[]): string[] {
  const verb = { [Kind.Answer]: "answers", [Kind.Reveal]: "reveals" }[kind] ?? "moves";
  return moves.map((move) => {
    if (move !== STUCK) return `${verb} ${moveText(move)}`;
    return kind === Kind.Answer ? "answers that it has no legal move" : "has no legal move";
  });
}

/** Shows a board as a player sees it and, in the player's turn, the required proofs and move. */
export function viewOf(player: Player, { turn, seat }: { turn: bigint; seat: bigint }, paint: Paint): string[] {
  if (turn !== seat) {
    const { position } = player;
    return [
      `Turn ${position.turn}`,
      ...draw(position, paint, player.sight(position)),
      ...LEGEND,
      turn === Seat.None ? "The game is over." : "The other player's turn.",
    ];
  }
  const prospect = player.foresee();
  const board = prospect.board ?? player.position;
  const proofs = prospect.proves.map((slot) => {
    const { name } = RANKS[player.own.setup.ranks[slot]];
    return `Proof due: your pawn on ${tileName(player.tileOf(slot))} is a ${name}; your action shows it.`;
  });
  return [
    `Turn ${board.turn}`,
    ...draw(board, paint, player.sight(board)),
    ...LEGEND,
    ...proofs,
    asked(player, prospect),
  ];
}

/** Explains in a sentence what a player must do. */
function asked(player: Player, prospect: Prospect): string {
  const { kind, board, winner, waits } = prospect;
  if (kind === Kind.Setup) return "The game is over: your setup is to be shown, act without a move.";
  if (waits) return "The other player must prove ranks before the turn is over: act without a move.";
  if (board === undefined) {
    const end = winner === 0 ? "in a draw" : `and player ${winner} wins`;
    return `The turn ends the game ${end}: act without a move.`;
  }
  const [example] = player.legal(board);
  const move = example === undefined ? "stuck, as you have no legal move" : `a move like ${moveText(example)}`;
  if (player.position.phase === Phase.Reply) return `The other player has no legal move. You win by ${move}.`;
  const committed = kind === Kind.Commit || ((kind === Kind.Reveal || kind === Kind.Prove) && !board.rules.sequential);
  if (player.wanted(prospect) === 2) return `Asked for: ${move}, and your move of the next turn.`;
  return `Asked for: ${move}${committed ? ", which will be committed" : ""}.`;
}
