import { gameAt } from "../../sdk/games/index.js";
import { InputError } from "../../sdk/input.js";
import type { Sealing } from "../../sdk/moves.js";
import { decodeSealed } from "../../sdk/seal.js";
import { sealBy } from "../../sdk/secrets.js";
import { Seat } from "../../sdk/status.js";
import { readJson } from "../json.js";
import { readMatchId } from "./arguments.js";
import type { PlayCommand } from "./command.js";
import { findKey, placeOf, secretOf } from "./keys.js";
import type { Session } from "./session.js";
import { readExported, type StoredKey, type StoredSecret } from "./vault.js";

/** What opens a player's seals, out of this machine and into it. */
export const secrets: readonly PlayCommand[] = [
  {
    usage: "secrets",
    description: "where the key to your sealed moves is",
    async run(session) {
      const place = await placeOf(session);
      const file = session.vault.keyFileOf(place);
      const text = file === undefined ? "in your wallet: its signature gives the key" : `in ${file}: keep a backup`;
      return { data: { ...place, file }, text: `The key of ${place.player} is ${text}.` };
    },
  },
  {
    usage: "secrets export [match]",
    description: "print what opens one match, for an operator; or your key, which opens all: keep it safe",
    async run(session, [id]) {
      if (id === undefined) {
        const data = { ...(await placeOf(session)), key: await findKey(session) };
        return { data, text: JSON.stringify(data, undefined, 2) };
      }
      const data = await secretsIn(session, readMatchId(id));
      return { data, text: JSON.stringify(data, undefined, 2) };
    },
  },
  {
    usage: "secrets import <file>",
    description: "keep an exported key or secret on this machine",
    async run(session, [file]) {
      const kept: string[] = [];
      const text: string[] = [];
      for (const each of await readStored(session, file)) {
        const place = await ("key" in each ? session.vault.keepKey(each) : session.vault.keepSecret(each));
        kept.push(place);
        text.push(
          "key" in each
            ? `The key of ${each.player} is in ${place}.`
            : `The secret behind the seal ${each.seal} is in ${place}.`,
        );
      }
      return { data: { kept }, text };
    },
  },
];

/** The key, or the secrets of a match, in a file that was exported. @throws InputError for what opens nothing here. */
export async function readStored(session: Session, file: string): Promise<readonly (StoredKey | StoredSecret)[]> {
  const stored = readExported(await readJson(file), file);
  for (const each of stored) {
    if (each.chainId !== session.chainId) {
      throw new InputError(file, `it is for chain ${each.chainId}, not ${session.chainId}`);
    }
    if (!("key" in each) && !fits(session, each)) {
      throw new InputError(file, "the move and salt do not make the seal");
    }
  }
  return stored;
}

/** What opens the caller's seals in a match, or player 1's for who has imported it. @throws Error if nothing is sealed. */
async function secretsIn(session: Session, matchId: bigint): Promise<StoredSecret[]> {
  const record = await session.history.match(matchId);
  const { terms, player1, player2 } = record;
  const { moves } = gameAt(terms.game, session.deployment.addresses);
  const second = player2 !== undefined && (await session.caller()) === player2;
  const sealings = await moves.sealings?.(record, second ? Seat.Two : Seat.One, session.history);
  if (!sealings?.length) throw new Error(`Nothing of yours is sealed in match ${matchId}.`);
  const by = { chainId: session.chainId, game: terms.game, player: second ? player2 : player1 };
  const secretBehind = async (sealing: Sealing) => {
    const { seal } = decodeSealed(sealing.sealed);
    return { ...by, seal, ...(await secretOf(session, by, sealing)) };
  };
  return Promise.all(sealings.map(secretBehind));
}

/** Whether a secret makes its seal, in the game that it is for. */
function fits({ deployment }: Session, { seal, move, salt, ...by }: StoredSecret): boolean {
  const { moves } = gameAt(by.game, deployment.addresses);
  const commits = moves.commits?.(by) ?? [sealBy(by)];
  return commits.some((commit) => commit({ move, salt }) === seal);
}
