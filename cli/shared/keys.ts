import type { GameModule } from "../../sdk/games/module.js";
import type { Keeper, Sealing } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decodeSealed } from "../../sdk/protocol/seal.js";
import type { Sealer, Secret } from "../../sdk/protocol/sealed.js";
import { randomKey, recoverSecret, sealWithKey, UnsteadyWallet, walletKeys } from "../../sdk/player/secrets.js";
import { Seat } from "../../sdk/protocol/status.js";
import { Arena__factory } from "../../typechain-types/index.js";
import { openMatches } from "./matches.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import type { KeyPlace } from "./vault.js";

/** Keys from wallets: a command asks for its signature once, however often it needs the key. */
const asked = new WeakMap<Session, Promise<readonly [Hex, ...Hex[]]>>();

/** The caller's keys at this arena: the kept one, else the wallet's. @throws UnsteadyWallet if the wallet gives none. */
export async function findKeys(session: Session): Promise<readonly [Hex, ...Hex[]]> {
  const place = await placeOf(session);
  const kept = await session.vault.key(place);
  if (kept !== undefined) return [kept];
  const keys = asked.get(session) ?? walletKeys(await session.signer(), session.chainId, place.arena);
  asked.set(session, keys);
  return keys;
}

/** Keeps the secrets of a player's moves in a game: the caller's with its key, others' as far as they were imported. */
export function keeperOf(session: Session, game: string, player: string): Keeper {
  const by = { chainId: session.chainId, game, player };
  return {
    async seal(move, commit) {
      const { sealed, secret } = await sealWithKey(by, move, await needKey(session), commit);
      // The key recovers what its own player sealed; what an operator seals for another is kept before anyone sees it.
      if ((await session.caller()) !== player) {
        await session.vault.keepSecret({ ...by, seal: decodeSealed(sealed).seal, ...secret });
      }
      return sealed;
    },
    open: (sealed, commit) => secretOf(session, by, { sealed, commit }),
  };
}

/** The secret behind a player's seal: an imported one, else recovered with the caller's key. */
export async function secretOf(session: Session, by: Sealer, { sealed, commit }: Sealing): Promise<Secret> {
  const kept = await session.vault.secret(decodeSealed(sealed).seal);
  if (kept) return { move: kept.move, salt: kept.salt };
  const own = (await session.caller()) === by.player;
  const keys = await findKeys(session).catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    throw new Error("Your wallet signs differently each time: import the backup of your key.");
  });
  // An operator has sealed with its own key what it sealed for its player.
  return recoverSecret(by, sealed, keys, commit).catch((error: unknown) => {
    throw own ? error : new Error(`The secret is that of ${by.player}: import what it exports.`);
  });
}

/** What the caller has sealed in open matches of a game, as far as this machine can read it. */
export async function sealedBy(session: Session, game: GameModule): Promise<{ matchId: bigint; move: Hex }[]> {
  const { history, provider, deployment } = session;
  const player = await (await session.signer()).getAddress();
  const address = deployment.addresses[game.contract];
  const arena = Arena__factory.connect(deployment.addresses.Arena, provider);
  const found: { matchId: bigint; move: Hex }[] = [];
  if (!game.moves.sealings) return found;
  for await (const { matchId, player1, termsId } of openMatches(session)) {
    if (player1 !== player || (await arena.termsOf(termsId)).game !== address) continue;
    const by = { chainId: session.chainId, game: address, player };
    for (const sealing of await game.moves.sealings(await history.match(matchId), Seat.One, history)) {
      const secret = await secretOf(session, by, sealing).catch(() => undefined);
      if (secret) found.unshift({ matchId, move: secret.move });
      else log(`What you sealed in match ${matchId} cannot be read on this machine.`);
    }
  }
  return found;
}

/** Where the caller's key counts. */
export async function placeOf(session: Session): Promise<KeyPlace> {
  const { chainId, deployment } = session;
  return { chainId, arena: deployment.addresses.Arena, player: await (await session.signer()).getAddress() };
}

/** The caller's key; a random one is made and kept if the wallet gives none. */
async function needKey(session: Session): Promise<Hex> {
  try {
    const [key] = await findKeys(session);
    return key;
  } catch (error) {
    if (!(error instanceof UnsteadyWallet)) throw error;
    const key = randomKey();
    const file = await session.vault.keepKey({ ...(await placeOf(session)), key });
    log(`Your wallet signs differently each time, so your sealed moves open with ${file} only: back it up.`);
    return key;
  }
}
