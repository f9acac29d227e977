import { InputError } from "../../sdk/protocol/input.js";
import type { PendingCommitment } from "../../sdk/games/moves.js";
import { decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import { UnsteadyWallet } from "../../sdk/player/secrets.js";
import { commitmentBy } from "../../sdk/protocol/commitment.js";
import { Seat } from "../../sdk/protocol/status.js";
import { readJson } from "./json.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import type { PlayCommand } from "./command.js";
import { findKeys, keyScopeOf, secretOf } from "./keys.js";
import { acceptWarnings } from "./output.js";
import type { Session } from "./session.js";
import { readExported, type StoredKey, type StoredSecret } from "./vault.js";

/** Commands that export and import the secrets behind a player's commitments. */
export const secrets: readonly PlayCommand[] = [
  {
    usage: "secrets",
    description: "show where the key to your committed moves is stored",
    async run(session) {
      const place = await keyScopeOf(session);
      const file = session.vault.keyFileOf(place);
      const text = file === undefined ? "in your wallet: its signature gives the key" : `in ${file}: keep a backup`;
      return { data: { ...place, file }, text: `The key of ${place.player} is ${text}.` };
    },
  },
  {
    usage: "secrets export [match]",
    description:
      "print the secrets of one match, for an operator; or your key, which reveals all your moves: keep it safe",
    async run(session, [id]) {
      if (id === undefined) {
        const [key] = await findKeys(session);
        const data = { ...(await keyScopeOf(session)), key };
        return { data, text: jsonLines(data) };
      }
      const data = await secretsIn(session, readMatchId(id));
      return { data, text: jsonLines(data) };
    },
  },
  {
    usage: "secrets import <file>",
    description: "store your exported key, or a player's exported secrets, on this machine; replaces none",
    async run(session, [file], flags) {
      const kept: string[] = [];
      const text: string[] = [];
      for (const each of await readStored(session, file)) {
        if ("key" in each && !(await shouldKeep(session, each, file, flags.yes))) {
          return { data: { kept }, text: `The key of ${each.player} is in your wallet already.` };
        }
        const place = await ("key" in each ? session.vault.keepKey(each) : session.vault.keepSecret(each));
        kept.push(place);
        text.push(
          "key" in each
            ? `The key of ${each.player} is in ${place}.`
            : `The secret behind the commitment ${each.commitment} is in ${place}.`,
        );
      }
      return { data: { kept }, text };
    },
  },
];

function jsonLines(data: object): string[] {
  return JSON.stringify(data, undefined, 2).split("\n");
}

/**
 * Reads an exported key, or the exported secrets of a match.
 * @throws InputError if they are for another chain or match no commitment here.
 */
export async function readStored(session: Session, file: string): Promise<readonly (StoredKey | StoredSecret)[]> {
  const stored = readExported(await readJson(file), file);
  for (const each of stored) {
    if (each.chainId !== session.chainId) {
      throw new InputError(file, `it is for chain ${each.chainId}, not ${session.chainId}`);
    }
    if (!("key" in each) && !matchesCommitment(session, each)) {
      throw new InputError(file, "the move and salt do not make the commitment");
    }
  }
  return stored;
}

/**
 * Returns whether to store an imported key: not if the caller's wallet derives it. A foreign key would let its owner
 * read all later commitments, and could not reveal the earlier ones.
 * @throws InputError for a key that is not the caller's.
 * @throws Error if the owner is unknown and the caller does not accept that.
 */
async function shouldKeep(session: Session, { arena, player, key }: StoredKey, file: string, yes?: boolean) {
  const place = await keyScopeOf(session);
  if (arena !== place.arena) throw new InputError(file, `it is for the arena ${arena}, not ${place.arena}`);
  if (player !== place.player) throw new InputError(file, `it is a key for ${player}, and you are ${place.player}`);
  const own = await findKeys(session).catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
  });
  if (own && !own.includes(key)) {
    throw new InputError(
      file,
      "its key is not yours: its owner could read your moves, and you could not reveal the ones you have committed to",
    );
  }
  if (!own)
    await acceptWarnings(
      [`Whoever has made ${file} can read every move you commit to from now on: import only your own backup.`],
      yes,
    );
  return own === undefined || session.vault.keyFileOf(place) !== undefined;
}

/**
 * Returns the secrets behind the caller's commitments in a match, or behind player 1's if they were imported.
 * @throws Error if nothing is committed.
 */
async function secretsIn(session: Session, matchId: bigint): Promise<StoredSecret[]> {
  const record = await session.history.match(matchId);
  const { terms, player1, player2 } = record;
  const { moves } = session.gameAt(terms.game);
  const second = player2 !== undefined && (await session.caller()) === player2;
  const pendingCommitments = await moves.pendingCommitments?.(record, second ? Seat.Two : Seat.One, session.history);
  if (!pendingCommitments?.length) throw new Error(`Nothing of yours is committed in match ${matchId}.`);
  const by = { chainId: session.chainId, game: terms.game, player: second ? player2 : player1 };
  const secretBehind = async (pendingCommitment: PendingCommitment) => {
    const { commitment } = decodeCommitment(pendingCommitment.committed);
    return { ...by, commitment, ...(await secretOf(session, by, pendingCommitment)) };
  };
  return Promise.all(pendingCommitments.map(secretBehind));
}

/** Returns whether a secret matches its commitment in its game. */
function matchesCommitment(session: Session, { commitment, move, salt, ...by }: StoredSecret): boolean {
  const { moves } = session.gameAt(by.game);
  const commits = moves.commitmentSchemes?.(by) ?? [commitmentBy(by)];
  return commits.some((scheme) => scheme({ move, salt }) === commitment);
}
