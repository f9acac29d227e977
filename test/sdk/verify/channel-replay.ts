import { expect } from "chai";
import { channelRecordFrom } from "../../../sdk/chain/channel-record.js";
import { OVER, type TranscriptCode } from "../../../sdk/chain/channels.js";
import type { AnyEvent, Events } from "../../../sdk/chain/events.js";
import { UnregisteredMode, type History } from "../../../sdk/chain/history.js";
import type { MatchRecord, RoundLog } from "../../../sdk/chain/record.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { mismatchText } from "../../../sdk/protocol/mismatch.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { replayChannelMatch, type ShownBefore } from "../../../sdk/verify/channel-replay.js";
import {
  challenged,
  eventOf,
  GAME,
  matchIdOf,
  opened,
  played,
  POSITION,
  settled,
  started,
  TERMS,
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
const history = {} as History;
const opening = opened().args as Events["Opened"];

const ANSWER = pass(One, "0xaa");
const OFFERED = offeredBy(offerOf(ANSWER));
const [MOVE, REPLY, WIN] = [pass(Two, "0x01"), pass(One, "0x02"), finish(One)];
/** Positions after the answer, the move and the reply. */
const AFTER_ANSWER = positionAfter(OFFERED, ANSWER);
const AFTER_MOVE = positionAfter(AFTER_ANSWER, MOVE);
const AFTER_REPLY = positionAfter(AFTER_MOVE, REPLY);

/** A match as a channel submits it. */
interface Submitted {
  actions?: readonly Hex[];
  code?: Partial<TranscriptCode>;
  position?: Hex;
  /** Data whose logs are on chain; defaults to all actions in the channel and in the arena. */
  logged?: readonly Hex[];
}

function record(match: AnyEvent, later: readonly AnyEvent[], logged: readonly Hex[], terms = TERMS): MatchRecord {
  const logs = logged.map((data) => {
    const { round, entries } = logOf(data);
    return eventOf("Log", { matchId: ID, round, logEntries: entries });
  });
  return channelRecordFrom(31_337n, { opened: opening, terms, events: [...logs, match, ...later] })!;
}

/** Returns the record of a match that was settled in its channel; by default seat One has won. */
function settledInChannel({ actions = [ANSWER, MOVE, REPLY, WIN], code, position = OFFERED, ...rest }: Submitted = {}) {
  return record(played({ actions, code, position }), [], rest.logged ?? actions);
}

/** Returns the record of a match that went to the arena; by default it is seat One's turn after the answer. */
function broughtToArena(
  { actions = [ANSWER], code = { winner: None }, position = OFFERED, ...rest }: Submitted = {},
  start: Partial<Events["Started"]> = {},
  ...later: readonly AnyEvent[]
) {
  const data = later.flatMap(({ name, args }) => (name === "Acted" ? [args.data] : []));
  const begin = started({ turn: One, position: AFTER_ANSWER, ...start });
  const brought = challenged({ actions, code, position });
  return record(brought, [begin, ...later], rest.logged ?? [...actions, ...data]);
}

const acted = (seat: bigint, data: Hex) => eventOf("Acted", { matchId: ID, seat, data });
const act = (seat: bigint, data: Hex) => ({ seat, data });
const end = (status: bigint, paid1: bigint, paid2: bigint, house: bigint) => settled({ status, paid1, paid2, house });
const logsOf = (...data: Hex[]): RoundLog[] => data.map(logOf);

/** Replays a match of the made-up game. */
function replayed(match: MatchRecord, before?: ShownBefore, game = new MadeUpGame()) {
  return replayChannelMatch(match, game.module, history, before);
}

/** Returns the mismatch of a match, or the message of the error. */
async function found(match: MatchRecord, before?: ShownBefore, game?: MadeUpGame): Promise<string | undefined> {
  try {
    const { mismatch } = await replayed(match, before, game);
    return mismatch && `${mismatch.event} ${mismatch.index}: ${mismatchText(mismatch)}`;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

describe("Replaying matches from channels", () => {
  describe("that were settled in their channel", () => {
    it("computes the seats, the logs, the turns and the result", async () => {
      const match = settledInChannel();
      const { record: whole, ...rest } = await replayed(match);
      expect(whole.actions).to.deep.equal([act(One, MOVE), act(Two, REPLY), act(One, WIN)]);
      expect(whole).to.include({ createData: offerOf(ANSWER), joinData: ANSWER });
      expect(rest).to.deep.equal({
        replayed: {
          logs: logsOf(offerOf(ANSWER), ANSWER, MOVE, REPLY, WIN),
          turns: [One, Two, One, None],
          position: NO_STATE,
          result: { winner: One, taker: One },
        },
        mismatch: undefined,
      });
    });

    it("names a wrong winner or taker", async () => {
      expect(await found(settledInChannel({ code: { winner: Two, taker: One } }))).to.equal(
        "Played -1: winner: expected 1, found 2",
      );
      expect(await found(settledInChannel({ code: { taker: None } }))).to.equal(
        "Played -1: taker: expected 1, found 0",
      );
    });

    it("names the result of a match that is not over", async () => {
      const actions = [ANSWER, MOVE];
      expect(await found(settledInChannel({ actions }))).to.equal("Played -1: winner: expected 0, found 1");
      expect(await found(settledInChannel({ actions, code: { winner: None } }))).to.equal(
        "Played -1: turn after it: expected 0, found 2",
      );
      const draw = { actions: [ANSWER, finish(None)], code: { winner: None } };
      expect(await found(settledInChannel(draw))).to.equal(undefined);
    });

    it("names missing, additional and wrong logs", async () => {
      const logs = (...logged: Hex[]) => found(settledInChannel({ logged }));
      expect(await logs(ANSWER, MOVE, REPLY)).to.equal("Log 5: logged rounds: expected 5, found 4");
      expect(await logs(ANSWER, MOVE, REPLY, WIN, WIN)).to.equal("Log 5: logged rounds: expected 5, found 6");
      const [is, wanted] = [BigInt(pass(Two, "0x09")), BigInt(MOVE)];
      expect(await logs(ANSWER, pass(Two, "0x09"), REPLY, WIN)).to.equal(
        `Log 2: round 2, log entry 1: expected ${wanted}, found ${is}`,
      );
    });

    it("rejects an offer with another position, and an action that the game refuses", async () => {
      expect(await found(settledInChannel({ position: POSITION }))).to.equal(
        `the data makes the position ${OFFERED}, not the one offered, ${POSITION}`,
      );
      expect(await found(settledInChannel({ actions: [ANSWER, REFUSED] }))).to.equal("it is refused");
      expect(await found(settledInChannel({ actions: [ANSWER, WIN, MOVE] }))).to.equal("somebody acted after the end");
    });
  });

  describe("that were settled by a refused action", () => {
    const forfeit = { winner: Two, forfeit: true };
    const actions = [ANSWER, MOVE, REPLY, REFUSED];
    const logged = [ANSWER, MOVE, REPLY];

    it("needs no reason of the chain if the engine refuses the action, too", async () => {
      for (const sent of [actions, [...actions, "0x"]]) {
        const { record: whole, ...rest } = await replayed(settledInChannel({ actions: sent, code: forfeit, logged }));
        expect(whole.actions).to.deep.equal([act(One, MOVE), act(Two, REPLY)]);
        expect(rest).to.deep.equal({
          replayed: {
            logs: logsOf(offerOf(ANSWER), ...logged),
            turns: [One, Two, One],
            position: AFTER_REPLY,
          },
          mismatch: undefined,
        });
      }
    });

    it("needs a reason of the chain if the engine accepts the action", async () => {
      const legal = [ANSWER, MOVE, REPLY, pass(Two)];
      const { mismatch, dependsOnChain } = await replayed(settledInChannel({ actions: legal, code: forfeit, logged }));
      expect({ mismatch, dependsOnChain }).to.deep.equal({ mismatch: undefined, dependsOnChain: true });
      // With a mismatch, the reason does not matter.
      const wrong = await replayed(settledInChannel({ actions: legal, code: { ...forfeit, taker: One }, logged }));
      expect(wrong).to.not.have.property("dependsOnChain");
      expect(await replayed(settledInChannel())).to.not.have.property("dependsOnChain");
    });

    it("accepts a mode that was never registered as a reason, but no other error", async () => {
      const failing = (error: Error) => {
        const game = new MadeUpGame();
        const { replay } = game.module;
        const module = game.module as { replay: typeof replay };
        module.replay = (tried, own) =>
          tried.actions.at(-1)?.data === REFUSED ? Promise.reject(error) : replay(tried, own);
        return replayed(settledInChannel({ actions, code: forfeit, logged }), undefined, game);
      };
      const unregistered = await failing(new UnregisteredMode("0x", GAME));
      expect(unregistered).to.include({ mismatch: undefined }).and.to.not.have.property("dependsOnChain");
      expect(await failing(new Error("broken")).catch(messageOf)).to.equal("broken");
    });

    it("names a wrong winner or taker, and a forfeit in the arena", async () => {
      const after = [ANSWER, MOVE, REFUSED];
      // The last action of the loser is the refused one: the claimed winner decides which action that is.
      const code = { winner: One, taker: Two, forfeit: true };
      expect(await found(settledInChannel({ actions: after, code, logged: [ANSWER, MOVE] }))).to.equal(
        "Played -1: taker: expected 1, found 2",
      );
      const again = [ANSWER, pass(One, "0x01"), REFUSED];
      expect(await found(settledInChannel({ actions: again, code, logged: again.slice(0, 2) }))).to.equal(
        "Played -1: winner: expected 2, found 1",
      );
      const arena = broughtToArena({ actions: after, code: { winner: One, forfeit: true }, logged: [ANSWER, MOVE] });
      expect(await found(arena)).to.equal("Challenged -1: forfeit: expected false, found true");
    });

    it("has nothing to replay if the answer was refused because it answers no offer", async () => {
      const match = settledInChannel({ actions: ["0x"], code: { winner: One, forfeit: true }, logged: [] });
      expect(await replayed(match)).to.deep.equal({
        record: match,
        replayed: { logs: [], turns: [], position: NO_STATE },
        mismatch: undefined,
      });
      expect(await found({ ...match, logs: logsOf(ANSWER) })).to.equal("Log 0: logged rounds: expected 0, found 1");
      const wrong = settledInChannel({ actions: ["0x"], code: { winner: One, taker: Two, forfeit: true }, logged: [] });
      expect(await found(wrong)).to.equal("Played -1: taker: expected 1, found 2");
    });

    it("has nothing to replay if the mode was never registered", async () => {
      const mode = `0x${"77".repeat(32)}`;
      const unregistered = { mode: () => Promise.reject(new UnregisteredMode(mode, GAME)) } as unknown as History;
      const broken = { mode: () => Promise.reject(new Error("gone")) } as unknown as History;
      const replayedIn = (own: History, code: Partial<TranscriptCode>) => {
        const match = record(played({ actions: [ANSWER], code, position: OFFERED }), [], [], { ...TERMS, mode });
        return replayChannelMatch(match, new MadeUpGame().module, own).then(
          (replay) => (expect(replay.record).to.equal(match), replay.replayed),
          messageOf,
        );
      };
      const lost = { winner: One, forfeit: true };
      const nothing = { logs: [], turns: [], position: NO_STATE };
      expect(await replayedIn(unregistered, lost)).to.deep.equal(nothing);
      expect(await replayedIn(unregistered, {})).to.match(/was never registered/);
      expect(await replayedIn(broken, lost)).to.equal("gone");
    });
  });

  describe("that went to the arena", () => {
    it("computes the turns from the start in the arena on", async () => {
      const { mismatch, ...rest } = await replayed(broughtToArena({}, {}, acted(One, MOVE), acted(Two, REPLY)));
      expect(mismatch).to.equal(undefined);
      expect(rest.record.actions).to.deep.equal([act(One, MOVE), act(Two, REPLY)]);
      expect(rest.replayed).to.deep.equal({
        logs: logsOf(offerOf(ANSWER), ANSWER, MOVE, REPLY),
        turns: [One, Two, One],
        position: AFTER_REPLY,
      });
      const unmoved = await replayed(broughtToArena({ actions: [ANSWER, MOVE] }, { turn: Two, position: AFTER_MOVE }));
      expect(unmoved.mismatch).to.equal(undefined);
      expect(unmoved.replayed).to.include({ position: AFTER_MOVE }).and.to.have.deep.property("turns", [Two]);
    });

    it("replays the match once if nobody has acted in the arena", async () => {
      const game = new MadeUpGame();
      await replayed(broughtToArena(), undefined, game);
      // The offer, the match for its seats, and the match itself.
      expect(game.replayed).to.have.length(3);
    });

    it("starts with the turn of the seat that did not act last, even if the same seat must act again", async () => {
      const [actions, position] = [[ANSWER, pass(One)], positionAfter(AFTER_ANSWER, pass(One))];
      expect(await found(broughtToArena({ actions }, { turn: Two, position }))).to.equal(undefined);
      expect(await found(broughtToArena({ actions }, { turn: One, position }))).to.equal(
        "Started -1: turn: expected 2, found 1",
      );
    });

    it("names a wrong turn or position at the start, and a wrong result", async () => {
      expect(await found(broughtToArena({}, { turn: Two }))).to.equal("Started -1: turn: expected 1, found 2");
      expect(await found(broughtToArena({}, { position: POSITION }))).to.equal(
        `Started -1: position: expected ${AFTER_ANSWER}, found ${POSITION}`,
      );
      expect(await found(broughtToArena({ code: { winner: One } }))).to.equal(
        "Challenged -1: winner: expected 0, found 1",
      );
      expect(await found(broughtToArena({ code: { winner: None, taker: One } }))).to.equal(
        "Challenged -1: taker: expected 0, found 1",
      );
    });

    it("names wrong logs and a wrong end", async () => {
      const moves = [acted(One, MOVE), acted(Two, REPLY), acted(One, WIN)];
      const over = (...[status, paid1, paid2, house]: Parameters<typeof end>) =>
        found(broughtToArena({}, {}, ...moves, end(status, paid1, paid2, house)));
      expect(await over(Status.P1Win, 13n, 0n, 3n)).to.equal(undefined);
      expect(await over(Status.P2Win, 13n, 0n, 3n)).to.equal("Settled 0: status: expected 6, found 7");
      expect(await over(Status.P1Win, 14n, 0n, 3n)).to.equal("Settled 0: paid1: expected 13, found 14");
      expect(await found(broughtToArena({}, {}, ...moves))).to.equal("Settled 0: the game is over, the match is not");
      const missing = broughtToArena({ logged: [ANSWER] }, {}, acted(One, MOVE));
      expect(await found(missing)).to.equal("Log 3: logged rounds: expected 3, found 2");
    });

    describe("although the game was over,", () => {
      const start = { turn: Two, position: OVER };
      const actions = [ANSWER, WIN];
      const code = { winner: One };

      it("wait for the other player to confirm the end", async () => {
        const { mismatch, replayed: state } = await replayed(broughtToArena({ actions, code }, start));
        expect(mismatch).to.equal(undefined);
        expect(state).to.include({ position: OVER });
        expect(state.turns).to.deep.equal([Two]);
        expect(await found(broughtToArena({ actions, code }, { ...start, position: NO_STATE }))).to.equal(
          `Started -1: position: expected ${OVER}, found ${NO_STATE}`,
        );
      });

      it("end by resignation or by the clock", async () => {
        const ended = (...paid: Parameters<typeof end>) =>
          found(broughtToArena({ actions, code }, start, end(...paid)));
        expect(await ended(Status.P1Win, 13n, 0n, 3n)).to.equal(undefined);
        expect(await ended(Status.P1WinInactive, 16n, 0n, 0n)).to.equal(undefined);
        expect(await ended(Status.Draw, 10n, 6n, 0n)).to.equal("Settled 0: status 11, but the game did not end");
      });
    });
  });

  describe("that start from a base", () => {
    const base = { turn: Two };
    const actions = [REPLY, WIN];
    const match = settledInChannel({ actions, code: base, position: AFTER_MOVE });
    const before: ShownBefore = { offered: OFFERED, actions: [ANSWER, MOVE] };

    it("resumes from the base if nobody shows the beginning", async () => {
      const { record: read, ...rest } = await replayed(match);
      expect(read.actions).to.deep.equal([act(Two, REPLY), act(One, WIN)]);
      expect([read.createData, read.joinData]).to.deep.equal(["0x", undefined]);
      expect(rest).to.deep.equal({
        replayed: {
          logs: logsOf(REPLY, WIN),
          turns: [One, None],
          position: NO_STATE,
          result: { winner: One, taker: One },
        },
        mismatch: undefined,
      });
      expect(await found(settledInChannel({ actions, code: { ...base, winner: Two }, position: AFTER_MOVE }))).to.equal(
        "Played -1: winner: expected 1, found 2",
      );
    });

    it("replays nothing if the game cannot resume", async () => {
      const nothing = { logs: [], turns: [], position: NO_STATE };
      const game = new MadeUpGame({ hasResume: false });
      expect(await replayed(match, undefined, game)).to.deep.equal({
        record: match,
        replayed: nothing,
        isUnshown: true,
      });
      const arena = broughtToArena({ actions: [REPLY], code: { ...base, winner: None } }, { position: AFTER_REPLY });
      expect((await replayed(arena, undefined, game)).replayed).to.deep.equal({ ...nothing, position: AFTER_REPLY });
      (game.module as { channels?: unknown }).channels = undefined;
      expect(await replayed(match, undefined, game)).to.have.property("isUnshown", true);
    });

    it("needs no resuming without a base, or if players show the beginning", async () => {
      const game = new MadeUpGame({ hasResume: false });
      for (const [read, shown] of [
        [settledInChannel(), undefined],
        [match, before],
      ] as const) {
        const { record: whole, mismatch } = await replayed(read, shown, game);
        expect([whole.actions.length, mismatch]).to.deep.equal([3, undefined]);
      }
    });

    it("replays the whole match from a shown beginning, but compares only the logs that are on chain", async () => {
      const { record: whole, ...rest } = await replayed(match, before);
      expect(whole.actions).to.deep.equal([act(One, MOVE), act(Two, REPLY), act(One, WIN)]);
      expect(whole).to.include({ createData: offerOf(ANSWER), joinData: ANSWER });
      expect(rest.mismatch).to.equal(undefined);
      expect(rest.replayed.turns).to.deep.equal([One, Two, One, None]);
      expect(rest).to.not.have.property("isUnshown");
      const late = settledInChannel({ actions: [WIN], code: { turn: One }, position: AFTER_REPLY });
      expect(await found(late, { ...before, actions: [ANSWER, MOVE, REPLY] })).to.equal(undefined);
      const unlogged = settledInChannel({ actions, code: base, position: AFTER_MOVE, logged: [REPLY] });
      expect(await found(unlogged, before)).to.equal("Log 2: logged rounds: expected 2, found 1");
    });

    it("rejects a beginning that does not lead to the base", async () => {
      const problem = "what is shown does not lead to the position from which it was brought to the chain";
      const short = { ...before, actions: [ANSWER] };
      expect(await found(match, short)).to.equal(problem);
      const other = settledInChannel({ actions, code: base, position: POSITION });
      expect(await found(other, before)).to.equal(problem);
      // Seat One is in turn there, and the same actions are possible.
      const lenient = new MadeUpGame({ isStrict: false });
      const wrongTurn = settledInChannel({ actions, code: { turn: One }, position: AFTER_MOVE });
      expect(await found(wrongTurn, before, lenient)).to.equal(problem);
      expect(await found(match, { ...before, offered: POSITION })).to.equal(
        `the data makes the position ${OFFERED}, not the one offered, ${POSITION}`,
      );
    });

    it("continues in the arena with the turn of the base's other seat, or after the last action", async () => {
      const arena = (sent: readonly Hex[], start: Partial<Events["Started"]>, ...later: AnyEvent[]) =>
        broughtToArena({ actions: sent, code: { ...base, winner: None }, position: AFTER_MOVE }, start, ...later);
      const one = arena([REPLY], { turn: One, position: AFTER_REPLY }, acted(One, MOVE));
      for (const shown of [undefined, before]) {
        const { mismatch, replayed: state } = await replayed(one, shown);
        expect(mismatch).to.equal(undefined);
        expect(state.turns).to.deep.equal([One, Two]);
        expect(state.position).to.equal(positionAfter(AFTER_REPLY, MOVE));
      }
      expect(await found(arena([REPLY], { turn: Two, position: AFTER_REPLY }))).to.equal(
        "Started -1: turn: expected 1, found 2",
      );
      const start = { turn: Two, position: positionAfter(AFTER_ANSWER, MOVE) };
      const other = { actions: [MOVE], code: { turn: One, winner: None }, position: AFTER_ANSWER };
      expect(await found(broughtToArena(other, start))).to.equal(undefined);
      expect(await found(broughtToArena(other, { ...start, turn: One }))).to.equal(
        "Started -1: turn: expected 2, found 1",
      );
      const two = arena([REPLY, MOVE], { turn: Two, position: positionAfter(AFTER_REPLY, MOVE) });
      expect(await found(two)).to.equal(undefined);
    });
  });
});
