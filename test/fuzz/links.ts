import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect } from "chai";
import { decodeRlp, encodeRlp, getBytes, isHexString, type RlpStructuredData } from "ethers";
import fc, { type Arbitrary } from "fast-check";
import type { Archive } from "../../sdk/chain/archive.js";
import { stockGame } from "../../sdk/games/index.js";
import { decodeRecord, encodeRecord } from "../../sdk/player/shared-record.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { replay } from "../../sdk/verify/replay.js";
import type { Recorded } from "../support/recorded.js";
import { decoder, type Decoder } from "./decoder.js";
import { hexNear, textsNear } from "./near.js";

const plain = (text: string) => text;

const packed = (bytes: Uint8Array) => deflateRawSync(bytes).toString("base64url");
const itemOf = (text: string) => decodeRlp(inflateRawSync(Buffer.from(text, "base64url")));

function leavesOf(item: RlpStructuredData): Hex[] {
  return typeof item === "string" ? [item] : item.flatMap(leavesOf);
}

/** Returns an item with another leaf in the place that a counter comes to. */
function withLeaf(item: RlpStructuredData, leaf: Hex, counter: { left: number }): RlpStructuredData {
  if (typeof item === "string") return counter.left-- === 0 ? leaf : item;
  return item.map((each) => withLeaf(each, leaf, counter));
}

/** Links like these: with another field, with other bytes, cut, and what is no link at all. */
function linksNear(texts: readonly string[]): Arbitrary<string> {
  const items = texts.map(itemOf);
  const isHex = (hex: Hex) => isHexString(hex, true);
  const leaves = fc
    .tuple(fc.constantFrom(...items), fc.nat(), hexNear(items.flatMap(leavesOf)).filter(isHex))
    .map(([item, at, leaf]) => {
      const counter = { left: at % leavesOf(item).length };
      return packed(getBytes(encodeRlp(withLeaf(item, leaf, counter))));
    });
  const bytes = hexNear(items.map(encodeRlp))
    .filter(isHex)
    .map((hex) => packed(getBytes(hex)));
  return fc.oneof(
    { weight: 6, arbitrary: leaves },
    { weight: 2, arbitrary: bytes },
    { weight: 1, arbitrary: textsNear(texts) },
  );
}

/** Returns the decoders of what a link brings: a whole match, which is replayed and drawn. */
export function linkDecoders(matches: readonly Recorded[], archive: Archive): Promise<Decoder[]> {
  const names = [...new Set(matches.map(({ game }) => game.name))];
  return Promise.all(
    names.map(async (name) => {
      const own = matches.filter(({ game }) => game.name === name);
      const texts = await Promise.all(own.map(({ record, game }) => encodeRecord(record, archive, game)));
      return decoder(`a link to a match of ${name}`, {
        covers: ["sdk/player/shared-record.ts: decodeRecord"],
        cost: 20,
        inputs: linksNear(texts),
        async decode(text) {
          const shared = await decodeRecord(text, stockGame);
          const { record, mismatch } = await replay(shared.archive, [shared.game], shared.matchId);
          // What was written by the engine, the engine finds right.
          expect(mismatch).to.equal(undefined);
          await shared.game.frames?.(record, shared.archive);
          await shared.game.story(record, shared.archive, plain);
        },
      });
    }),
  );
}
