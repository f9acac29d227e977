import { ZeroAddress } from "ethers";
import { Characters__factory } from "../../typechain-types/index.js";
import type { Characters, GameModule } from "../games/module.js";
import type { SecretStore, Turn } from "../games/moves.js";
import { Seat } from "../protocol/status.js";

/** Number of characters that are requested at once. */
const AT_ONCE = 20;

/** A character of a player, and the reasons against using it. */
export interface OwnCharacter {
  readonly id: bigint;
  /** Result of `Characters.describe`. */
  readonly data: object;
  /** Reason why the character cannot fight now; undefined if it can. */
  readonly obstacle?: string;
  /** Another account that is approved for this character; undefined if the node reports no such account. */
  readonly approved?: string;
}

/** A team that a player has committed to in an open match. */
export interface CommittedTeam {
  readonly matchId: bigint;
  readonly ids: readonly bigint[];
}

/**
 * Lists the characters that a player owns, in order of their ids.
 * @throws like the history.
 * @example
 * ```ts
 * import { ownCharacters, stockGame } from "duello";
 *
 * const fighters = await ownCharacters(stockGame("auto-battler").characters!, alice, turn);
 * const rested = fighters.filter(({ obstacle }) => obstacle === undefined);
 * ```
 */
export async function ownCharacters(
  kind: Characters,
  player: string,
  { history, game }: Pick<Turn, "history" | "game">,
): Promise<OwnCharacter[]> {
  const ids = await kind.ownedBy(player, history);
  const token = Characters__factory.connect(history.addresses[kind.contract], history.provider);
  const about = async (id: bigint): Promise<OwnCharacter> => {
    const [{ data, obstacle }, approved] = await Promise.all([
      kind.describe(id, history, game),
      token.getApproved(id).catch(() => ZeroAddress),
    ]);
    return { id, data, obstacle, approved: approved === ZeroAddress ? undefined : approved };
  };
  const found: OwnCharacter[] = [];
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    found.push(...(await Promise.all(ids.slice(i, i + AT_ONCE).map(about))));
  }
  return found;
}

/**
 * Lists the teams that a player has committed to in other open matches of a game, if the secret store can read them.
 * @throws like the history.
 * @example
 * ```ts
 * import { committedTeams, stockGame } from "duello";
 *
 * const teams = await committedTeams(stockGame("auto-battler"), turn, secretStore);
 * for (const { matchId, ids } of teams) console.log(`Match ${matchId}: ${ids.join(", ")}`);
 * ```
 */
export async function committedTeams(
  { characters, moves }: Pick<GameModule, "characters" | "moves">,
  { player, game, record, history }: Turn,
  secretStore: SecretStore,
): Promise<CommittedTeam[]> {
  if (!characters || !moves.pendingCommitments) return [];
  const found: CommittedTeam[] = [];
  for (const { args } of await history.events(history.addresses.Arena, "Created", { player1: player })) {
    if (args.matchId === record?.matchId || (await history.terms(args.termsHash)).game !== game) continue;
    const other = await history.match(args.matchId);
    for (const { committed, scheme } of await moves.pendingCommitments(other, Seat.One, history)) {
      const secret = await secretStore.reveal(committed, scheme).catch(() => undefined);
      if (secret) found.push({ matchId: args.matchId, ids: characters.idsIn(secret.move) });
    }
  }
  return found;
}
