import { decodeAnswer } from "../protocol/commit-reveal.js";
import type { ChannelRules } from "./module.js";

/** How a game is played in channels in which player 1 commits first: answers name the commitment. */
export const committedChannels: ChannelRules = { createdBy: (joinData) => decodeAnswer(joinData).commitment };
