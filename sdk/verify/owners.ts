import type { AnyEvent } from "../events.js";
import { Different, placeOf } from "./difference.js";

/** Who owns the tokens of a contract, followed event by event. */
export class Owners {
  private readonly owners = new Map<bigint, string>();

  /** @param token The contract's address. */
  constructor(private readonly token: string) {}

  take({ name, args, address }: AnyEvent): void {
    if (name === "Transfer" && address === this.token) this.owners.set(args.tokenId, args.to);
  }

  /** Checks that a player brings different tokens of its own. @throws Different for the event that brings others. */
  check(event: AnyEvent, noun: string, ids: readonly bigint[], player: string): void {
    for (const [slot, id] of ids.entries()) {
      if (ids.indexOf(id) < slot) throw differs(event, `the team`, "different ones", `${noun} ${id} twice`);
      const owner = this.owners.get(id) ?? "nobody";
      if (owner !== player) throw differs(event, `the owner of ${noun} ${id}`, player, owner);
    }
  }
}

/** An event that cannot have been. */
export function differs(event: AnyEvent, what: string, expected: unknown, found: unknown): Different {
  return new Different({ ...placeOf(event), what, expected: String(expected), found: String(found) });
}
