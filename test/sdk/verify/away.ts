import { expect } from "chai";
import { getBytes, hexlify, id, ZeroAddress, ZeroHash } from "ethers";
import type { AnyEvent, ChainEvent, EventName } from "../../../sdk/chain/events.js";
import { History } from "../../../sdk/chain/history.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import { stockGame } from "../../../sdk/games/index.js";
import { decodeRecord, encodeRecord } from "../../../sdk/player/shared-record.js";
import { replay } from "../../../sdk/verify/replay.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { SWITCHES } from "../../support/warmancer/boards.js";
import { QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { Random } from "../../../sdk/laws/random.js";
import { otherSeat } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import type { AwayMove, Transcript } from "../../../sdk/protocol/away/messages.js";
import { AWAY_SECONDS } from "../../../sdk/protocol/away/signatures.js";
import { tableHash, type SignedState } from "../../../sdk/protocol/away/table.js";
import { nextRecord } from "../../../sdk/protocol/away/transcript.js";
import { AwayWorld, CLOCK, type AwayTable, type SignerKind } from "../../support/away-tables.js";

const warmancer = stockGame("warmancer");
const QUICK_AWAY: Mode = { ...QUICK, away: true };
/** A mode whose games never end within a few actions. */
const LONGER: Mode = { ...SKIRMISH, away: true, maxTurns: 40 };
const KINDS: readonly (readonly [SignerKind, SignerKind])[] = [
  ["player", "session"],
  ["pledged", "player"],
  ["session", "pledged"],
];

/** Matches, each of which is cut one action later; in CI more than a Quick game has actions. */
const CUTS = process.env.THOROUGH ? 24 : 12;

const plain = (text: string) => text;

describe("Verifying matches that are played away from the chain", () => {
  let world: AwayWorld;
  const shown = new Map<bigint, Transcript>();
  const transcripts = (matchId: bigint) => [shown.get(matchId)];

  before(async () => {
    world = await AwayWorld.open();
  });
  afterEach(async () => {
    await world.restart();
    shown.clear();
  });

  /** Keeps what the players show of a match. */
  function show(table: AwayTable): void {
    shown.set(table.matchId, table.moves);
  }

  it("replays a game that was cut at every nonce, from there on word for word, and its logs and payments", async () => {
    const agreed: object[] = [];
    for (let i = 0; i < CUTS; i++) {
      const random = new Random(`cut ${i}`);
      const table = await (await world.join(QUICK_AWAY, random, KINDS[i % KINDS.length])).play();
      const nonce = i % table.nonce;
      await table.post(i % 2 === 0 ? Seat.One : Seat.Two, nonce);
      await table.accept(i % 3 > 0);
      show(table);
      if (nonce > 0) agreed.push({ matchId: table.matchId, verdict: "agreed and shown" });
    }
    const verdict = await world.verify({ transcripts });
    expect(verdict.mismatch).to.equal(undefined);
    expect(verdict.agreed).to.deep.equal(agreed);
    const blind = await world.verify();
    expect(blind.mismatch).to.equal(undefined);
    expect(blind.agreed).to.deep.equal(agreed.map((each) => ({ ...each, verdict: "agreed, not shown" })));
  });

  it("replays games of every mixture of switches, with posts and answers to them in between", async () => {
    const agreed: object[] = [];
    for (const [i, switches] of SWITCHES.entries()) {
      const random = new Random(`switches ${i}`);
      const board = i % 2 === 0 ? { ...SKIRMISH, maxTurns: 12 } : { ...QUICK, budget: 25 };
      const mode = { ...board, ...switches, away: true };
      const table = await (await world.join(mode, random, KINDS[i % KINDS.length])).play();
      const nonces = [0, 0, 0].map(() => random.below(table.nonce)).sort((a, b) => a - b);
      let seat: bigint = random.below(2) === 0 ? Seat.One : Seat.Two;
      let last = -1;
      for (const nonce of nonces.filter((each, k) => each !== nonces[k - 1])) {
        await table.post(seat, nonce);
        [seat, last] = [otherSeat(seat), nonce];
      }
      await table.accept(random.below(2) === 0);
      show(table);
      if (last > 0) agreed.push({ matchId: table.matchId, verdict: "agreed and shown" });
    }
    const verdict = await world.verify({ transcripts });
    expect(verdict.mismatch).to.equal(undefined);
    expect(verdict.agreed).to.deep.equal(agreed);
    expect((await world.verify()).mismatch).to.equal(undefined);
  });

  it("tells what a result rests on, whatever ended the match", async () => {
    const joined = (seed: string) => world.join(LONGER, new Random(seed), ["player", "session"]);
    const expected = new Map<string, object>();
    const expectFor = (table: AwayTable, verdict: string) => expected.set(String(table.matchId), { verdict });

    const finished = await (await joined("finished")).play();
    await finished.settle(finished.driver.state.winner);
    expectFor(finished, "agreed and shown");
    const drawn = await (await joined("drawn")).play(3);
    await drawn.settle(Seat.None);
    expectFor(drawn, "agreed and shown");
    const unplayed = await joined("unplayed");
    await unplayed.settle(Seat.Two);
    expectFor(unplayed, "agreed and shown");
    const posted = await (await joined("posted")).play(4);
    await posted.post(Seat.One, 3);
    await posted.settle(Seat.One);
    expectFor(posted, "agreed and shown");
    const accepted = await (await joined("accepted")).play(4);
    await accepted.post(Seat.One, 3);
    await accepted.accept(true, 1);
    await accepted.settle(Seat.One, { record: ZeroHash });
    expectFor(accepted, "agreed and shown");
    // What follows is by the chain alone.
    const resigned = await (await joined("resigned")).play(2);
    await resigned.client(Seat.Two).resign(resigned.matchId);
    const silent = await (await joined("silent")).play(4);
    await silent.post(Seat.Two, 4);
    const late = await (await joined("late")).play(4);
    await late.post(Seat.Two, 4);
    await late.accept(false, 1);
    expectFor(late, "agreed and shown");
    const forgotten = await (await joined("forgotten")).play(5);
    await world.pass(2n * CLOCK);
    for (const table of [silent, late]) await table.client(Seat.Two).timeout(table.matchId);
    const open = await (await joined("open")).play(2);
    await open.post(Seat.One, 2);
    await world.pass(AWAY_SECONDS);
    await forgotten.client(Seat.One).timeout(forgotten.matchId);
    const stillAway = await (await joined("still away")).play(2);
    for (const table of [finished, drawn, unplayed, posted, accepted, resigned, silent, late, forgotten, open])
      show(table);
    show(stillAway);

    const verdict = await world.verify({ transcripts });
    expect(verdict.mismatch).to.equal(undefined);
    const told = new Map(verdict.agreed!.map(({ matchId, ...each }) => [String(matchId), each]));
    expect(told).to.deep.equal(expected);
    const blind = await world.verify();
    expect(blind.mismatch).to.equal(undefined);
    // Nothing has to be shown of a match without a move.
    const hidden = blind.agreed!.filter(({ matchId }) => matchId !== unplayed.matchId);
    expect(new Set(hidden.map((each) => each.verdict))).to.deep.equal(new Set(["agreed, not shown"]));
    expect(hidden.length).to.equal(expected.size - 1);
  });

  it("shares a match with what was played away from the chain, which is drawn and told as it was played", async () => {
    const finished = await (await world.join(QUICK_AWAY, new Random("finished"))).play();
    await finished.settle(finished.driver.state.winner);
    const drawn = await (await world.join(LONGER, new Random("drawn"))).play(7);
    await drawn.settle(Seat.None);
    const accepted = await (await world.join(QUICK_AWAY, new Random("accepted"))).play();
    await accepted.post(Seat.One, 2);
    await accepted.accept(true);
    const history = new History(world.provider, world.addresses);
    for (const { matchId, moves } of [finished, drawn, accepted]) {
      const record = { ...(await history.match(matchId)), transcript: moves };
      const told = await warmancer.story(record, history, plain);
      const frames = await warmancer.frames!(record, history);
      expect(frames.length).to.be.greaterThan(2);
      expect(frames.at(-1)!.result === null).to.equal(matchId === drawn.matchId);
      const shared = await decodeRecord(await encodeRecord(record, history, warmancer), stockGame);
      const { record: again, mismatch } = await replay(shared.archive, [warmancer], matchId);
      expect(mismatch).to.equal(undefined);
      expect(again.settlement!.status).to.equal(record.settlement!.status);
      expect(await warmancer.story(again, shared.archive, plain)).to.deep.equal(told);
      expect(await warmancer.frames!(again, shared.archive)).to.deep.equal(frames);
      const blind = await history.match(matchId);
      const texts = await warmancer.actionTexts!(blind, history);
      expect(texts.length).to.equal(2 + blind.actions.length);
      if (matchId === accepted.matchId) expect(texts[3]).to.match(/^accepts the state behind 2 actions/);
    }
  });

  describe("given a transcript that shows something else", () => {
    const changes: Record<string, (move: AwayMove) => Partial<AwayMove>> = {
      nonce: ({ nonce }) => ({ nonce: nonce + 1 }),
      seat: ({ seat }) => ({ seat: otherSeat(seat) }),
      action: ({ action }) => ({ action: flipped(action) }),
      base: ({ base }) => ({ base: flipped(base) }),
      turn: ({ turn }) => ({ turn: otherSeat(turn) }),
      word: ({ word }) => ({ word: flipped(word) }),
      record: ({ record }) => ({ record: flipped(record) }),
      signature: ({ signature }) => ({ signature: flipped(signature) }),
      previous: ({ previous }) => ({ previous: previous ? flipped(previous) : "0x" }),
    };

    it("tells its problem, and that the result is agreed and not shown, whichever field was changed", async () => {
      const table = await (await world.join(QUICK_AWAY, new Random("tampered"), ["session", "player"])).play();
      await table.settle(table.driver.state.winner);
      const { matchId, moves } = table;
      for (const [field, change] of Object.entries(changes)) {
        // The second move signs the state before it too.
        for (const at of [1, moves.length - 1]) {
          shown.set(matchId, moves.with(at, { ...moves[at], ...change(moves[at]) }));
          const { mismatch, agreed } = await world.verify({ transcripts });
          expect(mismatch).to.equal(undefined);
          expect(agreed, field).to.have.length(1);
          expect(agreed![0], field).to.include({ matchId, verdict: "agreed, not shown" });
          expect(agreed![0].problem, field)
            .to.be.a("string")
            .and.to.match(/^(transcript|move)/);
        }
      }
    });

    it("tells its problem where both have signed a lie: another word, another turn, another winner", async () => {
      const table = await (await world.join(LONGER, new Random("lies"))).play();
      const { winner } = table.driver.state;
      await table.settle(otherSeat(winner));
      show(table);
      const { agreed, mismatch } = await world.verify({ transcripts });
      expect(mismatch).to.equal(undefined);
      expect(agreed![0].problem).to.match(/^it ends with winner \d, and the players have agreed on \d$/);
      for (const lie of [{ word: ZeroHash }, { turn: Seat.One }, { turn: Seat.Two }]) {
        const moves = await table.resigned(2, lie);
        if (moves[1].turn === table.moves[1].turn && moves[1].word === table.moves[1].word) continue;
        shown.set(table.matchId, moves);
        const found = await world.verify({ transcripts });
        expect(found.mismatch).to.equal(undefined);
        expect(found.agreed![0].problem).to.match(/^(move 2\.(word|turn)|transcript\[2\]\.seat): /);
      }
    });

    it("tells where it ends too early, or leads to another post, record or acceptance", async () => {
      const table = await (await world.join(LONGER, new Random("early"))).play();
      await table.post(Seat.One, 3);
      await table.post(Seat.Two, 4);
      await table.accept(true);
      const problems: [AwayMove[], RegExp | undefined][] = [
        [table.moves.slice(0, 2), /^it ends before move 3, which was posted$/],
        [table.moves.slice(0, 3), /^it ends before move 4, which was posted$/],
        [table.moves.slice(0, 4), undefined],
        [[], /^it ends before move 3, which was posted$/],
      ];
      for (const [moves, problem] of problems) {
        shown.set(table.matchId, moves);
        const { mismatch, agreed } = await world.verify({ transcripts });
        expect(mismatch).to.equal(undefined);
        expect(agreed![0].verdict).to.equal(problem ? "agreed, not shown" : "agreed and shown");
        if (problem) expect(agreed![0].problem).to.match(problem);
      }
    });

    it("tells why none could be read, whatever the reason", async () => {
      const table = await (await world.join(LONGER, new Random("unread"))).play(2);
      await table.settle(Seat.None);
      for (const [thrown, problem] of [
        [new InputError("17.jsonl:3", "not JSON"), "17.jsonl:3: not JSON"],
        [Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }), "EMFILE: too many open files"],
        [new TypeError("x is not iterable\n  at y"), "x is not iterable"],
      ] as const) {
        const broken = () => {
          throw thrown;
        };
        for (const transcripts of [broken, () => [Promise.resolve().then(broken)]]) {
          const { mismatch, agreed } = await world.verify({ transcripts });
          expect(mismatch).to.equal(undefined);
          expect(agreed).to.deep.equal([{ matchId: 1n, verdict: "agreed, not shown", problem }]);
        }
      }
    });

    it("goes by the first of several that shows it, and else tells each problem once", async () => {
      const table = await (await world.join(LONGER, new Random("several"))).play(3);
      await table.settle(Seat.None);
      const { moves } = table;
      const bad = function* () {
        yield undefined;
        yield moves.slice(0, 1);
        yield Promise.reject(new InputError("1.jsonl", "too long"));
        yield moves.slice(0, 2);
      };
      const asked: bigint[] = [];
      const transcripts = function* (matchId: bigint) {
        yield* bad();
        yield moves;
        asked.push(matchId);
      };
      const { mismatch, agreed } = await world.verify({ transcripts });
      expect(mismatch).to.equal(undefined);
      expect(agreed).to.deep.equal([{ matchId: 1n, verdict: "agreed and shown" }]);
      expect(asked).to.deep.equal([]);
      const problem = "it leads to no state of the record on which the players have agreed; 1.jsonl: too long";
      expect((await world.verify({ transcripts: bad })).agreed).to.deep.equal([
        { matchId: 1n, verdict: "agreed, not shown", problem },
      ]);
    });

    it("compares what follows an acceptance with it, if it shows the state which was accepted", async () => {
      const table = await (await world.join(LONGER, new Random("unsigned"))).play(4);
      await table.post(Seat.One, 3);
      await table.accept(true, 2);
      const unsigned = table.moves.with(0, { ...table.moves[0], signature: flipped(table.moves[0].signature) });
      const blind = await world.verify();
      for (const list of [[unsigned], [unsigned, []]]) {
        const { mismatch, agreed, answers } = await world.verify({ transcripts: () => list });
        expect(mismatch).to.equal(undefined);
        expect(agreed![0].verdict).to.equal("agreed, not shown");
        expect(answers).to.equal(blind.answers + 1);
      }
    });
  });

  it("asks for transcripts of no match but those whose results rest on signatures", async () => {
    const joined = (seed: string) => world.join(LONGER, new Random(seed));
    const resigned = await (await joined("resigned")).play(2);
    await resigned.client(Seat.Two).resign(resigned.matchId);
    await (await joined("open")).play(2);
    const accepted = await (await joined("accepted")).play(2);
    await accepted.post(Seat.One, 0);
    await accepted.accept(true, 1);
    const drawn = await (await joined("drawn")).play(2);
    await drawn.settle(Seat.None);
    const asked: bigint[] = [];
    const { mismatch } = await world.verify({ transcripts: (matchId) => (asked.push(matchId), []) });
    expect(mismatch).to.equal(undefined);
    expect(asked).to.deep.equal([drawn.matchId]);
  });

  describe("given a good transcript, and moves behind it that break the rules", () => {
    /** Returns the moves of a table with a last one that its player has signed, and that the game refuses. */
    async function spoilt(table: AwayTable): Promise<AwayMove[]> {
      const { seat } = table.moves.at(-1)!;
      const action = "0xff";
      return table.resigned(table.nonce, { action, record: nextRecord(table.moves.at(-2)!.record, seat, action) });
    }

    it("tells that the result is agreed and shown", async () => {
      const drawn = await (await world.join(LONGER, new Random("drawn"))).play(4);
      await drawn.settle(Seat.None, { record: drawn.moves[2].record });
      const accepted = await (await world.join(LONGER, new Random("accepted"))).play(4);
      await accepted.post(Seat.One, 3);
      await accepted.accept(true, 1);
      const moves = await Promise.all([drawn, accepted].map(spoilt));
      const unsigned = [drawn, accepted].map((table) => table.moves.with(3, { ...table.moves[3], signature: "0x" }));
      for (const [one, two] of [moves, unsigned]) {
        shown.set(drawn.matchId, one).set(accepted.matchId, two);
        const { mismatch, agreed } = await world.verify({ transcripts });
        expect(mismatch).to.equal(undefined);
        expect(new Map(agreed!.map(({ matchId, ...each }) => [matchId, each]))).to.deep.equal(
          new Map([drawn, accepted].map(({ matchId }) => [matchId, { verdict: "agreed and shown" }])),
        );
      }
    });

    it("tells the problem of the move where the players have agreed on what follows it", async () => {
      const table = await (await world.join(LONGER, new Random("spoilt"))).play(4);
      const moves = await spoilt(table);
      await table.settle(Seat.None, { record: moves[3].record });
      shown.set(table.matchId, moves);
      const { mismatch, agreed } = await world.verify({ transcripts });
      expect(mismatch).to.equal(undefined);
      expect(agreed![0].verdict).to.equal("agreed, not shown");
      expect(agreed![0].problem).to.match(/action 4/);
    });
  });

  describe("given players who sign whatever they like", () => {
    it("goes on, whatever they post and accept", async () => {
      const lies: Partial<SignedState>[] = [
        { word: ZeroHash },
        { word: id("nothing") },
        { turn: Seat.One },
        { turn: Seat.Two },
        { nonce: 1000 },
        { record: id("nothing") },
        { word: tableHash({ base: ZeroHash, word: id("next"), nonce: 7, turn: Seat.Either, poster: Seat.One }) },
      ];
      for (const [i, lie] of lies.entries()) {
        const table = await (await world.join(LONGER, new Random(`liars ${i}`))).play(6);
        await table.postState(Seat.One, await table.lie(4, lie));
        const accept = warmancer.away!.encodeAccept(table.table!);
        await table.client(Seat.Two).act(table.matchId, accept);
        show(table);
      }
      // The last has laid a table of its own after the first, whose acceptance gives the turn to either.
      const crafted = { base: ZeroHash, word: id("next"), nonce: 7, turn: Seat.Either, poster: Seat.One };
      const matchId = BigInt(lies.length);
      const { turn } = await world.players[0].arena.matchOf(matchId);
      await world.players[Number(turn) - 1].act(matchId, warmancer.away!.encodeAccept(crafted));
      expect((await world.players[0].arena.matchOf(matchId)).turn).to.equal(Seat.Either);
      for (const options of [{}, { transcripts }]) {
        const { mismatch, agreed } = await world.verify(options);
        expect(mismatch).to.equal(undefined);
        expect(agreed!.length).to.equal(lies.length);
        // One of the two seats is in turn after all.
        const honest = agreed!.filter(({ verdict }) => verdict === "agreed and shown");
        expect(honest.length).to.equal("transcripts" in options ? 1 : 0);
      }
      await world.pass(AWAY_SECONDS + 1n);
      for (let each = 1n; each <= matchId; each++) await world.players[0].timeout(each);
      for (const options of [{}, { transcripts }]) expect((await world.verify(options)).mismatch).to.equal(undefined);
    });
  });

  describe("given events that no honest arena writes", () => {
    let played: AwayWorld;
    let tables: readonly AwayTable[];

    before(async () => {
      played = await AwayWorld.open();
      const one = await (await played.join(QUICK_AWAY, new Random("one"), ["pledged", "player"])).play();
      await one.settle(one.driver.state.winner);
      const two = await (await played.join(LONGER, new Random("two"), ["session", "pledged"])).play(6);
      await two.post(Seat.Two, 5);
      await two.accept(true);
      tables = [one, two];
      tables.forEach(show);
      expect((await played.verify({ transcripts })).mismatch).to.equal(undefined);
    });

    /** Verifies two matches, one of which was settled by agreement and one posted and accepted. */
    async function found(change: (events: AnyEvent[]) => void): Promise<string | undefined> {
      tables.forEach(show);
      const { mismatch } = await played.verify({ transcripts }, change);
      return mismatch && locatedMismatchText(mismatch);
    }

    function named<N extends EventName>(events: AnyEvent[], name: N): ChainEvent<N>[] {
      return events.filter((event) => event.name === name) as unknown as ChainEvent<N>[];
    }

    const changes: [string, RegExp, (events: AnyEvent[]) => void][] = [
      [
        "a signature of an agreement",
        /Agreed, block \d+: signature 1: expected one of player 1/,
        (events) => {
          const { args } = named(events, "Agreed")[0];
          args.signature1 = flipped(args.signature1);
        },
      ],
      [
        "the winner of an agreement",
        /Agreed, .*signature 1/,
        (events) => {
          const { args } = named(events, "Agreed")[0];
          args.winner = otherSeat(args.winner);
        },
      ],
      [
        "a winner that cannot be",
        /Agreed, .*the winner: expected 0, 1 or 2, found 3/,
        (events) => (named(events, "Agreed")[0].args.winner = Seat.Either),
      ],
      [
        "the end of an agreement",
        /Agreed, .*the time: expected by 1, found/,
        (events) => (named(events, "Agreed")[0].args.until = 1n),
      ],
      [
        "the record of an agreement",
        /Agreed, .*signature 1/,
        (events) => (named(events, "Agreed")[0].args.record = ZeroHash),
      ],
      [
        "the status that follows an agreement",
        /Settled, .*status/,
        (events) => (named(events, "Settled")[0].args.status = Status.Draw),
      ],
      [
        "a payment that follows an agreement",
        /Settled, .*paid\d/,
        (events) => {
          const { args } = named(events, "Settled")[0];
          [args.paid1, args.paid2] = [args.paid2, args.paid1];
        },
      ],
      [
        "no settlement behind an agreement",
        /the event after Agreed: expected Settled of match 1, in the same transaction/,
        (events) => {
          events.splice(events.indexOf(named(events, "Settled")[0]), 1);
        },
      ],
      [
        "a key that was pledged",
        /Agreed, .*signature 1/,
        (events) => (named(events, "Pledged")[0].args.key = played.players[1].address),
      ],
      [
        "a key of nobody",
        /Pledged, .*the key: expected not zero/,
        (events) => (named(events, "Pledged")[0].args.key = ZeroAddress),
      ],
      [
        "the seat of a key",
        /Pledged, .*the seat: expected 1 or 2, found 3/,
        (events) => (named(events, "Pledged")[0].args.seat = Seat.Either),
      ],
      [
        "a key that was pledged twice",
        /Pledged, .*the key: expected none after/,
        (events) => {
          const [pledged] = named(events, "Pledged") as unknown as AnyEvent[];
          events.splice(events.indexOf(pledged), 0, structuredClone(pledged));
        },
      ],
      [
        "a signature of a post",
        /match 2, Acted, block \d+: signature 2: expected one of player 2/,
        (events) => changePost(events, (state) => ({ signature2: flipped(state.signature2) })),
      ],
      [
        "the record of a post",
        /match 2, Acted, block \d+: signature 1/,
        (events) => changePost(events, (state) => ({ record: flipped(state.record) })),
      ],
      [
        "a key that was pledged after the post",
        /match 2, Acted, block \d+: signature 2/,
        (events) => {
          const pledged = events.indexOf(named(events, "Pledged")[1]);
          const [moved] = events.splice(pledged, 1);
          const post = events.indexOf(named(events, "Acted")[0]);
          events.splice(post + 1, 0, { ...moved, block: events[post].block, index: events[post].index + 1 });
        },
      ],
      [
        "the word of a post",
        /match 2, what was sent: .*table/,
        (events) => changePost(events, () => ({ word: ZeroHash })),
      ],
    ];
    for (const [what, mismatch, change] of changes) {
      it(`finds ${what}`, async () => {
        expect(await found(change)).to.match(mismatch);
      });
    }

    it("finds a pledge that the arena does not know, and one that is missing", async () => {
      expect(
        await found((events) => {
          const [pledged] = named(events, "Pledged") as unknown as AnyEvent[];
          const other = structuredClone(pledged) as unknown as ChainEvent<"Pledged">;
          other.args.seat = Seat.Two;
          events.splice(events.indexOf(pledged), 0, other as unknown as AnyEvent);
        }),
      ).to.match(/keyOf\(1, 2\)/);
    });
  });
});

/** Changes the post of the second match. */
function changePost(events: AnyEvent[], change: (state: SignedState) => Partial<SignedState>): void {
  const acted = events.find(({ name }) => name === "Acted") as unknown as ChainEvent<"Acted">;
  const action = warmancer.away!.decode(acted.args.data);
  if (!action?.table || action.type !== "post") throw new Error("The first action posts nothing.");
  acted.args.data = warmancer.away!.encodePost(action.table, { ...action.state!, ...change(action.state!) });
}

/** Flips the lowest bit of the tenth byte. */
function flipped(data: Hex): Hex {
  const bytes = getBytes(data);
  bytes[9] ^= 1;
  return hexlify(bytes);
}
