import { expect } from "chai";
import { dataLength, getBytes, hexlify } from "ethers";
import { QUICK } from "../../../sdk/games/warmancer/mode.js";
import { stateHashIn } from "../../../sdk/games/warmancer/state.js";
import { awayPlay } from "../../../sdk/games/warmancer/table.js";
import { Random } from "../../../sdk/laws/random.js";
import { AWAY_SECONDS, NEVER } from "../../../sdk/protocol/away/signatures.js";
import {
  firstTable,
  TABLE_BYTES,
  tableAfter,
  tableHash,
  type SignedState,
  type Table,
} from "../../../sdk/protocol/away/table.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { otherSeat } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { termsHash } from "../../../sdk/protocol/terms.js";
import { Arena__factory, Warmancer__factory, type Arena, type Warmancer } from "../../../typechain-types/index.js";
import { AwayWorld, type AwayTable, type SignerKind } from "../../support/away-tables.js";
import { ACCEPTED, outcomeOf } from "../../support/refusals.js";

const { None, One, Two, Either } = Seat;
const SEATS = [One, Two];
const MODE = { ...QUICK, away: true };
/** Nonces of the states that both have signed; 0 is the state after joining, which needs no signatures. */
const NONCES = process.env.THOROUGH ? [0, 1, 2, 3] : [0, 1, 2];
const KIND_BYTES = 1;
/** Every byte has a bit that is flipped, each another one. */
const STRIDE = 7;

/** Something that anybody may try in a match. */
interface Try {
  what: string;
  type: "post" | "accept" | "act" | "resign" | "settle" | "timeout";
  /** Seat that tries it; None for anybody, or for the player in turn in the current state of the match. */
  seat: bigint;
  /** Nonce of the state that is posted. */
  nonce?: number;
}

/** A second model of the rules of a match, independent of the contracts. */
interface Situation {
  turn: bigint;
  status: bigint;
  /** Nonce of the posted state, and its poster; undefined once it is accepted. */
  posted?: { nonce: number; poster: bigint };
  /** Nonce of the accepted state. */
  accepted?: number;
  /** Deadline according to the arena: clocks have their own tests. */
  deadline: bigint;
}

const TRIES: Try[] = [
  ...SEATS.flatMap((seat) =>
    NONCES.map((nonce) => ({ what: `${seat} posts ${nonce}`, type: "post" as const, seat, nonce })),
  ),
  ...SEATS.map((seat) => ({ what: `${seat} accepts`, type: "accept" as const, seat })),
  ...SEATS.map((seat) => ({ what: `${seat} resigns`, type: "resign" as const, seat })),
  { what: "whoever is to move acts", type: "act", seat: None },
  { what: "anybody settles", type: "settle", seat: None },
  { what: "anybody times out", type: "timeout", seat: None },
];

/** A match with three signed states, and all that can be tried in it. */
class Bench {
  readonly game: Warmancer;
  readonly arena: Arena;

  private constructor(
    readonly world: AwayWorld,
    readonly match: AwayTable,
    /** Signed states by their nonce, from 1. */
    readonly states: readonly (SignedState | undefined)[],
    private readonly agreed: readonly [Hex, Hex],
  ) {
    this.game = Warmancer__factory.connect(world.game, world.provider);
    this.arena = Arena__factory.connect(world.addresses.Arena, world.provider);
  }

  static async open(kinds: readonly SignerKind[] = ["player", "player"]): Promise<Bench> {
    const world = await AwayWorld.open();
    const match = await (await world.join(MODE, new Random("interleaved"), kinds)).play(NONCES.length);
    const states = await Promise.all(NONCES.map(async (nonce) => (nonce === 0 ? undefined : match.stateAt(nonce))));
    const { signature1, signature2 } = (await match.agreed(One)).signatures;
    return new Bench(world, match, states, [signature1, signature2]);
  }

  /** Seat in turn in the state of a nonce, by the engine. */
  turnAt(nonce: number): bigint {
    return this.match.driver.sent[nonce + 1].outcome.state.turn;
  }

  tableOf({ nonce, poster }: { nonce: number; poster: bigint }): Table {
    const first = firstTable(this.match.base, this.turnAt(0));
    return poster === None ? first : tableAfter(first, poster, this.states[nonce]);
  }

  /** Encodes an attempt, based on its sender's view of the match. */
  dataOf({ type, nonce = 0 }: Try, { posted, accepted }: Situation): Hex {
    const table = this.tableOf(posted ?? { nonce: accepted!, poster: None });
    if (type === "post") return awayPlay.encodePost(table, this.states[nonce]);
    if (type === "accept") return awayPlay.encodeAccept(table);
    // The action that follows the current state.
    return this.match.driver.sent[(posted?.nonce ?? accepted!) + 2].data;
  }

  /** Makes a call or, with `isSent`, sends a transaction. */
  attempt(trial: Try, situation: Situation, isSent = false): Promise<unknown> {
    const { match, agreed } = this;
    const { matchId } = match;
    const [one] = match.world.players;
    const { posted, accepted } = situation;
    const seat = trial.type === "act" ? this.turnAt(posted?.nonce ?? accepted!) : trial.seat;
    const arena = this.arena.connect(seat === None ? one.signer : match.client(seat).signer);
    const run = (name: "act" | "resign" | "settle" | "timeout", ...args: unknown[]): Promise<unknown> => {
      const call = arena.getFunction(name);
      return isSent ? call(...args) : call.staticCall(...args);
    };
    if (trial.type === "timeout") return run("timeout", matchId);
    if (trial.type === "resign") return run("resign", matchId);
    if (trial.type !== "settle") return run("act", matchId, this.dataOf(trial, situation));
    const record = match.moves.at(-1)!.record;
    return run("settle", matchId, termsHash(match.terms), One, NEVER, record, ...agreed);
  }

  /** Returns the name of an attempt's error, or ACCEPTED. */
  async outcome(trial: Try, situation: Situation): Promise<string> {
    const { arena, game } = this;
    return (await outcomeOf({ arena, game }, this.attempt(trial, situation))).split("(")[0];
  }
}

/** Expected result of an attempt: the name of an error, or the state of the match afterwards. */
function expected(bench: Bench, trial: Try, situation: Situation, now: bigint): string | Situation {
  const { turn, status, posted, accepted, deadline } = situation;
  const { type, nonce = 0 } = trial;
  const seat = type === "act" ? bench.turnAt(posted?.nonce ?? accepted!) : trial.seat;
  const isLate = now > deadline;
  if (status !== Status.AllJoined) return "WrongStatus";
  if (type === "timeout") {
    if (!isLate) return "TooEarly";
    const end = turn === Either ? Status.Draw : turn === One ? Status.P2WinInactive : Status.P1WinInactive;
    return { ...situation, turn: None, status: end };
  }
  if (isLate) return "TooLate";
  if (type === "settle") return { ...situation, turn: None, status: Status.P1Win };
  if (type === "resign") return { ...situation, turn: None, status: seat === One ? Status.P2Win : Status.P1Win };
  if (turn !== Either && turn !== seat) return "NotYourTurn";
  if (type === "act") {
    return posted ? "WrongRound" : { ...situation, turn: bench.turnAt(accepted! + 1), accepted: accepted! + 1 };
  }
  if (!posted) return "WrongTable";
  if (type === "accept") {
    if (posted.poster === None) return "NotPosted";
    return { ...situation, turn: bench.turnAt(posted.nonce), posted: undefined, accepted: posted.nonce };
  }
  const isFirst = nonce === 0 && posted.poster === None;
  if (!isFirst && nonce <= posted.nonce) return "NotNewer";
  return { ...situation, turn: otherSeat(seat), posted: { nonce, poster: seat } };
}

describe("Warmancer: the table on the chain", () => {
  it("behaves like a model in all orders of posts, acceptances, actions, resignations, settlements and timeouts", async () => {
    const bench = await Bench.open();
    const { connection } = bench.world;
    const { takeSnapshot, time } = connection.networkHelpers;
    const { matchId } = bench.match;
    const seen = { posted: 0, accepted: 0, ends: 0 };

    const check = async ({ turn, status, posted, accepted }: Situation, path: string) => {
      const stored = await bench.arena.matchOf(matchId);
      expect([stored.turn, stored.status], path).to.deep.equal([turn, status]);
      if (status !== Status.AllJoined) return;
      const hash = await bench.arena.positionOf(matchId);
      const known = posted
        ? tableHash(bench.tableOf(posted))
        : stateHashIn(bench.match.driver.sent[accepted! + 1].outcome.state);
      expect(hash, path).to.equal(known);
    };
    const tryAll = async (situation: Situation, path: string) => {
      for (const trial of TRIES) {
        const what = `${path}, ${trial.what}`;
        const next = expected(bench, trial, situation, BigInt(await time.latest()));
        expect(await bench.outcome(trial, situation), what).to.equal(typeof next === "string" ? next : ACCEPTED);
        if (typeof next === "string") continue;
        if (trial.type === "post") seen.posted++;
        if (trial.type === "accept") seen.accepted++;
        const snapshot = await takeSnapshot();
        await bench.attempt(trial, situation, true);
        const { deadline } = await bench.arena.matchOf(matchId);
        await check(next, what);
        if (next.status !== Status.AllJoined) seen.ends++;
        // After an acceptance the match continues like any other: an action is enough.
        if (trial.type !== "act") await explore({ ...next, deadline }, what);
        await snapshot.restore();
      }
    };
    const explore = async (situation: Situation, path: string): Promise<void> => {
      await tryAll(situation, path);
      if (situation.status !== Status.AllJoined) return;
      const { posted } = situation;
      // A player who answers in time gets the newest signed state accepted, whatever was posted.
      if (posted && posted.poster !== None && posted.nonce < NONCES.at(-1)!) {
        const newest = { what: "newest", type: "post" as const, seat: situation.turn, nonce: NONCES.at(-1)! };
        expect(await bench.outcome(newest, situation), path).to.equal(ACCEPTED);
      }
      const snapshot = await takeSnapshot();
      await time.increaseTo(situation.deadline + 1n);
      await tryAll(situation, `${path}, late`);
      await snapshot.restore();
    };

    const { deadline } = await bench.arena.matchOf(matchId);
    expect(deadline).to.equal(BigInt(await time.latest()) + AWAY_SECONDS);
    await explore({ turn: Either, status: Status.AllJoined, posted: { nonce: 0, poster: None }, deadline }, "joined");
    // Tries every rising list of nonces to post, beginning with either seat, with and without an acceptance of each
    // post.
    const posts = 2 * (2 ** NONCES.length - 1);
    expect(seen.accepted).to.equal(posts);
    expect(seen.posted).to.equal(posts);
    // From each of these and from joining: both resign, both agree, and time runs out.
    expect(seen.ends).to.equal(4 * (2 * posts + 1));
    await bench.world.connection.close();
  });

  describe("given a table", () => {
    let bench: Bench;
    before(async () => (bench = await Bench.open()));
    after(() => bench.world.connection.close());

    const tried = async (seat: bigint, data: Hex): Promise<string> => {
      const arena = bench.arena.connect(bench.match.client(seat).signer);
      const called = arena.act.staticCall(bench.match.matchId, data);
      return (await outcomeOf({ arena: bench.arena, game: bench.game }, called)).split("(")[0];
    };
    const flipped = (data: Hex, bit: number): Hex => {
      const bytes = getBytes(data);
      bytes[bit >> 3] ^= 1 << (bit & 7);
      return hexlify(bytes);
    };

    it("when any byte of it is another, it is refused to post and to accept on it", async () => {
      const table = bench.tableOf({ nonce: 0, poster: None });
      for (const [data, outcome] of [
        [awayPlay.encodePost(table), ACCEPTED],
        [awayPlay.encodePost(table, bench.states[2]), ACCEPTED],
        [awayPlay.encodeAccept(table), "NotPosted"],
      ]) {
        expect(await tried(One, data)).to.equal(outcome);
        for (let bit = 8 * KIND_BYTES; bit < 8 * (KIND_BYTES + TABLE_BYTES); bit += STRIDE) {
          expect(await tried(Two, flipped(data, bit)), `bit ${bit}`).to.equal("WrongTable");
        }
      }
    });

    it("when any byte of a signed state is another, it is refused", async () => {
      const data = awayPlay.encodePost(bench.tableOf({ nonce: 0, poster: None }), bench.states[2]);
      for (let bit = 8 * (KIND_BYTES + TABLE_BYTES); bit < 8 * dataLength(data); bit += STRIDE) {
        const outcome = await tried(One, flipped(data, bit));
        expect(outcome, `bit ${bit}`).to.be.oneOf(["NotSigned", "NotNewer", "NobodysTurn", "WrongLength"]);
      }
    });

    it("when a state is cut short or made longer by any number of bytes, it is refused", async () => {
      const data = awayPlay.encodePost(bench.tableOf({ nonce: 0, poster: None }), bench.states[2]);
      for (let length = KIND_BYTES; length < dataLength(data) + 70; length++) {
        const bytes = hexlify(getBytes(`${data}${"00".repeat(70)}`).slice(0, length));
        const outcome = await tried(Two, bytes);
        if (length === KIND_BYTES + TABLE_BYTES || length === dataLength(data)) expect(outcome).to.equal(ACCEPTED);
        else expect(outcome, `${length} bytes`).to.be.oneOf(["WrongLength", "NotSigned"]);
      }
    });
  });

  for (const kinds of [
    ["player", "session"],
    ["session", "pledged"],
    ["pledged", "player"],
  ] as const) {
    it(`given a ${kinds[0]} key and a ${kinds[1]} key, when they have signed, either posts, supersedes and accepts`, async () => {
      const bench = await Bench.open(kinds);
      const { match } = bench;
      await match.post(One, 1);
      await match.post(Two, 2);
      const on = await match.accept(true, 2);
      expect(await bench.arena.positionOf(match.matchId)).to.equal(stateHashIn(on.state));
      await bench.world.connection.close();
    });
  }
});
