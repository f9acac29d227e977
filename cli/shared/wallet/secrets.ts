import { turnOf } from "../../../sdk/games/moves.js";
import {
  checkExported,
  checkOwnKey,
  exportedText,
  readExported,
  secretsIn,
  type StoredKey,
  type StoredSecret,
} from "../../../sdk/player/key-store.js";
import { UnsteadyWallet } from "../../../sdk/player/secrets.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { readJson } from "../files/json.js";
import { readMatchId } from "../../../sdk/protocol/arguments.js";
import type { PlayCommand } from "../command/command.js";
import { acceptWarnings } from "../command/output.js";
import type { CommandContext } from "../command/context.js";

/** Commands that export and import the secrets behind a player's commitments. */
export const secrets: readonly PlayCommand[] = [
  {
    usage: "secrets",
    description: "show where the key to your committed moves is stored",
    examples: ["secrets"],
    async run(context) {
      const place = await context.keys.scope();
      const file = context.vault.keyFileOf(place);
      const text = file === undefined ? "in your wallet: its signature gives the key" : `in ${file}: keep a backup`;
      return { data: { ...place, file }, text: `The key of ${place.player} is ${text}.` };
    },
  },
  {
    usage: "secrets export [match]",
    description:
      "print the secrets of one match, for an operator; or your key, which reveals all your moves: keep it safe",
    examples: ["secrets export 8 > match-8.json"],
    async run(context, [id]) {
      if (id === undefined) {
        const [key] = await context.keys.findKeys();
        const data = { ...(await context.keys.scope()), key };
        return { data, text: exportedText(data).split("\n") };
      }
      const data = await exportedFrom(context, readMatchId(id));
      return { data, text: exportedText(data).split("\n") };
    },
  },
  {
    usage: "secrets import <file>",
    description: "store your exported key, or a player's exported secrets, on this machine; replaces none",
    examples: ["secrets import match-8.json"],
    async run(context, [file], flags) {
      const kept: string[] = [];
      const text: string[] = [];
      for (const each of await readStored(context, file)) {
        if ("key" in each && !(await shouldKeep(context, each, file, flags.yes))) {
          return { data: { kept }, text: `The key of ${each.player} is in your wallet already.` };
        }
        const place = await ("key" in each ? context.vault.keepKey(each) : context.vault.keepSecret(each));
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

/**
 * Reads an exported key, or the exported secrets of a match.
 * @throws InputError if they are for another chain or match no commitment here.
 */
export async function readStored(
  context: CommandContext,
  file: string,
): Promise<readonly (StoredKey | StoredSecret)[]> {
  const stored = readExported(await readJson(file), file);
  const { chainId, games, deployment } = context;
  checkExported(stored, { chainId, games, addresses: deployment.addresses }, file);
  return stored;
}

/**
 * Returns whether to store an imported key: false if the caller's wallet derives the key.
 * @throws InputError for a key that is not the caller's.
 * @throws Error if the owner is unknown and the caller does not accept that.
 */
async function shouldKeep(context: CommandContext, stored: StoredKey, file: string, yes?: boolean) {
  const place = await context.keys.scope();
  // No signature is requested for a key of another arena or player.
  checkOwnKey(stored, place, undefined, file);
  const own = await context.keys.findKeys().catch((error: unknown) => {
    if (!(error instanceof UnsteadyWallet)) throw error;
    return undefined;
  });
  checkOwnKey(stored, place, own, file);
  if (!own)
    await acceptWarnings(
      [`Whoever has made ${file} can read every move you commit to from now on: import only your own backup.`],
      yes,
    );
  return own === undefined || context.vault.keyFileOf(place) !== undefined;
}

/**
 * Returns the secrets behind the caller's commitments in a match, or behind player 1's if they were imported.
 * @throws Error if nothing is committed.
 */
async function exportedFrom(context: CommandContext, matchId: bigint): Promise<StoredSecret[]> {
  const { history, chainId } = context;
  const view = await context.view(matchId);
  const game = context.gameAt(view.terms.game);
  const record = await history.match(matchId, { read: view });
  const { player1, player2 } = record;
  const second = player2 !== undefined && (await context.caller()) === player2;
  const turn = turnOf(record, second ? Seat.Two : Seat.One, second ? player2 : player1, history);
  return secretsIn(context.keys, game, turn, chainId);
}
