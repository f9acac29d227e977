import type { MatchRecord } from "../../sdk/record.js";
import { decodeSealed, type Hex } from "../../sdk/seal.js";
import type { Secret } from "../../sdk/sealed.js";
import { randomKey, recoverSecret, UnsteadyWallet, walletKey } from "../../sdk/secrets.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import type { KeyPlace } from "./vault.js";

/** The caller's key at this arena: the kept one, else the wallet's. @throws UnsteadyWallet if the wallet gives none. */
export async function findKey(session: Session): Promise<Hex> {
  const place = await placeOf(session);
  return (await session.vault.key(place)) ?? walletKey(await session.signer(), session.chainId, place.arena);
}

/** The caller's key at this arena; a random one is made and kept if the wallet gives none. */
export async function needKey(session: Session): Promise<Hex> {
  try {
    return await findKey(session);
  } catch (error) {
    if (!(error instanceof UnsteadyWallet)) throw error;
    const key = randomKey();
    const file = await session.vault.keepKey({ ...(await placeOf(session)), key });
    log(`Your wallet signs differently each time, so your sealed moves open with ${file} only: back it up.`);
    return key;
  }
}

/** The secret behind a match's seal: an imported one, else recovered with the caller's key. */
export async function secretOf(session: Session, record: MatchRecord): Promise<Secret> {
  const { matchId, player1, opening, terms } = record;
  const kept = await session.vault.secret(decodeSealed(opening).seal);
  if (kept) return { move: kept.move, salt: kept.salt };
  if ((await session.caller()) !== player1) {
    throw new Error(`The secret of match ${matchId} is that of ${player1}: import what it exports.`);
  }
  const key = await findKey(session).catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    throw new Error("Your wallet signs differently each time: import the backup of your key.");
  });
  return recoverSecret({ chainId: session.chainId, game: terms.game, player: player1 }, opening, key);
}

/** Where the caller's key counts. */
export async function placeOf(session: Session): Promise<KeyPlace> {
  const { chainId, deployment } = session;
  return { chainId, arena: deployment.addresses.Arena, player: await (await session.signer()).getAddress() };
}
