import { expect } from "chai";
import { concat, id, keccak256, toBeHex, zeroPadValue, ZeroHash, type Signer } from "ethers";
import { placeOf } from "../../sdk/protocol/channels/messages.js";
import type { ChannelTranscript } from "../../sdk/protocol/channels/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { IChannelArena__factory, IChannels__factory } from "../../typechain-types/index.js";
import {
  channelled,
  expectChannelMoney,
  FIRST,
  type Pair,
  type ChannelWorld,
  type Signing,
} from "../support/channels.js";
import {
  at,
  COIN,
  ethers,
  HOUR,
  loadFixture,
  networkHelpers,
  now,
  Seat,
  step,
  termsFor,
  time,
  UNIT,
  type Terms,
} from "../support/index.js";
import { expectRefused, outcomeOf } from "../support/refusals.js";

const AMOUNT = 100n * UNIT;
const ANSWER = step(Seat.One);
const WIN = step(Seat.None, Seat.One);
/** Action that the scripted game refuses. */
const REFUSED = "0x09";
/** Last number of an opening, and the highest there is. */
const [LAST, HIGHEST] = [2 * FIRST - 1, 2 ** 24 - 1];
/** Slot of the mapping of states, behind the names of the EIP-712 domain. */
const STATES_SLOT = 2;
const NONCE_AT = 192n;

/** Call that is refused, and the values of the error. */
interface Refusal {
  send: () => Promise<unknown>;
  values: readonly unknown[];
}

/** Channel of alice and bob, and calls in it. */
class Scene {
  private constructor(
    readonly w: ChannelWorld,
    readonly terms: Terms,
  ) {}

  static async set(): Promise<Scene> {
    const w = await loadFixture(channelled);
    return new Scene(w, await termsFor(w, { rated: false }));
  }

  get pair(): Pair {
    return this.w.pair;
  }

  /** Another channel of alice and bob, which is not open. */
  other(): Promise<Pair> {
    return this.w.pairOf(this.w.alice, this.w.bob, ["other 1", "other 2"]);
  }

  transcript(actions: readonly Hex[], how: Signing = {}, nonce = FIRST): Promise<ChannelTranscript> {
    return this.pair.transcript(nonce, this.terms, { position: ZeroHash, actions }, how);
  }

  async play(actions: readonly Hex[], how: Signing = {}, nonce = FIRST) {
    return this.bring("play", await this.transcript(actions, how, nonce), nonce);
  }

  async challenge(sender: Signer, actions: readonly Hex[], how: Signing = {}, nonce = FIRST) {
    return this.bring("challenge", await this.transcript(actions, how, nonce), nonce, sender);
  }

  async checkpoint(...args: Parameters<Pair["balance"]>) {
    return this.w.channels.checkpoint(...(await this.pair.balance(...args)));
  }

  /** Brings a transcript as it is. */
  bring(to: "play" | "challenge", brought: ChannelTranscript, nonce = FIRST, sender: Signer = this.w.stranger) {
    const channels = this.w.channels.connect(sender);
    if (to === "play") return channels.play(this.pair.channel, nonce, this.terms, [brought]);
    return channels.challenge(this.pair.channel, nonce, this.terms, brought);
  }
}

/** Refusals by error and by the rule behind it. */
const refusals: Record<string, Record<string, (scene: Scene) => Promise<Refusal>>> = {
  AlreadyOpen: {
    "an open channel is not opened again": async ({ w, pair }) => ({
      send: () => pair.open(1n, 1n, w.times.until),
      values: [pair.id],
    }),
  },
  NotOpen: {
    "a channel that is not open has no matches, balances or end": async (scene) => {
      const other = await scene.other();
      const { channels } = scene.w;
      const transcript = await other.transcript(FIRST, scene.terms, { position: ZeroHash, actions: [ANSWER, WIN] });
      const balance = await other.balance(FIRST, 0n, 0n);
      const calls = [
        () => channels.play(other.channel, FIRST, scene.terms, [transcript]),
        () => channels.challenge(other.channel, FIRST, scene.terms, transcript),
        () => channels.checkpoint(...balance),
      ];
      for (const send of calls) await expectRefused(scene.w, send, "NotOpen", [other.id]);
      return { send: () => channels.expire(other.channel), values: [other.id] };
    },
  },
  SamePlayer: {
    "a player opens no channel with itself": async ({ w }) => {
      const alone = await w.pairOf(w.alice, w.alice, ["other 1", "other 2"]);
      return { send: () => alone.open(1n, 1n, w.times.until), values: [w.alice] };
    },
  },
  WrongChannelFee: {
    "a channel is opened with the fee of the arena": async ({ w }) => {
      const cheap = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"], 1999n);
      return { send: () => cheap.open(1n, 1n, w.times.until), values: [1999, 2000] };
    },
  },
  WrongNonce: {
    "a match of a later number is not played": async (scene) => ({
      send: () => scene.play([ANSWER, WIN], {}, FIRST + 1),
      values: [FIRST + 1, FIRST],
    }),
    "a match of a later number is not challenged": async (scene) => ({
      send: () => scene.challenge(scene.w.bob, [ANSWER], {}, FIRST + 1),
      values: [FIRST + 1, FIRST],
    }),
    "a balance that closes is not older than the channel": async (scene) => {
      await scene.play([ANSWER, WIN]);
      return {
        send: () => scene.checkpoint(FIRST, AMOUNT, AMOUNT, { close: true }),
        values: [FIRST, FIRST + 1],
      };
    },
    "a balance is of the present opening": async (scene) => ({
      send: () => scene.checkpoint(LAST + 1, AMOUNT, AMOUNT),
      values: [LAST + 1, FIRST],
    }),
  },
  NoncesUsedUp: {
    "an opening has no match after its last number": async (scene) => {
      await scene.checkpoint(LAST, AMOUNT, AMOUNT);
      return { send: () => scene.play([ANSWER, WIN], {}, LAST), values: [scene.pair.id, LAST] };
    },
    "a channel has no opening after its last number": async (scene) => {
      const other = await scene.other();
      const args = await other.opening(1n, 1n, scene.w.times.until);
      const slot = keccak256(concat([other.id, toBeHex(STATES_SLOT, 32)]));
      await networkHelpers.setStorageAt(await scene.w.channels.getAddress(), slot, BigInt(HIGHEST) << NONCE_AT);
      await expectRefused(scene.w, () => scene.w.channels.firstNonceOf(other.id), "NoncesUsedUp", [other.id, HIGHEST]);
      return { send: () => scene.w.channels.connect(scene.w.bob).open(...args), values: [other.id, HIGHEST] };
    },
  },
  WrongChannelTerms: {
    "a match has the token of its channel": async ({ w, pair, terms }) => ({
      send: () => w.channels.play(pair.channel, FIRST, { ...terms, token: COIN }, []),
      values: [COIN, 2000],
    }),
    "a match has the fee of its channel": async (scene) => {
      const { w, pair, terms } = scene;
      const transcript = await scene.transcript([ANSWER]);
      const its = { ...terms, feeBps: 0n };
      return { send: () => w.channels.challenge(pair.channel, FIRST, its, transcript), values: [terms.token, 0] };
    },
  },
  Expired: {
    "a channel does not open with an end that has come": async ({ w }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const until = Number(await now()) + 10;
      const args = await other.opening(1n, 1n, until);
      await at(BigInt(until));
      return { send: () => w.channels.connect(w.bob).open(...args), values: [until, until] };
    },
    "a match starts no later than its offer says": async (scene) => {
      const until = Number(await now()) + 10;
      const transcript = await scene.transcript([ANSWER, WIN], { until });
      await at(BigInt(until + 1));
      return { send: () => scene.bring("play", transcript), values: [until, until + 1] };
    },
    "a balance counts no later than it says": async (scene) => {
      const until = Number(await now()) + 10;
      const args = await scene.pair.balance(FIRST + 1, AMOUNT, AMOUNT, { until });
      await at(BigInt(until + 1));
      return { send: () => scene.w.channels.checkpoint(...args), values: [until, until + 1] };
    },
  },
  StillOpen: {
    "a channel is open in its last second": async ({ w, pair }) => {
      await at(BigInt(w.times.until));
      return { send: () => w.channels.expire(pair.channel), values: [w.times.until, w.times.until] };
    },
  },
  NotSignedBy: {
    "a wallet that does not send the opening signs it": async ({ w, pair }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const args = await other.opening(1n, 1n, w.times.until, 1);
      await expectRefused(w, () => w.channels.connect(w.bob).open(...args), "NotSignedBy", [w.alice]);
      const [channel, amount1, amount2, until, , signature2] = args;
      const byKey = await pair.keys[0].signMessage("anything");
      const send = () => w.channels.connect(w.bob).open(channel, amount1, amount2, until, byKey, signature2);
      return { send, values: [w.alice] };
    },
    "nobody opens a channel alone with a player": async ({ w, pair }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const [channel, amount1, amount2, until, signature1] = await other.opening(1n, 1n, w.times.until);
      const open = (signature2: Hex) => () =>
        w.channels.connect(w.alice).open(channel, amount1, amount2, until, signature1, signature2);
      await expectRefused(w, open("0x"), "NotSignedBy", [w.bob]);
      return { send: open(await pair.keys[1].signMessage("anything")), values: [w.bob] };
    },
    "the key of a player signs its matches": async (scene) => {
      const transcript = await scene.transcript([ANSWER, WIN]);
      const swapped = { ...transcript, signature2: transcript.signature1 };
      return { send: () => scene.bring("play", swapped), values: [scene.pair.keys[1].address] };
    },
    "a signature that no key can have made is that of nobody": async (scene) => {
      const transcript = await scene.transcript([ANSWER, WIN]);
      const lame = { ...transcript, signature1: zeroPadValue("0x1b", 65) };
      return { send: () => scene.bring("play", lame), values: [scene.pair.keys[0].address] };
    },
    "the key of a player signs its balances": async ({ w, pair }) => {
      const [...args] = await pair.balance(FIRST + 1, 0n, 2n * AMOUNT);
      args[6] = args[7];
      return { send: () => w.channels.checkpoint(...args), values: [pair.keys[0].address] };
    },
  },
  BadTranscript: {
    "a transcript has an action": (scene) => malformed(scene, { actions: "0x" }),
    "the length of an action has two bytes": (scene) => malformed(scene, { actions: "0x00" }),
    "the last action of a transcript is whole": (scene) => malformed(scene, { actions: "0x0002ff" }),
    "a transcript has no second base": (scene) => malformed(scene, { base: [BASE, BASE] }),
    "a base has a message": (scene) => malformed(scene, { base: [{ ...BASE, count: 0 }] }),
    "a transcript has no fewer places than actions": (scene) => malformed(scene, { places: [ZeroHash] }),
    "a transcript has no more places than actions": (scene) => malformed(scene, { places: Array(3).fill(ZeroHash) }),
  },
  PastTheEnd: {
    "no action comes after the end of the game": async (scene) => ({
      send: () => scene.play([ANSWER, WIN, WIN]),
      values: [FIRST, 2],
    }),
    "no action comes after a base in which the game is over": async (scene) => {
      const over = { ...(await scene.transcript([ANSWER, WIN])), base: [{ ...BASE, turn: Seat.None }] };
      return { send: () => scene.bring("play", over), values: [FIRST, 0] };
    },
  },
  BadChannelStep: {
    "a game that goes on has no winner": (scene) => oddStep(scene, [Seat.One, Seat.One, Seat.None]),
    "a game that goes on has no taker": (scene) => oddStep(scene, [Seat.One, Seat.None, Seat.One]),
  },
  NotNewer: {
    "a transcript takes back a challenge of fewer messages only": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      return { send: () => scene.challenge(scene.w.bob, [ANSWER]), values: [FIRST, 1, 1, 1] };
    },
  },
  NotFinal: {
    "a match that goes on is not played": async (scene) => ({
      send: () => scene.play([ANSWER]),
      values: [FIRST, Seat.One],
    }),
    "an end that its winner alone has signed is not played": async (scene) => ({
      send: () => scene.play([ANSWER, step(Seat.Two), step(Seat.One), WIN]),
      values: [FIRST, Seat.None],
    }),
    "a single action after a base is a choice": async (scene) => {
      const base = { count: 1, turn: Seat.One, position: ZeroHash };
      const places = [placeOf(base.turn, base.position), ZeroHash];
      return { send: () => scene.play([ANSWER, WIN], { places, base }), values: [FIRST, Seat.None] };
    },
  },
  IsFinal: {
    "a match that can be played is not challenged": async (scene) => ({
      send: () => scene.challenge(scene.w.alice, [ANSWER, WIN]),
      values: [FIRST],
    }),
  },
  StillInTurn: {
    "a player whose turn it is does not challenge": async (scene) => ({
      send: () => scene.challenge(scene.w.bob, [step(Seat.Two)]),
      values: [FIRST, Seat.Two],
    }),
  },
  NotTheMover: {
    "a player that waits does not have its match brought by the other": async (scene) => ({
      send: () => scene.challenge(scene.w.alice, [ANSWER]),
      values: [FIRST, scene.w.bob, scene.w.alice],
    }),
    "an operator whose permission has ended does not challenge": async (scene) => {
      const until = (await now()) + HOUR;
      await scene.w.arena.connect(scene.w.bob).allow(scene.w.carol, until);
      await time.increaseTo(until);
      return {
        send: () => scene.challenge(scene.w.carol, [ANSWER]),
        values: [FIRST, scene.w.bob, scene.w.carol],
      };
    },
  },
  StakesTooHigh: {
    "stakes that player 1 does not have are not played for": (scene) => tooHigh(scene, AMOUNT + 1n, 0n),
    "stakes that player 2 does not have are not played for": (scene) => tooHigh(scene, 0n, AMOUNT + 1n),
  },
  AmountsTooHigh: {
    "a channel opens with no more than one player can come to hold": async (scene) => {
      const [other, most] = [await scene.other(), 2n ** 96n - 1n];
      return { send: () => other.open(most, 1n, scene.w.times.until), values: [most + 1n, most] };
    },
    "a balance has no more than the channel": async (scene) => ({
      send: () => scene.checkpoint(FIRST + 1, AMOUNT, AMOUNT + 1n),
      values: [2n * AMOUNT + 1n, 2n * AMOUNT],
    }),
  },
  MatchPosted: {
    "no match is played beside one that waits": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      return { send: () => scene.play([ANSWER, WIN], {}, FIRST + 1), values: [scene.pair.matchIdOf(FIRST)] };
    },
    "a channel does not end beside a match that waits": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      await time.increaseTo(scene.w.times.until + 1);
      return { send: () => scene.w.channels.expire(scene.pair.channel), values: [scene.pair.matchIdOf(FIRST)] };
    },
  },
  NotTheChannels: {
    "nobody but the channels takes a match back": async ({ w }) => {
      const data = IChannelArena__factory.createInterface().encodeFunctionData("void", [1n]);
      return { send: () => w.owner.sendTransaction({ to: w.arena, data }), values: [w.owner] };
    },
  },
  NotWaiting: {
    "the arena gives back no match that a player has accepted": async (scene) => {
      const { w, pair } = scene;
      await scene.challenge(w.bob, [ANSWER]);
      const matchId = pair.matchIdOf(FIRST);
      await w.arena.connect(w.alice).act(matchId, step(Seat.Two));
      const channels = await impersonated(await w.channels.getAddress());
      return {
        send: () => IChannelArena__factory.connect(w.arena.target as string, channels).void(matchId),
        values: [matchId],
      };
    },
  },
};

const BASE = { count: 1, prev: ZeroHash, actionHash: ZeroHash, turn: Seat.One, position: ZeroHash };

async function malformed(scene: Scene, changes: Partial<ChannelTranscript>): Promise<Refusal> {
  const transcript = { ...(await scene.transcript([ANSWER, WIN])), ...changes };
  return { send: () => scene.bring("play", transcript), values: [FIRST] };
}

async function oddStep(scene: Scene, [turn, winner, taker]: readonly bigint[]): Promise<Refusal> {
  return {
    send: () => scene.play([concat([step(turn, winner, taker), id("next")])]),
    values: [FIRST, [turn, winner, taker, id("next")]],
  };
}

async function tooHigh({ w, pair, terms }: Scene, stake1: bigint, stake2: bigint): Promise<Refusal> {
  const its = { ...terms, stake1, stake2 };
  const transcript = await pair.transcript(FIRST, its, { position: ZeroHash, actions: [ANSWER, WIN] });
  return {
    send: () => w.channels.play(pair.channel, FIRST, its, [transcript]),
    values: [FIRST, stake1, stake2],
  };
}

/** Returns a signer for a contract, which can pay for gas. */
async function impersonated(address: string): Promise<Signer> {
  await networkHelpers.impersonateAccount(address);
  await networkHelpers.setBalance(address, UNIT);
  return ethers.getSigner(address);
}

describe("Channels: refusals", () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.set();
  });
  afterEach(() => expectChannelMoney(scene.w));

  for (const [error, cases] of Object.entries(refusals)) {
    describe(error, () => {
      for (const [rule, prepare] of Object.entries(cases))
        it(rule, async () => {
          const { send, values } = await prepare(scene);
          await expectRefused(scene.w, send, error, values);
        });
    });
  }

  it("TooLittleGas names the gas that was there, and the gas that is enough", async () => {
    const transcript = await scene.transcript([REFUSED]);
    const { channels } = scene.w;
    const send = channels.play(scene.pair.channel, FIRST, scene.terms, [transcript], { gasLimit: 1_000_000 });
    const [, gas, min] = /^TooLittleGas\((\d+), (\d+)\)$/.exec(await outcomeOf(scene.w, send))!;
    expect(Number(gas)).to.be.within(500_000, 1_000_000);
    expect(min).to.equal("4500000");
  });

  it("every error of the channels, and of the arena towards them, is tested here", () => {
    const names = new Set<string>();
    for (const factory of [IChannels__factory, IChannelArena__factory])
      factory.createInterface().forEachError(({ name }) => names.add(name));
    expect([...Object.keys(refusals), "TooLittleGas"]).to.have.members([...names]);
  });
});
