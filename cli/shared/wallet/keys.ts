import { addressOfGame } from "../../../sdk/games/list.js";
import type { GameModule } from "../../../sdk/games/module.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { heldSecretStore, secretOf, type KeyHolder, type KeyScope } from "../../../sdk/player/key-store.js";
import { randomKey, UnsteadyWallet, walletKeys } from "../../../sdk/player/secrets.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { openMatches } from "../match/matches.js";
import { log } from "../command/output.js";
import type { CommandContext } from "../command/context.js";

/** Keys derived from wallets: each command asks for the signature once. */
const walletKeysByContext = new WeakMap<CommandContext, Promise<readonly [Hex, ...Hex[]]>>();

/**
 * Returns the caller's keys at this arena: the stored one, else those of the wallet.
 * @throws UnsteadyWallet if the wallet signs differently each time.
 */
export async function findKeys(context: CommandContext): Promise<readonly [Hex, ...Hex[]]> {
  const place = await keyScopeOf(context);
  const kept = await context.vault.key(place);
  if (kept !== undefined) return [kept];
  const keys = walletKeysByContext.get(context) ?? walletKeys(await context.signer(), context.chainId, place.arena);
  walletKeysByContext.set(context, keys);
  return keys;
}

/** Returns the caller with its keys, which are stored in the vault. */
export function keyHolderOf(context: CommandContext): KeyHolder {
  return {
    store: context.vault,
    caller: () => context.caller(),
    findKeys: () => findKeys(context),
    requireKey: () => requireKey(context),
  };
}

/** Returns the secret store of a player in a game, with the keys of the caller. */
export function secretStoreOf(context: CommandContext, game: string, player: string): SecretStore {
  return heldSecretStore(keyHolderOf(context), { chainId: context.chainId, game, player });
}

/** Lists the moves that the caller has committed to in open matches of a game, as far as this machine can read them. */
export async function committedBy(
  context: CommandContext,
  game: GameModule,
): Promise<{ matchId: bigint; move: Hex }[]> {
  const { history, arena, deployment } = context;
  const player = await context.address();
  const address = addressOfGame(game, deployment.addresses);
  const found: { matchId: bigint; move: Hex }[] = [];
  if (!game.moves.pendingCommitments) return found;
  for await (const { matchId, player1, termsId } of openMatches(context)) {
    if (player1 !== player || (await arena.termsOf(termsId)).game !== address) continue;
    const by = { chainId: context.chainId, game: address, player };
    for (const pendingCommitment of await game.moves.pendingCommitments(
      await history.match(matchId),
      Seat.One,
      history,
    )) {
      const secret = await secretOf(keyHolderOf(context), by, pendingCommitment).catch(() => undefined);
      if (secret) found.unshift({ matchId, move: secret.move });
      else log(`Your committed move in match ${matchId} cannot be read on this machine.`);
    }
  }
  return found;
}

/** Returns the chain, arena and player of the caller's key. */
export async function keyScopeOf(context: CommandContext): Promise<KeyScope> {
  const { chainId, deployment } = context;
  return { chainId, arena: deployment.addresses.Arena, player: await context.address() };
}

/** Returns the caller's key. Generates and stores a random one if the wallet derives none. */
async function requireKey(context: CommandContext): Promise<Hex> {
  try {
    const [key] = await findKeys(context);
    return key;
  } catch (error) {
    if (!(error instanceof UnsteadyWallet)) throw error;
    const key = randomKey();
    const file = await context.vault.keepKey({ ...(await keyScopeOf(context)), key });
    log(`Your wallet signs differently each time, so only ${file} can reveal your committed moves: back it up.`);
    return key;
  }
}
