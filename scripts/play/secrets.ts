import { gameAt } from "../../sdk/games/index.js";
import { InputError } from "../../sdk/input.js";
import { decodeSealed, sealOf } from "../../sdk/seal.js";
import { readJson } from "../json.js";
import { readMatchId } from "./arguments.js";
import type { PlayCommand } from "./command.js";
import { findKey, placeOf, secretOf } from "./keys.js";
import { readExported } from "./vault.js";

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
      const record = await session.history.match(readMatchId(id));
      const { moves, title } = gameAt(record.terms.game, session.deployment.addresses);
      if (!moves.seal) throw new Error(`There are no secrets in ${title}.`);
      const by = { chainId: session.chainId, game: record.terms.game, player: record.player1 };
      const sealed = moves.seal(record);
      const data = { ...by, seal: decodeSealed(sealed).seal, ...(await secretOf(session, by, sealed)) };
      return { data, text: JSON.stringify(data, undefined, 2) };
    },
  },
  {
    usage: "secrets import <file>",
    description: "keep an exported key or secret on this machine",
    async run(session, [file]) {
      const stored = readExported(await readJson(file), file);
      if (stored.chainId !== session.chainId) {
        throw new InputError(file, `it is for chain ${stored.chainId}, not ${session.chainId}`);
      }
      if ("key" in stored) {
        const kept = await session.vault.keepKey(stored);
        return { data: { kept }, text: `The key of ${stored.player} is in ${kept}.` };
      }
      if (sealOf(stored.chainId, stored.game, stored.player, stored.move, stored.salt) !== stored.seal) {
        throw new InputError(file, "the move and salt do not make the seal");
      }
      const kept = await session.vault.keepSecret(stored);
      return { data: { kept }, text: `The secret behind the seal ${stored.seal} is in ${kept}.` };
    },
  },
];
