import type { Keeper } from "../../sdk/games/moves.js";
import type { Commit } from "../../sdk/protocol/sealed.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decodeSealed, newSalt, sealOf } from "../../sdk/protocol/seal.js";
import type { Sealer, Secret } from "../../sdk/protocol/sealed.js";

/** Keeps secrets as long as the process runs, without a note behind their seals. */
export class MemoryKeeper implements Keeper {
  private readonly secrets = new Map<Hex, Secret>();

  constructor(private readonly by: Sealer) {}

  async seal(move: Hex, commit: Commit = (secret) => this.sealOf(secret)): Promise<Hex> {
    const secret = { move, salt: newSalt() };
    const seal = commit(secret);
    this.secrets.set(seal, secret);
    return seal;
  }

  async open(sealed: Hex): Promise<Secret> {
    return this.secrets.get(decodeSealed(sealed).seal)!;
  }

  private sealOf({ move, salt }: Secret): Hex {
    const { chainId, game, player } = this.by;
    return sealOf(chainId, game, player, move, salt);
  }
}
