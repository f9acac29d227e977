import { decodeAnswer } from "../protocol/commit-reveal.js";
import type { ChannelRules } from "./module.js";

/** Channel rules of a game in which player 1 commits first: player 2's answer names the commitment. */
export const committedChannels: ChannelRules = { createdBy: (joinData) => decodeAnswer(joinData).commitment };
