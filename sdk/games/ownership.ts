import { ZeroAddress } from "ethers";
import { isMint, type AnyEvent } from "../chain/events.js";
import { MismatchError, mismatchAt } from "../chain/mismatch.js";

/** Follows the owners of a contract's tokens, event by event. */
export class Ownership {
  private readonly ownership = new Map<bigint, string>();
  private minted = 0n;

  /**
   * @param token Address of the contract.
   * @param noun Name of one token, e.g. `fighter`.
   */
  constructor(
    private readonly token: string,
    private readonly noun: string,
  ) {}

  /**
   * Takes the next event.
   * @throws MismatchError for a transfer by an account other than the owner, or a token minted out of order.
   */
  take(event: AnyEvent): void {
    if (event.address !== this.token) return;
    if (event.name === "Transfer") {
      const { id, from, to } = event.args;
      this.expect(event, id, from);
      this.ownership.set(id, to);
    } else if (isMint(event)) {
      const { id, to } = event.args;
      this.minted++;
      if (id !== this.minted) throw differs(event, `the number of the ${this.noun}`, this.minted, id);
      this.expect(event, id, to);
    }
  }

  /** Checks that a player owns its tokens and uses each once. @throws MismatchError for the event otherwise. */
  check(event: AnyEvent, ids: readonly bigint[], player: string): void {
    for (const [slot, id] of ids.entries()) {
      if (ids.indexOf(id) < slot) throw differs(event, "the team", "different ones", `${this.noun} ${id} twice`);
      this.expect(event, id, player);
    }
  }

  private expect(event: AnyEvent, id: bigint, player: string): void {
    const owner = this.ownership.get(id) ?? ZeroAddress;
    if (owner !== player) throw differs(event, `the owner of ${this.noun} ${id}`, owner, player);
  }
}

/** Makes the error for an impossible event. */
export function differs(event: AnyEvent, what: string, expected: unknown, found: unknown): MismatchError {
  return new MismatchError(mismatchAt(event, what, expected, found));
}
