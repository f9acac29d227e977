import type { AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import { RevealedMovesByMatch } from "../revealed-moves.js";
import { ModeRegistry } from "../mode-registry.js";
import { Ownership } from "../ownership.js";
import type { Audit } from "../module.js";
import { decodeMode, defaultMode } from "./mode.js";
import { decodeTeam, teamBytes } from "./moves.js";

/** Tracks the owners of cards; only an owner may use a card. The game stores nothing about a card. */
export function audit({ addresses: { GuardianCards } }: History, game: string): Audit {
  const ownership = new Ownership(GuardianCards, "card");
  const modes = new ModeRegistry(game, defaultMode, decodeMode);
  const revealedMoves = new RevealedMovesByMatch(game, ({ mode }) => teamBytes(modes.of(mode)));
  return {
    take(event: AnyEvent): void {
      ownership.take(event);
      modes.take(event);
      const revealed = revealedMoves.take(event);
      if (!revealed) return;
      const checkTeam = (side: number) =>
        ownership.check(event, decodeTeam(revealed.moves[side]!), revealed.players[side]);
      if (event.name === "Acted") checkTeam(0);
      else if (event.name === "Joined") checkTeam(1);
    },
    expectedAnswers: () => [],
  };
}
