import type { ServerRequests } from "../shared/server/requests.js";

const KEY = "Address of a session key.";
const CHANNEL = "Id of a channel.";

/**
 * Requests that a relay answers. The paths of all except the first begin with the chain's id and the address of the
 * channels contract.
 */
export const REQUESTS = {
  info: {
    method: "GET",
    path: "/",
    does: "Returns what the relay serves.",
    answer: '`{"type": "duello relay", "chainId", "channels"}`',
  },
  readLobby: {
    method: "GET",
    path: "/lobby",
    does: "Returns searches that a player can answer.",
    parameters: { player: "Address of the player, in the query." },
    answer: '`{"seeks": [Seek]}`',
  },
  putSeek: {
    method: "PUT",
    path: "/lobby",
    does: "Adds or renews a search, which lasts until it expires, for up to two minutes.",
    body: "a `Seek`, signed by its session key",
    answer: "`{}`, with status 201",
  },
  readKey: {
    method: "GET",
    path: "/keys/:key",
    does: "Returns channels of a session key that the opponent has asked to open, newest first.",
    parameters: { key: KEY },
    answer: '`{"channels": [Channel]}`',
  },
  streamKey: {
    method: "GET",
    path: "/keys/:key/:seen{[0-9]{1,16}}",
    does: "Sends news in all channels of a session key as server-sent events, without an end.",
    parameters: { key: KEY, seen: "Cursor after which news is sent; 0 at first." },
    answer: 'events whose data is `{"seen", "channel", "from", "messages"}`, or `{"seen"}` after a gap',
  },
  readChannel: {
    method: "GET",
    path: "/:id{0x[0-9a-f]{64}}",
    does: "Returns the first messages of a channel that the relay has.",
    parameters: { id: CHANNEL },
    answer: '`{"messages": [ChannelMessage], "seen", "more"}`',
  },
  readChannelAfter: {
    method: "GET",
    path: "/:id{0x[0-9a-f]{64}}/:seen{[0-9]{1,16}}",
    does: "Returns messages of a channel after a cursor, or from the first one if the relay no longer has them there.",
    parameters: { id: CHANNEL, seen: "Cursor: `seen` of an earlier answer." },
    answer: '`{"messages": [ChannelMessage], "seen", "more"}`',
  },
  putMessage: {
    method: "PUT",
    path: "/:id{0x[0-9a-f]{64}}",
    does: "Stores a message that a player of a channel has signed. It can be repeated.",
    parameters: { id: CHANNEL },
    body: '`{"channel": Channel, "message": ChannelMessage}`; `channel` is required only for a new channel',
    answer: "`{}`, with status 201 for a new message, and 200 for one that the relay has already",
  },
} as const satisfies ServerRequests["requests"];
