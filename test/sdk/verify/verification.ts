import { expect } from "chai";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import type { TranscriptCode } from "../../../sdk/chain/channels.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import type { EventSource } from "../../../sdk/chain/source.js";
import type { Audit, GameModule } from "../../../sdk/games/module.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { termsHash } from "../../../sdk/protocol/terms.js";
import { verify, type VerifyOptions } from "../../../sdk/verify/verify.js";
import { FUNDED } from "../../support/judge.js";
import {
  acted,
  addressOf,
  ALICE,
  ARENA,
  balanced,
  challenged,
  CHANNEL,
  CHANNELS,
  created,
  eventOf,
  FIRST,
  funded,
  GAME,
  joined,
  matchIdOf,
  opened,
  played,
  playedUnder,
  settled,
  started,
  TERMS,
  termsAdded,
  wordOf,
} from "../../support/made-up-events.js";
import {
  finish,
  logOf,
  MadeUpGame,
  offeredBy,
  offerOf,
  pass,
  positionAfter,
  REFUSED,
} from "../../support/made-up-game.js";

const { One, Two, None } = Seat;
const ID = matchIdOf();
const LAST = { number: 5000, hash: wordOf(5) };
const unrated = { ...TERMS, rated: false };
const addresses = { Arena: ARENA, Pistols: GAME } as unknown as Addresses;
const ANSWER = pass(One, "0xaa");
const OFFERED = offeredBy(offerOf(ANSWER));
const AFTER_ANSWER = positionAfter(OFFERED, ANSWER);
const WIN = finish(One);

/** Puts events into a block and a transaction of their own. */
const at = (block: number, ...events: readonly AnyEvent[]) =>
  events.map((event) => ({ ...event, block, transaction: wordOf(block % 256) }));
const logs = (matchId: bigint, ...data: readonly Hex[]) =>
  data.map((each) => {
    const { round, entries } = logOf(each);
    return eventOf("Log", { matchId, round, logEntries: entries });
  });

const BEGINNING = [...FUNDED, termsAdded({ rated: false }), opened(), playedUnder({ rated: false })];
/** A match that is settled in its channel. */
const settledInChannel = (
  code: Partial<TranscriptCode> = {},
  sent: readonly Hex[] = [ANSWER, WIN],
  position = OFFERED,
) => {
  const nonce = code.nonce ?? FIRST;
  return at(1010, ...logs(matchIdOf(nonce), ...sent), played({ code, actions: sent, position }));
};
/** A match in the arena after its answer. */
const IN_ARENA = at(
  1010,
  ...logs(ID, ANSWER),
  challenged({ actions: [ANSWER], position: OFFERED }),
  started({ position: AFTER_ANSWER }),
);
/** An ordinary match of a game, up to player 2's answer. */
const ordinary = (terms = unrated) => [
  created({ termsHash: termsHash(terms), data: offerOf(ANSWER) }),
  ...at(1010, funded()),
  ...at(1020, joined({ data: ANSWER }), ...logs(1n, offerOf(ANSWER), ANSWER)),
];

/** Verifies events with a made-up game. The chain answers as expected, unless the options say otherwise. */
async function verified(events: readonly AnyEvent[], options: VerifyOptions = {}, changes: Partial<GameModule> = {}) {
  const timed: number[] = [];
  const times = new Set<number>();
  const source = {
    addresses,
    chainId: 31_337n,
    last: LAST,
    async *parts() {
      for (const event of events) yield [event];
    },
    async readTimes(blocks: Iterable<number>) {
      for (const block of blocks) times.add(block);
      timed.push(...blocks);
    },
    timeOf: (block: number) => (times.has(block) ? BigInt(block) : undefined),
  } as unknown as EventSource;
  const { module } = new MadeUpGame();
  const game = { ...module, name: "pass", contract: "Pistols", abi: [], errors: {}, ...changes };
  const asked: string[] = [];
  const ask = async (address: string, _: string, expected?: string) => (asked.push(address), expected);
  const { mismatch, ...verdict } = await verify(source, [game], { ask, ...options });
  return { verdict, asked, timed, mismatch: mismatch && locatedMismatchText(mismatch) };
}

const messageOf = (error: unknown) => (error as Error).message;

describe("Verifying made-up events", () => {
  it("counts the events, the matches and the answers of a whole arena", async () => {
    const events = [...BEGINNING, ...settledInChannel()];
    const { verdict, mismatch, asked } = await verified(events);
    expect(mismatch).to.equal(undefined);
    const { answers, ...counts } = verdict;
    expect(counts).to.deep.equal({ matches: 1, foreign: 0, fromChannels: 1, events: events.length, block: 5000 });
    expect(answers).to.equal(asked.length);
    // The state of the channel, and the share of the house.
    expect(asked.filter((address) => address === CHANNELS)).to.have.length(2);
    const alone = await verified(events, { ask: undefined });
    expect(alone.verdict).to.deep.equal({ ...counts, answers: 0 });
  });

  it("locates a wrong result of a channel match in the event of the channels contract", async () => {
    const { mismatch } = await verified([...BEGINNING, ...settledInChannel({ winner: Two, taker: One })]);
    expect(mismatch).to.equal(`match ${ID}, Played, block 1010: winner: expected 1, found 2`);
    // The log of the offer, which the made-up game makes, too, is not on chain.
    const wrongLog = settledInChannel().with(0, at(1010, ...logs(ID, pass(One, "0xab")))[0]);
    expect((await verified([...BEGINNING, ...wrongLog])).mismatch).to.equal(
      `match ${ID}, Log, block 1010: round 2, log entry 1: expected ${BigInt(ANSWER)}, found ${BigInt("0x01ab")}`,
    );
    const missing = settledInChannel().toSpliced(1, 1);
    expect((await verified([...BEGINNING, ...missing])).mismatch).to.equal(
      `match ${ID}, Log: logged rounds: expected 3, found 2`,
    );
  });

  it("explains an action that the game refuses", async () => {
    const { mismatch } = await verified([...BEGINNING, ...settledInChannel({}, [ANSWER, REFUSED])]);
    expect(mismatch).to.equal(`match ${ID}, what was sent: it is refused`);
  });

  describe("of a match in the arena", () => {
    it("expects its state and position, and continues with its events", async () => {
      const open = await verified([...BEGINNING, ...IN_ARENA]);
      expect(open.mismatch).to.equal(undefined);
      const end = [...at(1020, acted(One, { matchId: ID, data: WIN }), ...logs(ID, WIN))];
      const over = at(1020, settled({ matchId: ID, status: Status.P1Win, paid1: 13n, house: 3n }));
      const { mismatch, verdict, asked } = await verified([...BEGINNING, ...IN_ARENA, ...end, ...over]);
      expect(mismatch).to.equal(undefined);
      expect(verdict).to.include({ matches: 1, fromChannels: 1 });
      // Two answers about the match, and one more purse: the treasury's.
      expect(open.asked.filter((address) => address === ARENA).length + 1).to.equal(
        asked.filter((address) => address === ARENA).length,
      );
    });

    it("locates mismatches in the events of the channels contract and of the arena", async () => {
      const [log, challenge, start] = IN_ARENA;
      const claim = at(1010, challenged({ code: { winner: One }, actions: [ANSWER], position: OFFERED }));
      expect((await verified([...BEGINNING, log, ...claim, start])).mismatch).to.equal(
        `match ${ID}, Challenged, block 1010: winner: expected 0, found 1`,
      );
      const other = at(1010, started({ position: wordOf(7) }));
      expect((await verified([...BEGINNING, log, challenge, ...other])).mismatch).to.equal(
        `match ${ID}, Started, block 1010: position: expected ${AFTER_ANSWER}, found ${wordOf(7)}`,
      );
    });

    it("forgets a match that its channel has withdrawn", async () => {
      const voided = at(1020, eventOf("Voided", { matchId: ID }));
      const again = settledInChannel().map((event) => ({ ...event, block: 1030 }));
      const { mismatch, verdict } = await verified([
        ...BEGINNING,
        ...IN_ARENA,
        ...voided,
        playedUnder({ rated: false }),
        ...again,
      ]);
      expect(mismatch).to.equal(undefined);
      expect(verdict).to.include({ matches: 1, fromChannels: 1 });
    });
  });

  describe("of a match that starts from a base", () => {
    const base = settledInChannel({ turn: One }, [WIN], AFTER_ANSWER);
    const signed = (verdict: string, problem?: string) => [
      { matchId: ID, verdict, ...(problem !== undefined && { problem }) },
    ];

    it("reports that only the signatures prove the base", async () => {
      const { mismatch, verdict } = await verified([...BEGINNING, ...base]);
      expect(mismatch).to.equal(undefined);
      expect(verdict.signed).to.deep.equal(signed("agreed, not shown"));
    });

    it("reports why no messages could be read", async () => {
      const messages = () => Promise.reject(new Error("two\nlines"));
      const { verdict } = await verified([...BEGINNING, ...base], { messages });
      expect(verdict.signed).to.deep.equal(signed("agreed, not shown", "two lines"));
    });

    it("expects no position of a match in the arena that it cannot replay", async () => {
      const arena = [
        ...at(
          1010,
          ...logs(ID, pass(Two)),
          challenged({ code: { winner: None, turn: One }, actions: [pass(Two)], position: AFTER_ANSWER }),
        ),
        ...at(1010, started({ turn: Two, position: positionAfter(AFTER_ANSWER, pass(Two)) })),
      ];
      const known = await verified([...BEGINNING, ...arena]);
      const { module } = new MadeUpGame({ hasResume: false });
      const unknown = await verified([...BEGINNING, ...arena], {}, { channels: module.channels });
      expect([known.mismatch, unknown.mismatch]).to.deep.equal([undefined, undefined]);
      expect(unknown.verdict.answers).to.equal(known.verdict.answers - 1);
    });
  });

  describe("of a match that ended by a refused action", () => {
    const move = pass(Two);
    const forfeit = { winner: Two, forfeit: true };
    const refused = (last: Hex) => {
      const match = played({ code: forfeit, actions: [ANSWER, last], position: OFFERED });
      return [...BEGINNING, ...at(1010, ...logs(ID, ANSWER), match)];
    };
    /** A game whose audit refuses actions. */
    const audited = (refuses: boolean, taken: AnyEvent[] = []) => {
      const audit = {
        take(event: AnyEvent) {
          taken.push(event);
          if (event.name === "Acted" && refuses) throw new Error("not its owner");
        },
        expectedAnswers: () => [],
      } as unknown as Audit;
      return { kept: { audit: () => audit } } as unknown as Partial<GameModule>;
    };

    it("accepts a refusal by the engine", async () => {
      expect((await verified(refused(REFUSED))).mismatch).to.equal(undefined);
    });

    it("accepts a refusal for which the game's state gives a reason, and no other", async () => {
      expect((await verified(refused(move), {}, audited(true))).mismatch).to.equal(undefined);
      const unfounded = `match ${ID}, Played, block 1010: forfeit: expected false, found true`;
      expect((await verified(refused(move), {}, audited(false))).mismatch).to.equal(unfounded);
      expect((await verified(refused(move))).mismatch).to.equal(unfounded);
    });

    it("shows the game's state all other events as those of an ordinary match", async () => {
      const taken: AnyEvent[] = [];
      await verified([...BEGINNING, ...settledInChannel()], {}, audited(false, taken));
      const names = ["TermsAdded", "Created", "Joined", "Acted", "Log", "Log", "Settled"];
      expect(taken.slice(-names.length).map(({ name }) => name)).to.deep.equal(names);
    });
  });

  it("reports an error of the game's state as a mismatch of the event", async () => {
    const audit = {
      take(event: AnyEvent) {
        if (event.name === "Opened") throw new Error("cannot read it");
      },
      expectedAnswers: () => [],
    };
    const { mismatch } = await verified(BEGINNING, {}, { kept: { audit: () => audit } });
    expect(mismatch).to.equal("Opened, block 1000: cannot read it");
  });

  it("compares balances with nothing if no messages are shown, and only for the whole arena", async () => {
    const balance = balanced({ nonce: BigInt(FIRST + 1), amount1: 59n, amount2: 51n });
    const { verdict, mismatch } = await verified([...BEGINNING, balance, balance]);
    expect(mismatch).to.equal(undefined);
    const signed = { channelId: CHANNEL, nonce: FIRST + 1, verdict: "agreed, not shown" };
    // The second one changes nothing.
    expect(verdict.signed).to.deep.equal([signed]);
    const single = await verified([...BEGINNING, ...settledInChannel(), balance], { matches: [ID] });
    expect(single.verdict).to.not.have.property("signed");
  });

  describe("of single matches", () => {
    it("counts only these, reads only their times, and asks only about them", async () => {
      const next = settledInChannel({ nonce: FIRST + 1 }).map((event) => ({ ...event, block: 1030 }));
      const events = [...BEGINNING, ...settledInChannel(), ...next, ...ordinary()];
      const { verdict, timed, mismatch } = await verified(events, { matches: [ID] });
      expect(mismatch).to.equal(undefined);
      expect(verdict).to.include({ matches: 1, fromChannels: 1, events: events.length, answers: 0 });
      expect(new Set(timed)).to.deep.equal(new Set([1010]));
      const one = await verified(events, { matches: [1n] });
      expect(one.verdict).to.not.have.property("fromChannels");
      expect(one.verdict).to.include({ matches: 1, answers: 2 });
    });

    it("reports mismatches only in these", async () => {
      const wrong = settledInChannel({ winner: Two, taker: One });
      const next = settledInChannel({ nonce: FIRST + 1 }).map((event) => ({ ...event, block: 1030 }));
      const found = async (matchId: bigint) =>
        (await verified([...BEGINNING, ...wrong, ...next], { matches: [matchId] })).mismatch;
      expect(await found(matchIdOf(FIRST + 1))).to.equal(undefined);
      expect(await found(ID)).to.match(/winner: expected 1, found 2$/);
    });

    it("rejects a match that does not exist", async () => {
      const stray = [...BEGINNING, ...at(1010, ...logs(ID, ANSWER))];
      const found = await verified(stray, { matches: [ID] }).then(() => "verified", messageOf);
      expect(found).to.equal(`match: there is no match ${ID}`);
      for (const matchId of [1n, ID])
        expect(await verified(BEGINNING, { matches: [matchId] }).then(() => "verified", messageOf)).to.equal(
          `match: there is no match ${matchId}`,
        );
      expect((await verified([...BEGINNING, ...IN_ARENA], { matches: [ID] })).verdict.matches).to.equal(1);
    });
  });

  describe("with states that players show", () => {
    const salt = wordOf(3);
    const shown = (matchId: bigint, move: Hex = "0x01") => ({
      chainId: 31_337,
      game: GAME,
      matchId,
      player: ALICE,
      move,
      salt,
    });
    /** A game in which each player hides a state, of which only 0x01 is the right one. */
    const hiding = {
      hidden: {
        noun: "army",
        commitmentOf: async () => ({}),
        mismatch: async (_: unknown, seat: bigint, { move }: { move: Hex }) =>
          move === "0x01" ? undefined : { what: `the army of seat ${seat}`, expected: "0x01", found: move },
      },
    } as unknown as Partial<GameModule>;
    const NEXT = matchIdOf(FIRST + 1);
    const next = settledInChannel({ nonce: FIRST + 1 }).map((event) => ({ ...event, block: 1030 }));
    const events = [...BEGINNING, ...settledInChannel(), ...next];
    const found = async (options: VerifyOptions, all = events) =>
      verified(all, options, hiding).then(({ mismatch }) => mismatch ?? "none", messageOf);

    it("compares each with its own match, also if single matches are verified", async () => {
      expect(await found({ shown: [shown(ID), shown(NEXT)] })).to.equal("none");
      const wrong = "the army of player 1: the army of seat 1: expected 0x01, found 0x02";
      expect(await found({ shown: [shown(ID), shown(NEXT, "0x02")] })).to.equal(`match ${NEXT}, ${wrong}`);
      expect(await found({ matches: [], shown: [shown(ID, "0x02")] })).to.equal(`match ${ID}, ${wrong}`);
      expect(await found({ matches: [NEXT], shown: [shown(ID)] })).to.equal("none");
    });

    it("rejects a state of a match that does not exist, or is not over", async () => {
      const missing = matchIdOf(FIRST + 7);
      expect(await found({ shown: [shown(missing)] })).to.equal(`match: there is no match ${missing}`);
      expect(await found({ shown: [shown(ID)] }, [...BEGINNING, ...IN_ARENA])).to.equal(
        `Match ${ID} is not over: until then the army stays hidden.`,
      );
    });

    it("names the player whose state belongs to another game", async () => {
      const other = { ...shown(ID), game: addressOf(0x99) };
      expect(await found({ shown: [other] })).to.match(new RegExp(`^what ${ALICE} shows: game is`));
    });
  });

  it("counts matches of foreign games, without their positions", async () => {
    const foreign = { ...unrated, game: addressOf(0x99) };
    const events = [
      ...BEGINNING,
      termsAdded(foreign, 2n),
      created({ termsHash: termsHash(foreign) }),
      ...ordinary().slice(1, 3),
    ];
    const { verdict, mismatch } = await verified(events);
    expect(mismatch).to.equal(undefined);
    expect(verdict).to.include({ matches: 1, foreign: 1 });
    const own = await verified([...BEGINNING, ...ordinary()], { matches: [1n] });
    const other = await verified(events, { matches: [1n] });
    expect([own.verdict.answers, other.verdict.answers]).to.deep.equal([2, 1]);
    expect([own.verdict.foreign, other.verdict.foreign]).to.deep.equal([0, 1]);
  });

  it("reports a stray log at the end, and a wrong answer of the chain", async () => {
    const stray = at(1010, ...logs(ID, ANSWER));
    expect((await verified([...BEGINNING, ...stray])).mismatch).to.equal(
      `match ${ID}, Log, block 1010: the match: expected one that a channel brings in this transaction, found ${ID}`,
    );
    const ask = async () => undefined;
    expect((await verified(BEGINNING, { ask })).mismatch).to.equal(
      "matchCount(): the answer: expected one, found a refusal",
    );
    const told: number[][] = [];
    const { verdict } = await verified(BEGINNING, { onProgress: (...come) => told.push(come) });
    expect(told).to.deep.equal([[verdict.answers, verdict.answers]]);
  });
});
