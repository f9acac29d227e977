import { hexOf, sized, WORD_BYTES } from "../../protocol/bytes.js";
import type { ChannelRules } from "../module.js";
import { decodeMode } from "./mode.js";
import { resume } from "./replay.js";
import { tilesOf } from "./tiles.js";

/** Channel rules of Warmancer. */
export const channels: ChannelRules = {
  resume,
  createdBy(joinData, content) {
    const mode = decodeMode(content);
    const length = mode.casual ? tilesOf(mode.setup1).length : WORD_BYTES;
    return hexOf(sized(joinData, "joinData", length, Infinity).subarray(0, length));
  },
  problem(content, rated) {
    const { casual, sequential } = decodeMode(content);
    if (casual && sequential) return "player 1 may win with its first move, or end the match otherwise";
    return casual && rated ? "casual matches are not rated" : undefined;
  },
};
