import type { AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import { RevealedMovesByMatch } from "../revealed-moves.js";
import { ModeRegistry } from "../mode-registry.js";
import { Ownership } from "../ownership.js";
import type { Audit } from "../module.js";
import { decodeTeam, ID_BYTES } from "./match.js";
import { decodeMode, defaultMode } from "./mode.js";

/** Follows whose the cards are that are brought. Nothing is kept of them. */
export function audit({ addresses: { GuardianCards, Guardians } }: History): Audit {
  const ownership = new Ownership(GuardianCards, "card");
  const modes = new ModeRegistry(Guardians, defaultMode, decodeMode);
  const revealedMoves = new RevealedMovesByMatch(Guardians, ({ mode }) => ID_BYTES * modes.of(mode).teamSize);
  return {
    take(event: AnyEvent): void {
      ownership.take(event);
      modes.take(event);
      const revealed = revealedMoves.take(event);
      const side = ["Acted", "Joined"].indexOf(event.name);
      if (revealed && side >= 0) ownership.check(event, decodeTeam(revealed.moves[side]!), revealed.players[side]);
    },
    expectedAnswers: () => [],
  };
}
