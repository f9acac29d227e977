import { id, N, SigningKey, toBeHex, type Wallet } from "ethers";
import { expect } from "chai";
import {
  areOfOneOpening,
  balanceRequest,
  channelIdOf,
  moveRequest,
  NO_END,
  NO_PLACE,
  sessionKeyOf,
} from "../../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  MAX_ACTION_BYTES,
  MAX_MESSAGE_LENGTH,
  offerIn,
  parseChannelMessage,
  plainText,
  readChannel,
  readChannelMessage,
  senderOf,
  signedWith,
  type BalanceMessage,
  type ChannelMessage,
  type MoveMessage,
  type OfferMessage,
  type OpenMessage,
} from "../../../sdk/protocol/channels/wire.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { COIN, termsHash, type Terms } from "../../../sdk/protocol/terms.js";
import { keyOf } from "../../support/channels.js";

const [alice, bob, key1, key2] = ["alice", "bob", "key 1", "key 2"].map(keyOf);
const channel = {
  player1: alice.address,
  key1: key1.address,
  player2: bob.address,
  key2: key2.address,
  token: COIN,
  feeBps: 2000n,
};
const at = { chainId: 31_337n, channels: keyOf("channels").address };
const WORD = id("word");
const head = { channel: channelIdOf(channel), nonce: 16_384 };
const terms = {
  game: keyOf("game").address,
  stake1: 2n ** 96n - 1n,
  token: COIN,
  stake2: 0n,
  mode: WORD,
  clock: 3600n,
  feeBps: 2000n,
  rated: false,
};
const amounts = { amount1: 2n ** 96n - 1n, amount2: 0n };
const offer = signed<OfferMessage>(key1, {
  ...head,
  type: "offer",
  terms,
  swapped: false,
  position: WORD,
  until: NO_END,
  data: "0x01",
});
const move = signed<MoveMessage>(key2, {
  ...head,
  type: "move",
  offer: WORD,
  count: 1,
  prev: WORD,
  action: "0x0102",
  place: NO_PLACE,
});
const balance = signed<BalanceMessage>(key1, {
  ...head,
  type: "balance",
  ...amounts,
  close: false,
  until: NO_END,
  player: 1,
});
const opening = signed<OpenMessage>(bob, { ...head, type: "open", ...amounts, until: 1e9, player: 2 });
const messages: readonly ChannelMessage[] = [opening, offer, move, balance];

describe("Channels: messages", () => {
  it("are read exactly as they were written", () => {
    for (const message of messages) {
      expect(parseChannelMessage(channelMessageText(message), "message")).to.deep.equal(message);
    }
    const confirmed: MoveMessage = { ...move, action: "0x" };
    const placed: MoveMessage = { ...move, place: WORD };
    for (const each of [confirmed, placed]) {
      expect(parseChannelMessage(channelMessageText(each), "message")).to.deep.equal(each);
    }
    expect(plainText({ amount: 1n, terms: null })).to.equal('{"amount":"1","terms":null}');
  });

  it("are written as the same single line, whatever the order of their fields", () => {
    const { type, ...rest } = offer;
    const reversed = Object.fromEntries(Object.entries(terms).reverse()) as unknown as Terms;
    const turned: OfferMessage = { ...rest, terms: reversed, type };
    expect(channelMessageText(turned)).to.equal(channelMessageText(offer)).and.not.to.include("\n");
  });

  it("are rejected with the invalid field and its bound", () => {
    for (const [message, changes, error] of [
      [move, { nonce: 2 ** 24 }, "message.nonce: 16777216 is above 16777215"],
      [move, { count: 0 }, "message.count: 0 is below 1"],
      [move, { count: 2 ** 32 }, "message.count: 4294967296 is above 4294967295"],
      [move, { action: "0x123" }, 'message.action: "0x123" is not 0x and hex bytes'],
      [move, { action: `0x${"00".repeat(MAX_ACTION_BYTES + 1)}` }, "message.action: 2049 bytes instead of 0 to 2048"],
      [move, { action: "0x", place: WORD }, `message.place: ${WORD} is not zero, though there is no action`],
      [move, { signature: `0x${"00".repeat(64)}` }, "message.signature: 64 bytes instead of 65"],
      [move, { more: 1 }, "message.more: unknown field"],
      [move, { type: "seen" }, 'message.type: "seen" is not one of open, offer, move, balance'],
      [offer, { data: "0x" }, "message.data: 0 bytes instead of 1 to 2048"],
      [offer, { until: 2 ** 32 }, "message.until: 4294967296 is above 4294967295"],
      [offer, { terms: { ...json(offer).terms, feeBps: 2001 } }, "message.terms.feeBps: 2001 is above 2000"],
      [offer, { terms: { ...json(offer).terms, stake2: 0 } }, "message.terms.stake2: 0 is not a text"],
      [balance, { amount1: String(2n ** 96n) }, `message.amount1: "${2n ** 96n}" is no number of 96 bits`],
      [balance, { player: 3 }, "message.player: 3 is above 2"],
      [opening, { signature: `0x${"00".repeat(1025)}` }, "message.signature: 1025 bytes instead of 1 to 1024"],
    ] as const) {
      const line = JSON.stringify({ ...json(message), ...changes });
      expect(() => parseChannelMessage(line, "message"), error).to.throw(InputError, error);
    }
    const placed = { ...json(move), action: "0x", place: WORD };
    expect(() => readChannelMessage(placed, "")).to.throw(InputError, /^place: 0x[0-9a-f]+ is not zero/);
    expect(() => readChannelMessage({ ...json(move), type: "seen" }, "")).to.throw(InputError, /^type: "seen" is not/);
  });

  it("are rejected if they are too long, or not JSON", () => {
    const long = " ".repeat(MAX_MESSAGE_LENGTH + 1);
    expect(() => parseChannelMessage(long, "message")).to.throw(InputError, "6145 characters are more than 6144");
    const padded = channelMessageText(move).padEnd(MAX_MESSAGE_LENGTH);
    expect(parseChannelMessage(padded, "message")).to.deep.equal(move);
    expect(() => parseChannelMessage("{", "message")).to.throw(InputError, "message: not JSON");
    for (const each of ["null", "[]", "7", '"open"']) {
      expect(() => parseChannelMessage(each, "message")).to.throw(InputError, "message.type");
    }
  });

  it("have room for the longest action", () => {
    const longest = { ...move, count: 2 ** 32 - 1, action: `0x${"ff".repeat(MAX_ACTION_BYTES)}` };
    expect(parseChannelMessage(channelMessageText(longest), "message")).to.deep.equal(longest);
    const data = { ...offer, data: longest.action };
    expect(parseChannelMessage(channelMessageText(data), "message")).to.deep.equal(data);
  });

  it("belong to the player whose key signed them, but a consent to open belongs to the player whose wallet signed it", () => {
    expect(messages.map((message) => senderOf(at, channel, message))).to.deep.equal(
      [2, 1, 2, 1].map((player) => ({ player, isChecked: true })),
    );
  });

  it("belong to no player if the chain, the contract, a field or the key that signed differs", () => {
    for (const message of messages.filter(({ type }) => type !== "open")) {
      expect(senderOf({ ...at, chainId: 1n }, channel, message)).to.equal(undefined);
      expect(senderOf({ ...at, channels: alice.address }, channel, message)).to.equal(undefined);
      const changes = message.type === "move" ? { count: 2 } : { nonce: 16_385 };
      expect(senderOf(at, channel, { ...message, ...changes })).to.equal(undefined);
    }
    expect(senderOf(at, channel, { ...balance, player: 2 })).to.equal(undefined);
    expect(senderOf(at, channel, { ...offer, terms: { ...terms, clock: 3601n } })).to.equal(undefined);
    expect(senderOf(at, channel, signed(alice, balance))).to.equal(undefined);
  });

  it("are unchecked if they are a consent to open that no account has signed, because the wallet may be a contract", () => {
    const unchecked = { player: 2, isChecked: false };
    expect(senderOf(at, channel, { ...opening, signature: "0x1234" })).to.deep.equal(unchecked);
    expect(senderOf(at, channel, signed(key2, opening))).to.deep.equal(unchecked);
    expect(senderOf(at, channel, { ...opening, nonce: 16_385 })).to.deep.equal(unchecked);
    expect(senderOf({ ...at, chainId: 1n }, channel, opening)).to.deep.equal(unchecked);
    expect(senderOf(at, channel, { ...opening, player: 1 })).to.deep.equal({ player: 1, isChecked: false });
  });

  it("are valid only with a low s and with v 27 or 28", () => {
    const { signature } = move;
    const s = BigInt(`0x${signature.slice(66, 130)}`);
    const v = Number(`0x${signature.slice(130)}`);
    const high = signature.slice(0, 66) + toBeHex(N - s, 32).slice(2) + toBeHex(55 - v, 1).slice(2);
    const low = signature.slice(0, 130) + toBeHex(v - 27, 1).slice(2);
    for (const each of [high, low]) expect(senderOf(at, channel, { ...move, signature: each })).to.equal(undefined);
  });

  it("have the same signatures as typed data in wallets", async () => {
    for (const [message, request] of [
      [move, moveRequest(at, move)],
      [balance, balanceRequest(at, balance)],
    ] as const) {
      const wallet = message === move ? key2 : key1;
      expect(await wallet.signTypedData(request.domain, request.types, request.value)).to.equal(message.signature);
    }
    expect(offerIn(offer).terms).to.equal(termsHash(terms));
  });

  it("are of one opening if their match numbers differ only in the last 14 bits", () => {
    const [first, last] = [3 << 14, (4 << 14) - 1];
    expect(areOfOneOpening(first, last)).to.equal(true);
    expect([first - 1, last + 1].map((other) => areOfOneOpening(first, other))).to.deep.equal([false, false]);
  });

  it("are accepted only for a channel of two different players", () => {
    const written = { ...channel, feeBps: 2000 };
    expect(readChannel(written, "channel")).to.deep.equal(channel);
    for (const [path, field] of [
      ["channel", "channel.player2"],
      ["", "player2"],
    ]) {
      const error = `${field}: ${alice.address} is player 1 too`;
      expect(() => readChannel({ ...written, player2: alice.address }, path)).to.throw(
        InputError,
        new RegExp(`^${error}$`),
      );
    }
    expect([sessionKeyOf(channel, 1), sessionKeyOf(channel, 2)]).to.deep.equal([key1.address, key2.address]);
  });
});

function signed<M extends ChannelMessage>(wallet: Wallet, message: Omit<M, "signature">): M {
  return signedWith<M>(new SigningKey(wallet.privateKey), at, message as never);
}

function json(message: ChannelMessage) {
  return JSON.parse(channelMessageText(message)) as Record<string, object>;
}
