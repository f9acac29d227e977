import { ZeroHash } from "ethers";
import type { Archive } from "../../archive.js";
import { Bouts } from "../../verify/brought.js";
import { Owners } from "../../verify/owners.js";
import { decodeTeam, ID_BYTES } from "./match.js";
import { decodeMode, defaultMode } from "./mode.js";

/** Follows whose the cards are that are brought. Nothing is kept of them. */
export function audit(archive: Archive): [] {
  const { GuardianCards, Guardians } = archive.addresses;
  const owners = new Owners(GuardianCards, "card");
  const bouts = new Bouts(Guardians, ({ mode }) => ID_BYTES * teamSize(archive, mode));
  for (const event of archive.all) {
    owners.take(event);
    const bout = bouts.take(event);
    const side = ["Acted", "Joined"].indexOf(event.name);
    if (bout && side >= 0) owners.check(event, decodeTeam(bout.moves[side]!), bout.players[side]);
  }
  return [];
}

function teamSize(archive: Archive, mode: string): number {
  if (mode === ZeroHash) return defaultMode.teamSize;
  const [registered] = archive.find(archive.addresses.Guardians, "ModeRegistered", { mode });
  return decodeMode(registered.args.content).teamSize;
}
