import { addressOfGame } from "../../../sdk/games/list.js";
import type { GameModule } from "../../../sdk/games/module.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { heldSecretStore, secretOf, type KeyHolder, type KeyScope } from "../../../sdk/player/key-store.js";
import { randomKey, UnsteadyWallet, walletKeys } from "../../../sdk/player/secrets.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { openMatches } from "../match/matches.js";
import { log } from "../command/output.js";
import type { Session } from "../command/session.js";

/** Keys derived from wallets: each command asks for the signature once. */
const walletKeysBySession = new WeakMap<Session, Promise<readonly [Hex, ...Hex[]]>>();

/**
 * Returns the caller's keys at this arena: the stored one, else those of the wallet.
 * @throws UnsteadyWallet if the wallet signs differently each time.
 */
export async function findKeys(session: Session): Promise<readonly [Hex, ...Hex[]]> {
  const place = await keyScopeOf(session);
  const kept = await session.vault.key(place);
  if (kept !== undefined) return [kept];
  const keys = walletKeysBySession.get(session) ?? walletKeys(await session.signer(), session.chainId, place.arena);
  walletKeysBySession.set(session, keys);
  return keys;
}

/** Returns the caller with its keys, which are stored in the vault. */
export function keyHolderOf(session: Session): KeyHolder {
  return {
    store: session.vault,
    caller: () => session.caller(),
    findKeys: () => findKeys(session),
    requireKey: () => requireKey(session),
  };
}

/** Returns the secret store of a player in a game, with the keys of the caller. */
export function secretStoreOf(session: Session, game: string, player: string): SecretStore {
  return heldSecretStore(keyHolderOf(session), { chainId: session.chainId, game, player });
}

/** Lists the moves that the caller has committed to in open matches of a game, as far as this machine can read them. */
export async function committedBy(session: Session, game: GameModule): Promise<{ matchId: bigint; move: Hex }[]> {
  const { history, arena, deployment } = session;
  const player = await session.address();
  const address = addressOfGame(game, deployment.addresses);
  const found: { matchId: bigint; move: Hex }[] = [];
  if (!game.moves.pendingCommitments) return found;
  for await (const { matchId, player1, termsId } of openMatches(session)) {
    if (player1 !== player || (await arena.termsOf(termsId)).game !== address) continue;
    const by = { chainId: session.chainId, game: address, player };
    for (const pendingCommitment of await game.moves.pendingCommitments(
      await history.match(matchId),
      Seat.One,
      history,
    )) {
      const secret = await secretOf(keyHolderOf(session), by, pendingCommitment).catch(() => undefined);
      if (secret) found.unshift({ matchId, move: secret.move });
      else log(`Your committed move in match ${matchId} cannot be read on this machine.`);
    }
  }
  return found;
}

/** Returns the chain, arena and player of the caller's key. */
export async function keyScopeOf(session: Session): Promise<KeyScope> {
  const { chainId, deployment } = session;
  return { chainId, arena: deployment.addresses.Arena, player: await session.address() };
}

/** Returns the caller's key. Generates and stores a random one if the wallet derives none. */
async function requireKey(session: Session): Promise<Hex> {
  try {
    const [key] = await findKeys(session);
    return key;
  } catch (error) {
    if (!(error instanceof UnsteadyWallet)) throw error;
    const key = randomKey();
    const file = await session.vault.keepKey({ ...(await keyScopeOf(session)), key });
    log(`Your wallet signs differently each time, so only ${file} can reveal your committed moves: back it up.`);
    return key;
  }
}
