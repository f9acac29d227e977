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
/** Last number of the first opening, and the highest possible number. */
const [LAST, HIGHEST] = [2 * FIRST - 1, 2 ** 24 - 1];
/** Slot of the mapping of states, after the names of the EIP-712 domain. */
const STATES_SLOT = 2;
const NONCE_AT = 192n;

/** Refused call, and the values of its error. */
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

  /** Sends a transcript unchanged. */
  bring(to: "play" | "challenge", brought: ChannelTranscript, nonce = FIRST, sender: Signer = this.w.stranger) {
    const channels = this.w.channels.connect(sender);
    if (to === "play") return channels.play(this.pair.channel, nonce, this.terms, [brought]);
    return channels.challenge(this.pair.channel, nonce, this.terms, brought);
  }
}

/** Refusals by error and rule. */
const refusals: Record<string, Record<string, (scene: Scene) => Promise<Refusal>>> = {
  AlreadyOpen: {
    "an open channel cannot be opened again": async ({ w, pair }) => ({
      send: () => pair.open(1n, 1n, w.times.until),
      values: [pair.id],
    }),
  },
  NotOpen: {
    "a closed channel accepts no match or balance, and cannot expire": async (scene) => {
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
    "a player cannot open a channel with itself": async ({ w }) => {
      const alone = await w.pairOf(w.alice, w.alice, ["other 1", "other 2"]);
      return { send: () => alone.open(1n, 1n, w.times.until), values: [w.alice] };
    },
  },
  WrongChannelFee: {
    "a channel must use the arena's fee": async ({ w }) => {
      const cheap = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"], 1999n);
      return { send: () => cheap.open(1n, 1n, w.times.until), values: [1999, 2000] };
    },
  },
  WrongNonce: {
    "a match with a later number cannot be played": async (scene) => ({
      send: () => scene.play([ANSWER, WIN], {}, FIRST + 1),
      values: [FIRST + 1, FIRST],
    }),
    "a match with a later number cannot be used for a challenge": async (scene) => ({
      send: () => scene.challenge(scene.w.bob, [ANSWER], {}, FIRST + 1),
      values: [FIRST + 1, FIRST],
    }),
    "a closing balance cannot be older than the channel's state": async (scene) => {
      await scene.play([ANSWER, WIN]);
      return {
        send: () => scene.checkpoint(FIRST, AMOUNT, AMOUNT, { close: true }),
        values: [FIRST, FIRST + 1],
      };
    },
    "a balance must belong to the current opening": async (scene) => ({
      send: () => scene.checkpoint(LAST + 1, AMOUNT, AMOUNT),
      values: [LAST + 1, FIRST],
    }),
  },
  NoncesUsedUp: {
    "an opening has no match with its last number": async (scene) => {
      await scene.checkpoint(LAST, AMOUNT, AMOUNT);
      return { send: () => scene.play([ANSWER, WIN], {}, LAST), values: [scene.pair.id, LAST] };
    },
    "a channel cannot open after its last number": async (scene) => {
      const other = await scene.other();
      const args = await other.opening(1n, 1n, scene.w.times.until);
      const slot = keccak256(concat([other.id, toBeHex(STATES_SLOT, 32)]));
      await networkHelpers.setStorageAt(await scene.w.channels.getAddress(), slot, BigInt(HIGHEST) << NONCE_AT);
      await expectRefused(scene.w, () => scene.w.channels.firstNonceOf(other.id), "NoncesUsedUp", [other.id, HIGHEST]);
      return { send: () => scene.w.channels.connect(scene.w.bob).open(...args), values: [other.id, HIGHEST] };
    },
  },
  WrongChannelTerms: {
    "a match must use its channel's token": async ({ w, pair, terms }) => ({
      send: () => w.channels.play(pair.channel, FIRST, { ...terms, token: COIN }, []),
      values: [COIN, 2000],
    }),
    "a match must use its channel's fee": async (scene) => {
      const { w, pair, terms } = scene;
      const transcript = await scene.transcript([ANSWER]);
      const its = { ...terms, feeBps: 0n };
      return { send: () => w.channels.challenge(pair.channel, FIRST, its, transcript), values: [terms.token, 0] };
    },
  },
  Expired: {
    "a channel cannot open with an end that has passed": async ({ w }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const until = Number(await now()) + 10;
      const args = await other.opening(1n, 1n, until);
      await at(BigInt(until));
      return { send: () => w.channels.connect(w.bob).open(...args), values: [until, until] };
    },
    "a match cannot be played after its offer has expired": async (scene) => {
      const until = Number(await now()) + 10;
      const transcript = await scene.transcript([ANSWER, WIN], { until });
      await at(BigInt(until + 1));
      return { send: () => scene.bring("play", transcript), values: [until, until + 1] };
    },
    "a balance cannot be used after its end": async (scene) => {
      const until = Number(await now()) + 10;
      const args = await scene.pair.balance(FIRST + 1, AMOUNT, AMOUNT, { until });
      await at(BigInt(until + 1));
      return { send: () => scene.w.channels.checkpoint(...args), values: [until, until + 1] };
    },
  },
  StillOpen: {
    "a channel cannot expire in its last second": async ({ w, pair }) => {
      await at(BigInt(w.times.until));
      return { send: () => w.channels.expire(pair.channel), values: [w.times.until, w.times.until] };
    },
  },
  NotSignedBy: {
    "a wallet that does not send the opening must sign it": async ({ w, pair }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const args = await other.opening(1n, 1n, w.times.until, 1);
      await expectRefused(w, () => w.channels.connect(w.bob).open(...args), "NotSignedBy", [w.alice]);
      const [channel, amount1, amount2, until, , signature2] = args;
      const byKey = await pair.keys[0].signMessage("anything");
      const send = () => w.channels.connect(w.bob).open(channel, amount1, amount2, until, byKey, signature2);
      return { send, values: [w.alice] };
    },
    "a player cannot open a channel without the opponent's signature": async ({ w, pair }) => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const [channel, amount1, amount2, until, signature1] = await other.opening(1n, 1n, w.times.until);
      const open = (signature2: Hex) => () =>
        w.channels.connect(w.alice).open(channel, amount1, amount2, until, signature1, signature2);
      await expectRefused(w, open("0x"), "NotSignedBy", [w.bob]);
      const unsigned = () => w.channels.connect(w.stranger).open(channel, amount1, amount2, until, "0x", "0x");
      await expectRefused(w, unsigned, "NotSignedBy", [w.alice]);
      return { send: open(await pair.keys[1].signMessage("anything")), values: [w.bob] };
    },
    "a match must be signed by each player's key": async (scene) => {
      const transcript = await scene.transcript([ANSWER, WIN]);
      const swapped = { ...transcript, signature2: transcript.signature1 };
      return { send: () => scene.bring("play", swapped), values: [scene.pair.keys[1].address] };
    },
    "a signature that no key can have made is invalid": async (scene) => {
      const transcript = await scene.transcript([ANSWER, WIN]);
      const lame = { ...transcript, signature1: zeroPadValue("0x1b", 65) };
      return { send: () => scene.bring("play", lame), values: [scene.pair.keys[0].address] };
    },
    "a balance must be signed by each player's key": async ({ w, pair }) => {
      const [...args] = await pair.balance(FIRST + 1, 0n, 2n * AMOUNT);
      const [signature1, signature2] = args.slice(6) as [Hex, Hex];
      const [key1, key2] = pair.keys.map(({ address }) => address);
      const checkpoint = (one: Hex, two: Hex) => {
        const [channel, nonce, amount1, amount2, close, until] = args;
        return w.channels.checkpoint(channel, nonce, amount1, amount2, close, until, one, two);
      };
      await expectRefused(w, () => checkpoint(signature2, signature2), "NotSignedBy", [key1]);
      await expectRefused(w, () => checkpoint(signature1, signature1), "NotSignedBy", [key2]);
      // Player 1's signature is checked first.
      return { send: () => checkpoint(signature2, signature1), values: [key1] };
    },
  },
  BadTranscript: {
    "a transcript must have an action": (scene) => malformed(scene, { actions: "0x" }),
    "the length of an action must take two bytes": (scene) => malformed(scene, { actions: "0x00" }),
    "the last action of a transcript must be complete": (scene) => malformed(scene, { actions: "0x0002ff" }),
    "a transcript cannot have a second base": (scene) => malformed(scene, { base: [BASE, BASE] }),
    "a base must have a message": (scene) => malformed(scene, { base: [{ ...BASE, count: 0 }] }),
    "a transcript cannot have fewer `places` than actions": (scene) => malformed(scene, { places: [ZeroHash] }),
    "a transcript cannot have more `places` than actions": (scene) =>
      malformed(scene, { places: Array(3).fill(ZeroHash) }),
  },
  PastTheEnd: {
    "no action can follow the end of the game": async (scene) => ({
      send: () => scene.play([ANSWER, WIN, WIN]),
      values: [FIRST, 2],
    }),
    "no action can follow a base in which the game is over": async (scene) => {
      const over = { ...(await scene.transcript([ANSWER, WIN])), base: [{ ...BASE, turn: Seat.None }] };
      return { send: () => scene.bring("play", over), values: [FIRST, 0] };
    },
  },
  BadChannelStep: {
    "a game that continues cannot have a winner": (scene) => oddStep(scene, [Seat.One, Seat.One, Seat.None]),
    "a game that continues cannot have a taker": (scene) => oddStep(scene, [Seat.One, Seat.None, Seat.One]),
  },
  NotNewer: {
    "a transcript can supersede only a challenge with fewer messages": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      return { send: () => scene.challenge(scene.w.bob, [ANSWER]), values: [FIRST, 1, 1, 1] };
    },
  },
  NotFinal: {
    "an unfinished match cannot be played": async (scene) => ({
      send: () => scene.play([ANSWER]),
      values: [FIRST, Seat.One],
    }),
    "an end signed only by its winner cannot be played": async (scene) => ({
      send: () => scene.play([ANSWER, step(Seat.Two), step(Seat.One), WIN]),
      values: [FIRST, Seat.None],
    }),
    "an end after a base and a single action needs the opponent's consent": async (scene) => {
      const base = { count: 1, turn: Seat.One, position: ZeroHash };
      const places = [placeOf(base.turn, base.position), ZeroHash];
      return { send: () => scene.play([ANSWER, WIN], { places, base }), values: [FIRST, Seat.None] };
    },
  },
  IsFinal: {
    "a match that can be played to its end cannot be used for a challenge": async (scene) => ({
      send: () => scene.challenge(scene.w.alice, [ANSWER, WIN]),
      values: [FIRST],
    }),
  },
  StillInTurn: {
    "a player cannot challenge when it is the player's own turn": async (scene) => ({
      send: () => scene.challenge(scene.w.bob, [step(Seat.Two)]),
      values: [FIRST, Seat.Two],
    }),
  },
  NotTheMover: {
    "a player cannot challenge if the opponent acted last": async (scene) => ({
      send: () => scene.challenge(scene.w.alice, [ANSWER]),
      values: [FIRST, scene.w.bob, scene.w.alice],
    }),
    "an operator cannot challenge after its permission has expired": async (scene) => {
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
    "the stake of player 1 cannot exceed its amount": (scene) => tooHigh(scene, AMOUNT + 1n, 0n),
    "the stake of player 2 cannot exceed its amount": (scene) => tooHigh(scene, 0n, AMOUNT + 1n),
  },
  AmountsTooHigh: {
    "the sum of the amounts cannot exceed what one player can hold": async (scene) => {
      const [other, most] = [await scene.other(), 2n ** 96n - 1n];
      return { send: () => other.open(most, 1n, scene.w.times.until), values: [most + 1n, most] };
    },
    "a balance cannot exceed the channel's amounts": async (scene) => ({
      send: () => scene.checkpoint(FIRST + 1, AMOUNT, AMOUNT + 1n),
      values: [2n * AMOUNT + 1n, 2n * AMOUNT],
    }),
  },
  MatchPosted: {
    "no match can be played while another match is pending": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      return { send: () => scene.play([ANSWER, WIN], {}, FIRST + 1), values: [scene.pair.matchIdOf(FIRST)] };
    },
    "a channel cannot expire while a match is pending": async (scene) => {
      await scene.challenge(scene.w.bob, [ANSWER]);
      await time.increaseTo(scene.w.times.until + 1);
      return { send: () => scene.w.channels.expire(scene.pair.channel), values: [scene.pair.matchIdOf(FIRST)] };
    },
  },
  NotTheChannels: {
    "only the channels contract can take back a match": async ({ w }) => {
      const data = IChannelArena__factory.createInterface().encodeFunctionData("void", [1n]);
      return { send: () => w.owner.sendTransaction({ to: w.arena, data }), values: [w.owner] };
    },
  },
  NotWaiting: {
    "a match cannot be taken back after a player has accepted it": async (scene) => {
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

  it("TooLittleGas contains the available gas and the required gas", async () => {
    const transcript = await scene.transcript([REFUSED]);
    const { channels } = scene.w;
    const send = channels.play(scene.pair.channel, FIRST, scene.terms, [transcript], { gasLimit: 1_000_000 });
    const [, gas, min] = /^TooLittleGas\((\d+), (\d+)\)$/.exec(await outcomeOf(scene.w, send))!;
    expect(Number(gas)).to.be.within(500_000, 1_000_000);
    expect(min).to.equal("4500000");
  });

  it("PurseTooLow names the player whose purse does not cover the opening, player 1 if neither does", async () => {
    const { alice, bob, fight, times } = scene.w;
    const other = await scene.other();
    const [left, needed] = [900n * UNIT, 901n * UNIT];
    for (const [amount1, amount2, player] of [
      [needed, needed, alice],
      [needed, left, alice],
      [left, needed, bob],
    ] as const) {
      const open = () => other.open(amount1, amount2, times.until);
      await expectRefused(scene.w, open, "PurseTooLow", [player, fight, left, needed]);
    }
    await other.open(left, left, times.until);
  });

  it("this file tests every error of the channels and of the arena's interface to them", () => {
    const names = new Set<string>();
    for (const factory of [IChannels__factory, IChannelArena__factory])
      factory.createInterface().forEachError(({ name }) => names.add(name));
    expect([...Object.keys(refusals), "TooLittleGas"]).to.have.members([...names]);
  });
});
