import type { AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import { Bouts } from "../brought.js";
import { Modes } from "../modes.js";
import { Owners } from "../owners.js";
import type { Audit } from "../module.js";
import { decodeTeam, ID_BYTES } from "./match.js";
import { decodeMode, defaultMode } from "./mode.js";

/** Follows whose the cards are that are brought. Nothing is kept of them. */
export function audit({ addresses: { GuardianCards, Guardians } }: History): Audit {
  const owners = new Owners(GuardianCards, "card");
  const modes = new Modes(Guardians, defaultMode, decodeMode);
  const bouts = new Bouts(Guardians, ({ mode }) => ID_BYTES * modes.of(mode).teamSize);
  return {
    take(event: AnyEvent): void {
      owners.take(event);
      modes.take(event);
      const bout = bouts.take(event);
      const side = ["Acted", "Joined"].indexOf(event.name);
      if (bout && side >= 0) owners.check(event, decodeTeam(bout.moves[side]!), bout.players[side]);
    },
    kept: () => [],
  };
}
