import { computed, signal, type ReadonlySignal } from "@preact/signals";
import {
  InputError,
  integer,
  keysOfSignatures,
  keyRequest,
  object,
  randomKey,
  text,
  UnsteadyWallet,
  type Hex,
  type Reader,
} from "duello";
import { getAddress, isHexString, type Signer } from "ethers";
import { database } from "../store/database.ts";
import { withLock } from "./transactions.ts";

/** Scope of a player's key. */
export interface KeyScope {
  readonly chainId: number;
  readonly arena: string;
  readonly player: string;
}

/** Keys of a player: new commitments are made with the first. */
export type PlayerKeys = readonly [Hex, ...Hex[]];

/** Origin of a player's keys: the wallet gives them again at any time, or only a backup does. */
export type KeyOrigin = "wallet" | "own";

/** What the browser keeps of a player's keys. */
interface Kept {
  readonly keys: PlayerKeys;
  readonly origin: KeyOrigin;
}

/** Kept keys as they are stored. */
interface Encrypted {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: ArrayBuffer;
}

const LOCK = "keys";
const IV_BYTES = 12;

/** Question to the person whose wallet gives no steady key. */
export interface UnsteadyQuestion {
  readonly scope: KeyScope;
  /** Answers with the text of a backup: of a key that was made before, or of a fresh one that the person has saved. */
  answer(backup: string): Promise<void>;
  /** Ends it without a key. */
  cancel(): void;
}

const asked = signal<UnsteadyQuestion | undefined>(undefined);

/** The question that is open; a dialog shows it. */
export const unsteadyQuestion: ReadonlySignal<UnsteadyQuestion | undefined> = asked;

/** Keys of a player at an arena: kept in this browser, else asked of the wallet. */
export class Keyring {
  private readonly held = signal<Kept | undefined>(undefined);
  private opening?: Promise<PlayerKeys>;

  constructor(
    readonly scope: KeyScope,
    private readonly signer: Signer,
  ) {}

  /** Origin of the keys; undefined as long as the page does not have them. */
  readonly origin: ReadonlySignal<KeyOrigin | undefined> = computed(() => this.held.value?.origin);

  /** Finds the keys without asking the wallet. */
  async find(): Promise<PlayerKeys | undefined> {
    this.held.value ??= await readKept(this.scope);
    return this.held.value?.keys;
  }

  /**
   * Returns the keys, which the wallet is asked for if this browser has not kept them: by two signatures the first time,
   * so that a wallet that signs differently each time is found, and by one later.
   */
  async keys(): Promise<PlayerKeys> {
    const found = await this.find();
    if (found) return found;
    this.opening ??= this.ask().finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** Returns the key in the form that the command line takes too. */
  async backup(): Promise<string> {
    const [key] = await this.keys();
    return backupText(this.scope, key);
  }

  /**
   * Takes a key out of a backup; keys that were there stay, behind it.
   * @throws InputError if it is none, or for another player, arena or chain
   */
  async import(backup: string): Promise<void> {
    const key = readBackup(backup, this.scope);
    const before = (await this.find()) ?? [];
    const keys: PlayerKeys = [key, ...before.filter((each) => each !== key)];
    await this.hold({ keys, origin: "own" });
  }

  /** Forgets the keys in this browser: the wallet, or a backup, gives them again. */
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
          await this.import(backup);
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

  private async hold(kept: Kept): Promise<void> {
    this.held.value = kept;
    await keep(this.scope, kept);
  }
}

/** Writes a fresh key as a backup. */
export function freshBackup(scope: KeyScope): string {
  return backupText(scope, randomKey());
}

function backupText({ chainId, arena, player }: KeyScope, key: Hex): string {
  return `${JSON.stringify({ chainId, arena, player, key }, undefined, 2)}\n`;
}

const address: Reader<string> = (value, path) => {
  try {
    return getAddress(text(value, path));
  } catch {
    throw new InputError(path, "not an address");
  }
};
/** Its errors never quote the value. */
const secret: Reader<Hex> = (value, path) => {
  if (typeof value !== "string" || !isHexString(value, 32)) throw new InputError(path, "not 0x and 64 hex digits");
  return value.toLowerCase();
};
const readStored = object({
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  arena: address,
  player: address,
  key: secret,
});

/** Reads a backup, as the page or `secrets export` of the command line has made it. @throws InputError */
export function readBackup(backup: string, scope: KeyScope): Hex {
  let content: unknown;
  try {
    content = JSON.parse(backup);
  } catch {
    throw new InputError("backup", "not the file of a key");
  }
  const stored = readStored(content, "backup");
  for (const field of ["chainId", "arena", "player"] as const) {
    if (stored[field] !== scope[field]) {
      throw new InputError(`backup.${field}`, `it is for ${stored[field]}, not for ${scope[field]}`);
    }
  }
  return stored.key;
}

async function readKept(scope: KeyScope): Promise<Kept | undefined> {
  const kept = (await (await opened())?.get("secrets", nameOf(scope))) as Encrypted | undefined;
  if (!kept) return undefined;
  try {
    const data = await crypto.subtle.decrypt({ name: "AES-GCM", iv: kept.iv }, await cipher(), kept.data);
    return JSON.parse(new TextDecoder().decode(data)) as Kept;
  } catch {
    // Its lock is gone: the wallet or a backup gives the keys again.
    return undefined;
  }
}

async function keep(scope: KeyScope, kept: Kept): Promise<void> {
  const store = await opened();
  if (!store) return;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = new TextEncoder().encode(JSON.stringify(kept));
  const encrypted: Encrypted = { iv, data: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await cipher(), data) };
  await store.put("secrets", encrypted, nameOf(scope));
}

/** Returns the key that encrypts what is kept, and that no script can read out of the browser. */
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

/** Opens what the browser keeps; undefined where it keeps nothing, and then keys live as long as the page. */
async function opened() {
  return database().catch(() => undefined);
}

function nameOf({ chainId, arena, player }: KeyScope): string {
  return `${chainId}-${arena}-${player}`;
}
