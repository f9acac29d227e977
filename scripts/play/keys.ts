import { gameAt } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { Keeper, OpenTurn, Sealing } from "../../sdk/moves.js";
import { decodeSealed, type Hex } from "../../sdk/seal.js";
import type { Sealer, Secret } from "../../sdk/sealed.js";
import { randomKey, recoverSecret, sealWithKey, UnsteadyWallet, walletKey } from "../../sdk/secrets.js";
import { Seat, Status } from "../../sdk/status.js";
import { Arena__factory } from "../../typechain-types/index.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import type { KeyPlace, Round } from "./vault.js";

/** Keys from wallets: a command asks for its signature once, however often it needs the key. */
const walletKeys = new WeakMap<Session, Promise<Hex>>();

/** The caller's key at this arena: the kept one, else the wallet's. @throws UnsteadyWallet if the wallet gives none. */
export async function findKey(session: Session): Promise<Hex> {
  const place = await placeOf(session);
  const kept = await session.vault.key(place);
  if (kept !== undefined) return kept;
  const asked = walletKeys.get(session) ?? walletKey(await session.signer(), session.chainId, place.arena);
  walletKeys.set(session, asked);
  return asked;
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
  const key = await findKey(session).catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    throw new Error("Your wallet signs differently each time: import the backup of your key.");
  });
  // An operator has sealed with its own key what it sealed for its player.
  return recoverSecret(by, sealed, key, commit).catch((error: unknown) => {
    throw own ? error : new Error(`The secret is that of ${by.player}: import what it exports.`);
  });
}

/** What to send in a turn: where it answers a seal what was shown before, if anything was; else this. */
export async function keepAnswer(session: Session, turn: OpenTurn, words: readonly string[], fresh: Hex): Promise<Hex> {
  const round = await answeredRound(session, turn);
  return round === undefined ? fresh : session.vault.answer(round, words.join(" "), fresh);
}

/** The round that a turn answers in, if it answers a seal. */
export async function answeredRound(session: Session, turn: OpenTurn): Promise<Round | undefined> {
  const { matchId, terms } = turn.record;
  const { moves } = gameAt(terms.game, session.deployment.addresses);
  const seal = await moves.answered?.(turn);
  return seal === undefined ? undefined : [session.chainId, session.deployment.addresses.Arena, matchId, seal];
}

/** What the caller has sealed in open matches of a game, as far as this machine can read it. */
export async function sealedBy(session: Session, game: GameModule): Promise<{ matchId: bigint; move: Hex }[]> {
  const { history, provider, deployment } = session;
  const player = await (await session.signer()).getAddress();
  const address = deployment.addresses[game.contract];
  const arena = Arena__factory.connect(deployment.addresses.Arena, provider);
  const found: { matchId: bigint; move: Hex }[] = [];
  for (const matchId of game.moves.sealings ? await history.offeredBy(player) : []) {
    const { status, termsId } = await arena.matchOf(matchId);
    if (status > Status.AllJoined || (await arena.termsOf(termsId)).game !== address) continue;
    const by = { chainId: session.chainId, game: address, player };
    for (const sealing of await game.moves.sealings!(await history.match(matchId), Seat.One, history)) {
      const secret = await secretOf(session, by, sealing).catch(() => undefined);
      if (secret) found.push({ matchId, move: secret.move });
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
    return await findKey(session);
  } catch (error) {
    if (!(error instanceof UnsteadyWallet)) throw error;
    const key = randomKey();
    const file = await session.vault.keepKey({ ...(await placeOf(session)), key });
    log(`Your wallet signs differently each time, so your sealed moves open with ${file} only: back it up.`);
    return key;
  }
}
