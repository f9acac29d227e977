import {
  Kind,
  moveText,
  NONE,
  Phase,
  RANKS,
  slotAt,
  STUCK,
  tileName,
  tilesOfMove,
  type Move,
  type Player,
  type Prospect,
} from "duello/games/warmancer";

/** True if a move that is chosen now stays hidden until the other player has answered. */
function isHidden({ kind, board }: Prospect): boolean {
  return kind === Kind.Commit || ((kind === Kind.Reveal || kind === Kind.Prove) && board?.rules.sequential === false);
}

/** Writes a move for people, e.g. `d4–d5`. */
function wayText(move: Move): string {
  return moveText(move).replace("-", "–");
}

/** Describes the choice that a player must make. */
export function asked(
  player: Player,
  prospect: Prospect,
  { isFirst, isStuck }: { isFirst: boolean; isStuck: boolean },
): string {
  const { kind, board, waits, winner } = prospect;
  const { position, side } = player;
  if (kind === Kind.Setup) return "The game is over. Show your army, so that it can be checked.";
  if (waits) return "They must prove the rank of their pawn before the battle is decided.";
  if (board === undefined) return endText(winner, side);
  if (isStuck) return "None of your pawns can move.";
  if (position.phase === Phase.Reply) return "They have no legal move: any move of yours wins.";
  if (kind === Kind.Answer) return "Their move is fixed, but hidden. Choose yours: tap a pawn, then a marked tile.";
  if (isHidden(prospect)) return "Choose your next move in secret: tap a pawn, then a marked tile.";
  const others = prospect.moves[1 - side];
  if (isFirst && others !== NONE) return `They play ${wayText(others)}. Choose your move of this turn.`;
  return player.wanted(prospect) === 2 && !isFirst
    ? "Now choose your move of the next turn, which you begin."
    : "Choose your move: tap a pawn, then a marked tile.";
}

function endText(winner: number | undefined, side: number): string {
  if (winner === 0) return "This turn ends the game in a draw.";
  return winner === side + 1 ? "This turn wins you the game." : "This turn loses you the game.";
}

/** Lists what an action reveals, in sentences, before it is sent. */
export function consequences(player: Player, prospect: Prospect, move?: Move): string[] {
  const { kind, proves, board, waits, winner } = prospect;
  const { side, position, own } = player;
  const sentences: string[] = [];
  if (kind === Kind.Reveal) sentences.push(`It reveals your move ${wayText(prospect.moves[side])}.`);
  for (const slot of proves)
    sentences.push(
      `It proves to everybody that your pawn on ${tileName(player.tileOf(slot))} is ${rankOf(own.setup.ranks[slot])}.`,
    );
  if (waits) sentences.push("Then they prove theirs.");
  if (kind === Kind.Setup || (winner === side + 1 && !position.rules.casual))
    sentences.push("It shows your whole army, the hidden pawns too.");
  if (board === undefined || move === undefined || move === STUCK) return sentences;
  if (isHidden(prospect)) return [...sentences, `Your move ${wayText(move)} stays hidden until they have answered.`];
  const { rules, sides, at } = board;
  const [from, to] = tilesOfMove(move);
  const slot = slotAt(at[from], side);
  const isAttack = at[to] !== 0;
  if (kind === Kind.Answer)
    sentences.push("Everybody sees this move. If its pawn gets into a battle, you prove its rank next.");
  else if (rules.sequential && isAttack && !sides[side].ranks[slot] && position.phase !== Phase.Reply)
    sentences.push(`Everybody sees this move, and that the pawn is ${rankOf(own.setup.ranks[slot])}.`);
  else sentences.push("Everybody sees this move.");
  return sentences;
}

function rankOf(rank: number): string {
  const { name } = RANKS[rank];
  return `${name === "Throne" ? "the" : /^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}

/** Beginnings of the button's label if the move stays hidden, by the kind of the action. */
const HIDDEN: Readonly<Record<number, string>> = {
  [Kind.Commit]: "Commit to ",
  [Kind.Reveal]: "Reveal, and commit to ",
  [Kind.Prove]: "Prove, and commit to ",
};

/** Returns the label of the button that sends the action. */
export function labelOf(at: { player: Player; prospect: Prospect; move?: Move; isLast: boolean }): string {
  const { player, prospect, move, isLast } = at;
  const { kind, board, moves } = prospect;
  if (kind === Kind.Setup) return "Show your army";
  if (board === undefined) return kind === Kind.Reveal ? `Reveal ${wayText(moves[player.side])}` : "Prove your pawn";
  if (move === undefined) return "Choose a move";
  if (move === STUCK) return "Say that you cannot move";
  const way = wayText(move);
  if (!isLast) return `Take ${way}, then choose the next`;
  if (isHidden(prospect)) return HIDDEN[kind] + way;
  return kind === Kind.Answer ? `Answer ${way}` : `Play ${way}`;
}
