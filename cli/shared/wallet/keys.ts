import type { Signer } from "ethers";
import type { SecretStore } from "../../../sdk/games/moves.js";
import { heldSecretStore, type KeyHolder, type KeyScope } from "../../../sdk/player/key-store.js";
import { randomKey, UnsteadyWallet, walletKeys } from "../../../sdk/player/secrets.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { log } from "../command/output.js";
import type { Vault } from "../files/vault.js";

/** Facts on which the keys of a command's caller depend. */
interface KeyOwner {
  readonly vault: Vault;
  readonly chainId: number;
  readonly addresses: { readonly Arena: string };
  signer(): Promise<Signer>;
  address(): Promise<string>;
  /** Returns the caller's address; undefined if the command names nobody. */
  caller(): Promise<string | undefined>;
}

/** Keys of a command's caller to its committed moves, which are stored in the vault or derived from its wallet. */
export class CallerKeys implements KeyHolder {
  /** Keys of the wallet, which is asked for its signature once. */
  private derived?: Promise<readonly [Hex, ...Hex[]]>;

  constructor(private readonly owner: KeyOwner) {}

  get store(): Vault {
    return this.owner.vault;
  }

  caller(): Promise<string | undefined> {
    return this.owner.caller();
  }

  /**
   * Returns the caller's keys at this arena: the stored key, otherwise the keys of the wallet.
   * @throws UnsteadyWallet if the wallet signs differently each time.
   */
  async findKeys(): Promise<readonly [Hex, ...Hex[]]> {
    const place = await this.scope();
    const kept = await this.store.key(place);
    if (kept !== undefined) return [kept];
    return (this.derived ??= walletKeys(await this.owner.signer(), place.chainId, place.arena));
  }

  /** Returns the caller's key. Generates and stores a random key if the wallet derives no key. */
  async requireKey(): Promise<Hex> {
    try {
      const [key] = await this.findKeys();
      return key;
    } catch (error) {
      if (!(error instanceof UnsteadyWallet)) throw error;
      const key = randomKey();
      const file = await this.store.keepKey({ ...(await this.scope()), key });
      log(`Your wallet signs differently each time, so only ${file} can reveal your committed moves: back it up.`);
      return key;
    }
  }

  /** Returns the chain, arena and player of the caller's key. */
  async scope(): Promise<KeyScope> {
    const { chainId, addresses } = this.owner;
    return { chainId, arena: addresses.Arena, player: await this.owner.address() };
  }

  /** Returns the secret store of a player in a game, with the keys of the caller. */
  secretStoreOf(game: string, player: string): SecretStore {
    return heldSecretStore(this, { chainId: this.owner.chainId, game, player });
  }
}
