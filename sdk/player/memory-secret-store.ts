import type { SecretStore } from "../games/moves.js";
import { decodeCommitment, newSalt } from "../protocol/commit-reveal.js";
import { commitmentBy, type CommitmentScheme, type Committer, type Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";

/** Secret behind a commitment of 32 bytes. */
export type KeptSecret = readonly [commitment: Hex, secret: Secret];

/**
 * Secret store in memory. Its commitments contain no note.
 * @example
 * ```ts
 * import { MemorySecretStore } from "duello";
 *
 * const store = new MemorySecretStore(committer);
 * const committed = await store.commit("0x00");
 * (await store.reveal(committed)).move; // => "0x00"
 * ```
 */
export class MemorySecretStore implements SecretStore {
  private readonly secrets: Map<Hex, Secret>;

  /** @param kept Initial secrets. */
  constructor(
    private readonly by: Committer,
    kept: Iterable<KeptSecret> = [],
  ) {
    this.secrets = new Map(kept);
  }

  /** All secrets, in order of creation. */
  get kept(): KeptSecret[] {
    return [...this.secrets];
  }

  /** Returns an independent store with the same secrets. */
  copy(): MemorySecretStore {
    return new MemorySecretStore(this.by, this.secrets);
  }

  /** Copies the secrets of another store. */
  learn({ secrets }: MemorySecretStore): void {
    for (const [commitment, secret] of secrets) this.secrets.set(commitment, secret);
  }

  async commit(move: Hex, scheme: CommitmentScheme = commitmentBy(this.by)): Promise<Hex> {
    const secret = { move, salt: newSalt() };
    const commitment = scheme(secret);
    this.secrets.set(commitment, secret);
    return commitment;
  }

  async reveal(committed: Hex): Promise<Secret> {
    const { commitment } = decodeCommitment(committed);
    const secret = this.secrets.get(commitment);
    if (!secret) throw new Error(`The secret behind the commitment ${commitment} is not in this store.`);
    return secret;
  }
}
