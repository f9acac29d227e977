import type { Paint } from "../module.js";
import { draw } from "./draw.js";
import { moveText, RANK_LETTERS } from "./notation.js";
import type { Player, Prospect } from "./player.js";
import { Phase } from "./position.js";
import { Kind } from "./protocol.js";
import { RANKS } from "./ranks.js";
import { tileName } from "./tiles.js";

const LEGEND = RANKS.map(({ name }, rank) => `${RANK_LETTERS[rank]} ${name}`).join(", ");

/** What a player sees: its own ranks and the known ones; in its turn, what it must show and what is asked of it. */
export function viewOf(player: Player, inTurn: boolean, paint: Paint): string[] {
  if (!inTurn) {
    const { position } = player;
    return [
      `Turn ${position.turn}`,
      ...draw(position, paint, player.sight(position)),
      LEGEND,
      "The other player's turn.",
    ];
  }
  const prospect = player.foresee();
  const board = prospect.board ?? player.position;
  const proofs = prospect.proves.map((slot) => {
    const { name } = RANKS[player.own.setup.ranks[slot]];
    return `Proof due: your pawn on ${tileName(player.tileOf(slot))} is a ${name}; your action shows it.`;
  });
  return [`Turn ${board.turn}`, ...draw(board, paint, player.sight(board)), LEGEND, ...proofs, asked(player, prospect)];
}

/** What a player is to do, in a sentence. */
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
