import { isHexString } from "ethers";
import type { Provider } from "ethers";
import { Arena__factory } from "../../typechain-types/index.js";
import { isOutage } from "../../sdk/chain/trouble.js";
import { entryText, parseEntry, type AwayEntry } from "../../sdk/player/away/log.js";
import { readAwayFacts } from "../../sdk/player/away/match-facts.js";
import { messageText, parseMessage, parseTranscript, type AwayMessage } from "../../sdk/protocol/away/messages.js";
import { NEVER } from "../../sdk/protocol/away/signatures.js";
import {
  decodeAccept,
  decodePost,
  decodeTable,
  encodeAccept,
  encodePost,
  encodeTable,
  type SignedState,
  type Table,
} from "../../sdk/protocol/away/table.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { decoder, type Decoder } from "./decoder.js";
import { hexNear, textsNear } from "./near.js";

const WORD: Hex = `0x${"1a".repeat(32)}`;
const SIGNATURE: Hex = `0x${"2b".repeat(65)}`;
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TABLE: Table = { base: WORD, word: WORD, nonce: 7, turn: Seat.One, poster: Seat.Two };
const STATE: SignedState = {
  nonce: 8,
  turn: Seat.Two,
  word: WORD,
  record: WORD,
  signature1: SIGNATURE,
  signature2: SIGNATURE,
};
const AGREEMENT = { seat: Seat.One, winner: Seat.None, until: NEVER, record: WORD, nonce: 3, signature: SIGNATURE };
const MESSAGES: readonly AwayMessage[] = [
  {
    type: "move",
    nonce: 2,
    seat: Seat.One,
    action: "0x0102",
    base: WORD,
    turn: Seat.Two,
    word: WORD,
    record: WORD,
    signature: SIGNATURE,
    previous: SIGNATURE,
  },
  { type: "ask", seat: Seat.Two, winner: Seat.None, nonce: 3, signature: SIGNATURE },
  { type: "agreement", ...AGREEMENT },
];
const ENTRIES: readonly AwayEntry[] = [
  ...MESSAGES.map((message) => ({ type: "message", message }) as const),
  { type: "post", nonce: 3 },
  { type: "post", nonce: null },
  { type: "signature", nonce: 3, signature: SIGNATURE },
  { type: "action", record: WORD, action: "0x0102" },
];
const LINES = MESSAGES.map(messageText);

const arena = Arena__factory.createInterface();
const reader = Arena__factory.connect(ADDRESS);
const MATCH = [ADDRESS, 7n, 7n, 3n, 3n, ADDRESS, 1n, true, false, "0x0102030405"];
const ANSWERS: Readonly<Record<string, Hex>> = {
  matchCount: arena.encodeFunctionResult("matchCount", [7n]),
  matchOf: arena.encodeFunctionResult("matchOf", [MATCH]),
  termsOf: arena.encodeFunctionResult("termsOf", [[ADDRESS, 1n, ADDRESS, 2n, WORD, 3600n, 100n, true]]),
  keyOf: arena.encodeFunctionResult("keyOf", [ADDRESS]),
};

/** Returns a node that answers one view with the given bytes, and the others normally. */
function answering(view: string, data: Hex): Provider {
  const node = {
    async call({ data: call }: { data: string }) {
      const name = Object.keys(ANSWERS).find((each) => call.startsWith(arena.getFunction(each as "keyOf").selector))!;
      return name === view ? data : ANSWERS[name];
    },
    getNetwork: async () => ({ chainId: 1n }),
  };
  return Object.assign(node, { provider: node }) as unknown as Provider;
}

/** Returns the decoders of what opponents, relays, files and nodes tell of matches away from the chain. */
export function awayDecoders(): Decoder[] {
  const [table, messages] = ["table", "messages"].map((name) => `sdk/protocol/away/${name}.ts`);
  return [
    decoder("a table", {
      covers: [`${table}: decodeTable`],
      inputs: hexNear([encodeTable(TABLE)]),
      decode: decodeTable,
      encode: encodeTable,
    }),
    decoder("a post", {
      covers: [`${table}: decodePost`],
      inputs: hexNear([encodePost(TABLE), encodePost(TABLE, STATE)]),
      decode: decodePost,
      encode: ({ table, state }) => encodePost(table, state),
    }),
    decoder("an acceptance", {
      covers: [`${table}: decodeAccept`],
      inputs: hexNear([encodeAccept(TABLE), encodeAccept(TABLE, "0x0102")]),
      decode: decodeAccept,
      encode: ({ table, action }) => encodeAccept(table, action),
    }),
    decoder("a message away from the chain", {
      covers: [`${messages}: parseMessage`, `${messages}: readMessage`],
      inputs: textsNear(LINES),
      decode: (line) => parseMessage(line, "message"),
      // Accepted input means the same when it is encoded again.
      encode: (message) => messageText(parseMessage(messageText(message), "message")) === messageText(message),
      meant: () => true,
    }),
    decoder("a transcript", {
      covers: [`${messages}: parseTranscript`],
      inputs: textsNear([LINES.join("\n"), LINES[0]]),
      decode: (lines) => parseTranscript(lines, "7.jsonl"),
    }),
    decoder("a log away from the chain", {
      covers: ["sdk/player/away/log.ts: parseEntry", "sdk/player/away/log.ts: readEntry"],
      inputs: textsNear(ENTRIES.map(entryText)),
      decode: (line) => parseEntry(line, "log"),
      encode: (entry) => entryText(parseEntry(entryText(entry), "log")) === entryText(entry),
      meant: () => true,
    }),
    ...Object.entries(ANSWERS).map(([view, data]) =>
      decoder(`facts of a match away from the chain, as a node tells ${view}`, {
        covers: ["sdk/player/away/match-facts.ts: readAwayFacts"],
        cost: 40,
        inputs: hexNear([data]).filter((hex) => isHexString(hex, true)),
        // Data of another length is not an answer: the caller treats it as a failure of the node.
        decode: (bytes) =>
          readAwayFacts(reader.connect(answering(view, bytes)), 7n).catch((error: unknown) => {
            if (!isOutage(error)) throw error;
          }),
      }),
    ),
  ];
}
