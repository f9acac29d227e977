import { computed, signal, type ReadonlySignal } from "@preact/signals";
import {
  checkExported,
  checkOwnKey,
  exportedText,
  InputError,
  keyRequest,
  keysOfSignatures,
  randomKey,
  readExported,
  readKeyBackup,
  UnsteadyWallet,
  type Addresses,
  type GameModule,
  type Hex,
  type KeyHolder,
  type KeyScope,
  type KeyStore,
  type StoredKey,
  type StoredSecret,
} from "duello";
import type { Signer } from "ethers";
import { database, databaseIfKept } from "../store/database.ts";
import { withLock } from "./transactions.ts";

/** Keys of a player: new commitments are made with the first. */
type PlayerKeys = readonly [Hex, ...Hex[]];

/** Origin of a player's keys: the wallet can recreate them at any time, or only a backup restores them. */
export type KeyOrigin = "wallet" | "own";

/** Stored form of a player's keys. */
interface Kept {
  readonly keys: PlayerKeys;
  readonly origin: KeyOrigin;
}

/** Encrypted form in which the keys are stored. */
interface Encrypted {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

const LOCK = "keys";
const BACKUP = "backup";
const PLACE = "this browser";
const IV_BYTES = 12;

/** Request to a person whose wallet gives no stable key. */
export interface UnsteadyQuestion {
  readonly scope: KeyScope;
  /** Answers with the text of a backup: of an existing key, or of a fresh key that the person has saved. */
  answer(backup: string): Promise<void>;
  /** Closes the request without a key. */
  cancel(): void;
}

const asked = signal<UnsteadyQuestion | undefined>(undefined);

/** The open request; a dialog shows it. */
export const unsteadyQuestion: ReadonlySignal<UnsteadyQuestion | undefined> = asked;

/** Keys of a player at an arena: stored in this browser, otherwise requested from the wallet. */
export class Keyring implements KeyHolder {
  /** Secrets and keys that were imported. */
  readonly store: KeyStore = {
    key: async () => (await this.find())?.[0],
    keepKey: async (stored) => this.keepKey(stored),
    secret: async (commitment) => readEncrypted<StoredSecret>(secretName(commitment)),
    keepSecret: async (stored) => this.keepSecret(stored),
  };

  private readonly held = signal<Kept | undefined>(undefined);
  private opening?: Promise<PlayerKeys>;

  constructor(
    readonly scope: KeyScope,
    private readonly signer: Signer,
  ) {}

  /** Origin of the keys; undefined while the page does not have the keys. */
  readonly origin: ReadonlySignal<KeyOrigin | undefined> = computed(() => this.held.value?.origin);

  /** Finds the keys without asking the wallet. */
  async find(): Promise<PlayerKeys | undefined> {
    this.held.value ??= await readEncrypted<Kept>(nameOf(this.scope));
    return this.held.value?.keys;
  }

  /**
   * Returns the keys; asks the wallet if this browser has not stored them. The first time it asks for two signatures,
   * to detect a wallet that signs differently each time, and later for one.
   */
  async keys(): Promise<PlayerKeys> {
    const found = await this.find();
    if (found) return found;
    this.opening ??= this.ask().finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** Returns the player. */
  async caller(): Promise<string> {
    return this.scope.player;
  }

  /** Returns the keys, as `keys` does. */
  async findKeys(): Promise<PlayerKeys> {
    return this.keys();
  }

  /** Returns the key for new commitments. */
  async requireKey(): Promise<Hex> {
    const [key] = await this.keys();
    return key;
  }

  /** Returns the key in the format that the command line also accepts. */
  async backup(): Promise<string> {
    return backupText({ ...this.scope, key: await this.requireKey() });
  }

  /**
   * Imports a key, or the secrets of a match, from the output of the page or of the command line's `secrets export`;
   * existing keys stay, listed after the new one.
   * @param by Games and addresses of the deployment, with which secrets are checked.
   * @returns the number of secrets; 0 for a key.
   * @throws InputError if the text is neither of these, or is for another player, arena or chain.
   */
  async import(backup: string, by: { games: readonly GameModule[]; addresses: Addresses }): Promise<number> {
    const exported = readExported(parsed(backup), BACKUP);
    checkExported(exported, { chainId: this.scope.chainId, ...by }, BACKUP);
    for (const each of exported) await ("key" in each ? this.store.keepKey(each) : this.store.keepSecret(each));
    return exported.filter((each) => !("key" in each)).length;
  }

  /** Deletes the keys in this browser: the wallet, or a backup, restores them. */
  async forget(): Promise<void> {
    this.held.value = undefined;
    await (await opened())?.delete("secrets", nameOf(this.scope));
  }

  private async ask(): Promise<PlayerKeys> {
    const { chainId, arena, player } = this.scope;
    const { domain, types, value } = keyRequest(chainId, arena);
    const sign = () => this.signer.signTypedData(domain, types, value);
    const steady = `steady/${player}`;
    try {
      const first = await sign();
      const isSteady = (await (await opened())?.get("settings", steady)) === true;
      const keys = isSteady ? keysOfSignatures([first]) : keysOfSignatures([first, await sign()]);
      await this.hold({ keys, origin: "wallet" });
      await (await opened())?.put("settings", true, steady);
      return keys;
    } catch (error) {
      if (!(error instanceof UnsteadyWallet)) throw error;
      return this.askForOwn();
    }
  }

  private askForOwn(): Promise<PlayerKeys> {
    return new Promise((resolve, reject) => {
      asked.value = {
        scope: this.scope,
        answer: async (backup) => {
          await this.store.keepKey(readKeyBackup(parsed(backup), BACKUP));
          asked.value = undefined;
          resolve(this.held.value!.keys);
        },
        cancel: () => {
          asked.value = undefined;
          reject(new Error("Without a key of its own your wallet cannot keep a move secret: nothing was sent."));
        },
      };
    });
  }

  /** @throws InputError for a key of somebody else */
  private async keepKey(stored: StoredKey): Promise<string> {
    const before = (await this.find()) ?? [];
    const [first, ...others] = before;
    const isWallets = this.held.value?.origin === "wallet" && first !== undefined;
    checkOwnKey(stored, this.scope, isWallets ? [first, ...others] : undefined, BACKUP);
    // The wallet can recreate its own key, so nothing has to be stored.
    if (isWallets) return PLACE;
    await this.hold({ keys: [stored.key, ...before.filter((each) => each !== stored.key)], origin: "own" });
    return PLACE;
  }

  private async keepSecret(stored: StoredSecret): Promise<string> {
    const name = secretName(stored.commitment);
    const kept = await readEncrypted<StoredSecret>(name);
    if (kept && exportedText([kept]) !== exportedText([stored])) {
      throw new Error("This browser keeps another secret of this commitment already, which is not replaced.");
    }
    await keepEncrypted(name, stored);
    return PLACE;
  }

  private async hold(kept: Kept): Promise<void> {
    this.held.value = kept;
    await keepEncrypted(nameOf(this.scope), kept);
  }
}

/** Writes a fresh key as a backup. */
export function freshBackup(scope: KeyScope): string {
  return backupText({ ...scope, key: randomKey() });
}

function backupText(stored: StoredKey): string {
  return `${exportedText(stored)}\n`;
}

function parsed(backup: string): unknown {
  try {
    return JSON.parse(backup);
  } catch {
    throw new InputError(BACKUP, "not the file of a key");
  }
}

/** Reads data that `keepEncrypted` has stored; undefined if there is none, or this browser cannot decrypt it any more. */
export async function readEncrypted<T>(name: string): Promise<T | undefined> {
  const kept = (await (await opened())?.get("secrets", name)) as Encrypted | undefined;
  if (!kept) return undefined;
  try {
    const data = await crypto.subtle.decrypt({ name: "AES-GCM", iv: kept.iv }, await cipher(), kept.data);
    return JSON.parse(new TextDecoder().decode(data)) as T;
  } catch {
    // The key that encrypted the data is gone; the wallet or a backup restores the player's keys.
    return undefined;
  }
}

/** Stores data encrypted with a key that no script can read. Does nothing if the browser stores nothing. */
export async function keepEncrypted(name: string, kept: unknown): Promise<void> {
  const store = await opened();
  if (!store) return;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = new TextEncoder().encode(JSON.stringify(kept));
  const encrypted: Encrypted = { iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await cipher(), data) };
  await store.put("secrets", encrypted, name);
}

/**
 * Returns the key that this browser stores encrypted under a name; creates it the first time.
 * @throws Error if the browser stores nothing: the key would be lost with the page
 */
export async function keptKey(name: string): Promise<Hex> {
  return withLock(name, {}, async () => {
    await database();
    const known = await readEncrypted<Hex>(name);
    const key = known ?? randomKey();
    if (known === undefined) await keepEncrypted(name, key);
    return key;
  });
}

/** Returns the key that encrypts stored data, and that no script can read out of the browser. */
async function cipher(): Promise<CryptoKey> {
  const store = await database();
  return withLock("cipher", {}, async () => {
    const known = await store.get("locks", LOCK);
    if (known) return known;
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    await store.put("locks", made, LOCK);
    return made;
  });
}

/** Opens the browser's storage; undefined without storage: then keys exist only while the page is open. */
async function opened() {
  return databaseIfKept();
}

function secretName(commitment: Hex): string {
  return `secret-${commitment}`;
}

function nameOf({ chainId, arena, player }: KeyScope): string {
  return `${chainId}-${arena}-${player}`;
}
