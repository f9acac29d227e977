import type { SecretStore } from "../../sdk/games/moves.js";
import type { CommitmentScheme } from "../../sdk/protocol/commitment.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decodeCommitment, newSalt, commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import type { Committer, Secret } from "../../sdk/protocol/commitment.js";

/** Secret store in memory. Its commitments carry no note. */
export class MemorySecretStore implements SecretStore {
  private readonly secrets = new Map<Hex, Secret>();

  constructor(private readonly by: Committer) {}

  async commit(move: Hex, scheme: CommitmentScheme = (secret) => this.commitmentOf(secret)): Promise<Hex> {
    const secret = { move, salt: newSalt() };
    const commitment = scheme(secret);
    this.secrets.set(commitment, secret);
    return commitment;
  }

  async reveal(committed: Hex): Promise<Secret> {
    return this.secrets.get(decodeCommitment(committed).commitment)!;
  }

  private commitmentOf({ move, salt }: Secret): Hex {
    const { chainId, game, player } = this.by;
    return commitmentOf(chainId, game, player, move, salt);
  }
}
