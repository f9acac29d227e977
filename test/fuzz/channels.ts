import {
  channelMessageText,
  parseChannelMessage,
  plainText,
  readChannel,
  type ChannelMessage,
} from "../../sdk/protocol/channels/wire.js";
import { readSeek, type Seek } from "../../sdk/protocol/channels/seek.js";
import { channelEntryText, parseChannelEntry, type ChannelEntry } from "../../sdk/player/channels/log.js";
import { decodeActions, encodeActions } from "../../sdk/protocol/channels/actions.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { decoder, type Decoder } from "./decoder.js";
import { hexNear, textsNear } from "./near.js";

const WORD: Hex = `0x${"1a".repeat(32)}`;
const SIGNATURE: Hex = `0x${"2b".repeat(65)}`;
const [ALICE, BOB] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
const CHANNEL = { player1: ALICE, key1: BOB, player2: BOB, key2: ALICE, token: ALICE, feeBps: 2000 };
const terms = {
  game: ALICE,
  stake1: 1n,
  token: BOB,
  stake2: 10n ** 20n,
  mode: WORD,
  clock: 3600n,
  feeBps: 2000n,
  rated: true,
};
const amounts = { amount1: 5n, amount2: 10n ** 21n };
const MESSAGES: readonly ChannelMessage[] = [
  { type: "open", channel: WORD, nonce: 16_384, ...amounts, until: 1e9, player: 1, signature: SIGNATURE },
  {
    type: "offer",
    channel: WORD,
    nonce: 16_384,
    terms,
    swapped: false,
    position: WORD,
    until: 1e9,
    data: "0x0102",
    signature: SIGNATURE,
  },
  {
    type: "move",
    channel: WORD,
    nonce: 16_384,
    offer: WORD,
    count: 1,
    prev: WORD,
    action: "0x0102",
    place: WORD,
    signature: SIGNATURE,
  },
  {
    type: "balance",
    channel: WORD,
    nonce: 16_385,
    ...amounts,
    close: true,
    until: 1e9,
    player: 2,
    signature: SIGNATURE,
  },
];

const ENTRIES: readonly ChannelEntry[] = [
  ...MESSAGES,
  { type: "action", nonce: 16_384, position: WORD, action: "0x0102" },
  { type: "challenge", nonce: 16_384, time: 1e9 },
];

const SEEK: Seek = {
  player: ALICE,
  key: BOB,
  opponent: BOB,
  token: ALICE,
  feeBps: 2000n,
  amount: 5n,
  otherAmount: 0n,
  until: 1e9,
  terms,
  match: 16_384,
  expires: 1e9,
  signature: SIGNATURE,
};

/** Returns the decoders of channel data that opponents and relays send, and that players store. */
export function channelDecoders(): Decoder[] {
  const wire = "sdk/protocol/channels/wire.ts";
  return [
    decoder("a message of a channel", {
      covers: [`${wire}: parseChannelMessage`, `${wire}: readChannelMessage`],
      inputs: textsNear(MESSAGES.map(channelMessageText)),
      decode: (line) => parseChannelMessage(line, "message"),
      // Accepted input has the same meaning when it is encoded again.
      encode: (message) =>
        channelMessageText(parseChannelMessage(channelMessageText(message), "message")) === channelMessageText(message),
      meant: () => true,
    }),
    decoder("a log of a channel", {
      covers: ["sdk/player/channels/log.ts: parseChannelEntry", "sdk/player/channels/log.ts: readChannelEntry"],
      inputs: textsNear(ENTRIES.map(channelEntryText)),
      decode: (line) => parseChannelEntry(line, "log"),
      encode: (entry) =>
        channelEntryText(parseChannelEntry(channelEntryText(entry), "log")) === channelEntryText(entry),
      meant: () => true,
    }),
    decoder("the actions of a match in a channel", {
      covers: ["sdk/protocol/channels/actions.ts: decodeActions"],
      inputs: hexNear(["0x", encodeActions(["0x01", `0x${"02".repeat(300)}`])]),
      decode: decodeActions,
      encode: encodeActions,
    }),
    decoder("a channel", {
      covers: [`${wire}: readChannel`, `${wire}: readFee`],
      inputs: textsNear([JSON.stringify(CHANNEL)]),
      decode: (line) => readChannel(line.startsWith("{") ? parsed(line) : line, "channel"),
    }),
    decoder("a search for a player", {
      covers: ["sdk/protocol/channels/seek.ts: readSeek", `${wire}: readTerms`],
      inputs: textsNear([plainText(SEEK)]),
      decode: (line) => readSeek(line.startsWith("{") ? parsed(line) : line, "seek"),
      encode: (seek) => plainText(readSeek(JSON.parse(plainText(seek)), "seek")) === plainText(seek),
      meant: () => true,
    }),
  ];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
