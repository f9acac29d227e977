import { addressOfGame } from "../../sdk/games/list.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { SecretStore, PendingCommitment } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import type { Committer, Secret } from "../../sdk/protocol/commitment.js";
import { randomKey, recoverSecret, commitWithKey, UnsteadyWallet, walletKeys } from "../../sdk/player/secrets.js";
import { Seat } from "../../sdk/protocol/status.js";
import { openMatches } from "./matches.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import type { KeyScope } from "./vault.js";

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

/**
 * Returns the secret store of a player in a game: the caller's key derives its own secrets, those of other players must
 * have been imported.
 */
export function secretStoreOf(session: Session, game: string, player: string): SecretStore {
  const by = { chainId: session.chainId, game, player };
  return {
    async commit(move, scheme) {
      const { committed, secret } = await commitWithKey(by, move, await requireKey(session), scheme);
      // The caller's key recovers the caller's commitments only: an operator's secret is stored before its commitment
      // is seen.
      if ((await session.caller()) !== player) {
        await session.vault.keepSecret({ ...by, commitment: decodeCommitment(committed).commitment, ...secret });
      }
      return committed;
    },
    reveal: (committed, scheme) => secretOf(session, by, { committed, scheme }),
  };
}

/**
 * Returns the secret behind a player's commitment: an imported one, else one recovered with the caller's key.
 * @throws Error if neither matches the commitment.
 */
export async function secretOf(
  session: Session,
  by: Committer,
  { committed, scheme }: PendingCommitment,
): Promise<Secret> {
  const kept = await session.vault.secret(decodeCommitment(committed).commitment);
  if (kept) return { move: kept.move, salt: kept.salt };
  const own = (await session.caller()) === by.player;
  const keys = await findKeys(session).catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    throw new Error("Your wallet signs differently each time: import the backup of your key.");
  });
  // An operator's own key may have made the commitment for its player.
  return recoverSecret(by, committed, keys, scheme).catch((error: unknown) => {
    throw own ? error : new Error(`The secret belongs to ${by.player}: import what it exports.`);
  });
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
      const secret = await secretOf(session, by, pendingCommitment).catch(() => undefined);
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
