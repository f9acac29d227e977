import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { bytesOf, hexOf } from "../../sdk/protocol/bytes.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { readKeptMatch } from "../../cli/shared/files/kept-matches.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { decodeRecord, encodeRecord } from "../../sdk/player/shared-record.js";
import { versioned } from "../../sdk/protocol/version.js";
import { replay } from "../../sdk/verify/replay.js";
import type { Recorded } from "../support/recorded.js";
import { decoder, type Decoder } from "./decoder.js";
import { filesNear, hexNear, textsNear } from "./near.js";

/** Returns the decoders of matches in links: as texts, and as the bytes in them. */
export async function sharedDecoders(matches: readonly Recorded[], archive: Archive): Promise<Decoder[]> {
  const texts = await Promise.all(matches.map(({ game, record }) => encodeRecord(record, archive, game)));
  const bytes = texts.map((text) => hexOf(inflateRawSync(Buffer.from(text, "base64url"))));
  const deflated = hexNear(bytes).filter((hex) => /^0x([0-9a-f]{2})*$/i.test(hex));
  const packed = deflated.map((hex) => deflateRawSync(bytesOf(hex)).toString("base64url"));
  const covers = ["sdk/player/shared-record.ts: decodeRecord"];
  const file = join(mkdtempSync(join(tmpdir(), "duello-")), "kept.json");
  const decode = async (text: string) => {
    const { game, archive: own, matchId } = await decodeRecord(text, stockGame);
    const { mismatch } = await replay(own, [game], matchId);
    if (mismatch) throw new RangeError(`The record has ${mismatch.what}.`);
  };
  return [
    decoder("a shared record", { covers, cost: 5, inputs: textsNear(texts), decode }),
    decoder("a kept match", {
      covers: ["cli/shared/files/kept-matches.ts: readKeptMatch"],
      cost: 20,
      inputs: filesNear(texts.map((record) => versioned("a kept match", { record }))),
      decode: (text) => (writeFileSync(file, text), readKeptMatch(file, games)),
    }),
    decoder("the bytes of a shared record", { covers, cost: 5, inputs: packed, decode }),
  ];
}
