import { isHexString } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { gameAt } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import type { OpenTurn, PendingCommitment, SecretStore } from "../games/moves.js";
import { address } from "../protocol/address.js";
import { hexOf, sized } from "../protocol/bytes.js";
import { decodeCommitment } from "../protocol/commit-reveal.js";
import { commitmentBy, type Committer, type Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { bytes32, InputError, integer, listUpTo, object, text, type Reader } from "../protocol/input.js";
import { readVersioned } from "../protocol/version.js";
import { commitWithKey, recoverSecret, UnsteadyWallet, type Keys } from "./secrets.js";

/** Scope of a player's key. */
export interface KeyScope {
  chainId: number;
  arena: string;
  player: string;
}

/** A player's key for commitments. */
export interface StoredKey extends KeyScope {
  key: Hex;
}

/** The secret behind one commitment. */
export interface StoredSecret {
  chainId: number;
  game: string;
  player: string;
  commitment: Hex;
  move: Hex;
  salt: Hex;
}

/** Store of keys that no wallet derives, and of imported secrets. It outlives the program. */
export interface KeyStore {
  /** Returns the stored key of a player at an arena. */
  key(scope: KeyScope): Promise<Hex | undefined>;
  /** Stores a key. @returns its location, for people. @throws Error if another key is stored there and stays. */
  keepKey(stored: StoredKey): Promise<string>;
  /** Returns the stored secret behind a commitment. */
  secret(commitment: Hex): Promise<StoredSecret | undefined>;
  /** Stores a secret. @returns its location, for people. @throws Error if another secret is stored there. */
  keepSecret(stored: StoredSecret): Promise<string>;
}

/** A player with keys. */
export interface KeyHolder {
  readonly store: KeyStore;
  /** Returns the player's address; undefined if it is unknown. */
  caller(): Promise<string | undefined>;
  /** Finds the player's keys. @throws UnsteadyWallet if the wallet signs differently each time and no key is stored. */
  findKeys(): Promise<Keys>;
  /** Returns the key for new commitments; creates one if the wallet derives none. */
  requireKey(): Promise<Hex>;
}

/** Maximum secrets in an exported file; a match never has more than two. */
const MAX_SECRETS = 10;

const chainId = integer(1, Number.MAX_SAFE_INTEGER);
/** Reads 0x hex of any length. */
export const bytes: Reader<string> = (value, path) => hexOf(sized(text(value, path), path, 0, Infinity));
/** Reads 32 secret bytes; its errors never quote the value. */
const hidden: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !isHexString(value, 32)) throw new InputError(path, "not 0x and 64 hex digits");
  return value.toLowerCase();
};

/** Reads a stored key. @throws InputError that never quotes the key. */
export const readStoredKey: Reader<StoredKey> = object({ chainId, arena: address, player: address, key: hidden });

const readKeyOfVault = readVersioned("the vault", readStoredKey);

/**
 * Reads the backup of a key: an exported key, or a vault's file with a version.
 * @throws InputError that never quotes the key.
 * @example
 * ```ts
 * import { readKeyBackup } from "duello";
 *
 * const backup = { chainId: 31_337, arena: addresses.Arena, player: alice, key: secretKey };
 * readKeyBackup(backup, "key.json").player; // => alice
 * ```
 */
export const readKeyBackup: Reader<StoredKey> = (value, path) => {
  const isOfVault = typeof value === "object" && value !== null && "version" in value;
  return (isOfVault ? readKeyOfVault : readStoredKey)(value, path);
};

/**
 * Reads a stored secret.
 * @throws InputError that never quotes the salt.
 * @example
 * ```ts
 * import { commitMove, decodeCommitment, readStoredSecret } from "duello";
 *
 * const { commitment } = decodeCommitment(commitMove(committer, "0x00").committed);
 * const stored = { ...committer, chainId: 31_337, commitment, move: "0x00", salt };
 * readStoredSecret(stored, "secret.json").move; // => "0x00"
 * ```
 */
export const readStoredSecret: Reader<StoredSecret> = object({
  chainId,
  game: address,
  player: address,
  commitment: bytes32,
  move: bytes,
  salt: hidden,
});

/**
 * Reads the content of an exported file: a key, or the secrets of a match.
 * @throws InputError for other content.
 * @example
 * ```ts
 * import { readExported } from "duello";
 *
 * const key = { chainId: 31_337, arena: addresses.Arena, player: alice, key: secretKey };
 * readExported(key, "key.json"); // => [key]
 * ```
 */
export function readExported(content: unknown, file: string): readonly (StoredKey | StoredSecret)[] {
  if (Array.isArray(content)) return listUpTo(readStoredSecret, MAX_SECRETS)(content, file);
  return [readKeyBackup(content, file)];
}

/**
 * Writes a key or the secrets of a match as the content of an exported file.
 * @example
 * ```ts
 * import { exportedText } from "duello";
 *
 * const key = { chainId: 31_337, arena: addresses.Arena, player: alice, key: secretKey };
 * JSON.parse(exportedText(key)); // => key
 * ```
 */
export function exportedText(exported: StoredKey | readonly StoredSecret[]): string {
  return JSON.stringify(exported, undefined, 2);
}

/**
 * Checks that exported data belongs to a chain, and that its secrets match their commitments.
 * @throws InputError for data of another chain or an unknown game, or for a secret that does not match.
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { checkExported, games, readExported } from "duello";
 *
 * const secrets = readExported(JSON.parse(await readFile("match-7.json", "utf8")), "match-7.json");
 * checkExported(secrets, { chainId: 31_337, games, addresses }, "match-7.json");
 * ```
 */
export function checkExported(
  exported: readonly (StoredKey | StoredSecret)[],
  by: { chainId: number; games: readonly GameModule[]; addresses: Addresses },
  file: string,
): void {
  for (const each of exported) {
    checkChain(each, by, file);
    if (!("key" in each) && !matchesCommitment(gameAt(each.game, by.games, by.addresses), each)) {
      throw new InputError(file, "the move and salt do not make the commitment");
    }
  }
}

/**
 * Checks that an exported key belongs to a player. A foreign key would let its owner read all later commitments, and
 * could not reveal earlier commitments.
 * @param own Keys that the player's wallet derives; undefined if it derives none.
 * @throws InputError for a key of another chain, arena or player, or one that the player's wallet does not derive.
 * @example
 * ```ts
 * import { checkOwnKey } from "duello";
 *
 * const scope = { chainId: 31_337, arena: addresses.Arena, player: alice };
 * checkOwnKey({ ...scope, key: secretKey }, scope, secretKey, "key.json");
 * checkOwnKey({ ...scope, key: salt }, scope, secretKey, "key.json"); // throws InputError: key.json: its key is…
 * ```
 */
export function checkOwnKey(stored: StoredKey, scope: KeyScope, own: Keys | undefined, file: string): void {
  checkChain(stored, scope, file);
  const { arena, player, key } = stored;
  if (arena !== scope.arena) throw new InputError(file, `it is for the arena ${arena}, not ${scope.arena}`);
  if (player !== scope.player) throw new InputError(file, `it is a key for ${player}, and you are ${scope.player}`);
  if (own === undefined || [own].flat().includes(key)) return;
  throw new InputError(
    file,
    "its key is not yours: its owner could read your moves, and you could not reveal the ones you have committed to",
  );
}

/**
 * Returns the secret store of a player in a game. The holder's key derives the holder's secrets; secrets of other
 * players must have been imported.
 * @throws like `secretOf`, from `reveal`.
 * @example
 * ```ts
 * import { heldSecretStore } from "duello";
 *
 * const secretStore = heldSecretStore(holder, committer);
 * const committed = await secretStore.commit("0x00");
 * const { move } = await secretStore.reveal(committed); // "0x00"
 * ```
 */
export function heldSecretStore(holder: KeyHolder, by: Committer): SecretStore {
  return {
    async commit(move, scheme) {
      const { committed, secret } = await commitWithKey(by, move, await holder.requireKey(), scheme);
      // The caller's key recovers only the caller's own commitments. If an operator commits for a player, the secret is
      // stored before anyone sees the commitment.
      if ((await holder.caller()) !== by.player) {
        const { commitment } = decodeCommitment(committed);
        await holder.store.keepSecret({ ...storedBy(by), commitment, ...secret });
      }
      return committed;
    },
    reveal: (committed, scheme) => secretOf(holder, by, { committed, scheme }),
  };
}

/**
 * Returns the secret behind a player's commitment: an imported secret, or a secret that the holder's keys recover.
 * @throws Error if neither matches the commitment.
 * @example
 * ```ts
 * import { secretOf } from "duello";
 *
 * const { createData } = await history.match(7n);
 * const { move, salt } = await secretOf(holder, committer, { committed: createData });
 * ```
 */
export async function secretOf(
  holder: KeyHolder,
  by: Committer,
  { committed, scheme }: PendingCommitment,
): Promise<Secret> {
  const kept = await holder.store.secret(decodeCommitment(committed).commitment);
  if (kept) return { move: kept.move, salt: kept.salt };
  const own = (await holder.caller()) === by.player;
  const keys = await holder.findKeys().catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    throw new Error("Your wallet signs differently each time: import the backup of your key.");
  });
  // An operator's key may have made the commitment for the player.
  return recoverSecret(by, committed, keys, scheme).catch((error: unknown) => {
    throw own ? error : new Error(`The secret belongs to ${by.player}: import what it exports.`);
  });
}

/**
 * Returns the secrets behind a player's pending commitments in a match, for export.
 * @throws Error if nothing is committed.
 * @example
 * ```ts
 * import { exportedText, secretsIn, stockGame } from "duello";
 *
 * const secrets = await secretsIn(holder, stockGame("mini-games"), turn, 31_337);
 * const file = exportedText(secrets);
 * ```
 */
export async function secretsIn(
  holder: KeyHolder,
  { moves }: GameModule,
  { record, seat, player, history }: OpenTurn,
  chain: number,
): Promise<StoredSecret[]> {
  const pendingCommitments = await moves.pendingCommitments?.(record, seat, history);
  if (!pendingCommitments?.length) throw new Error(`Nothing of yours is committed in match ${record.matchId}.`);
  const by = { chainId: chain, game: record.terms.game, player };
  const secretBehind = async (pendingCommitment: PendingCommitment) => {
    const { commitment } = decodeCommitment(pendingCommitment.committed);
    return { ...by, commitment, ...(await secretOf(holder, by, pendingCommitment)) };
  };
  return Promise.all(pendingCommitments.map(secretBehind));
}

function checkChain(one: { chainId: number }, other: { chainId: number }, file: string): void {
  if (one.chainId !== other.chainId) {
    throw new InputError(file, `it is for chain ${one.chainId}, not ${other.chainId}`);
  }
}

/** Returns whether a secret matches its commitment in its game. */
function matchesCommitment({ moves }: GameModule, { commitment, move, salt, ...by }: StoredSecret): boolean {
  const commits = moves.commitmentSchemes?.(by) ?? [commitmentBy(by)];
  return commits.some((scheme) => scheme({ move, salt }) === commitment);
}

function storedBy({ chainId: chain, game, player }: Committer): Pick<StoredSecret, "chainId" | "game" | "player"> {
  return { chainId: Number(chain), game, player };
}
