import { expect } from "chai";
import { id, Wallet } from "ethers";
import { restSeconds } from "../../../../sdk/chain/finality.js";
import type { ChainView } from "../../../../sdk/player/away/chain-view.js";
import { MemoryAwayLog, type AwayEntry } from "../../../../sdk/player/away/log.js";
import { appoint, pledgedSigner, sessionSigner } from "../../../../sdk/player/away/signers.js";
import type { Transport } from "../../../../sdk/player/away/transport.js";
import {
  messageText,
  type AwayAgreement,
  type AwayAsk,
  type AwayMove,
} from "../../../../sdk/protocol/away/messages.js";
import { agreementRequest, NEVER, stateRequest, askRequest } from "../../../../sdk/protocol/away/signatures.js";
import { decodeAccept } from "../../../../sdk/protocol/away/table.js";
import { stateBehind } from "../../../../sdk/protocol/away/transcript.js";
import type { Hex } from "../../../../sdk/protocol/hex.js";
import { otherSeat } from "../../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../../sdk/protocol/status.js";
import { termsHash } from "../../../../sdk/protocol/terms.js";
import {
  awayWorld,
  Board,
  BrittleLog,
  CLOCK,
  dueName,
  expectError,
  HandClock,
  Killed,
  type AwayWorld,
  type TestSeat,
} from "../../../support/away-world.js";

const NO_ANSWER = new Promise<never>(() => undefined);

/** Transport that never answers. */
const MUTE: Transport = { name: "a mute relay", put: () => NO_ANSWER, after: () => NO_ANSWER };
/** Transport that nobody reaches. */
const DEAD: Transport = {
  name: "a dead relay",
  put: () => Promise.reject(new Error("no connection")),
  after: () => Promise.reject(new Error("no connection")),
};

describe("Seats away from the chain: laws", () => {
  let world: AwayWorld;
  before(async () => {
    world = await awayWorld();
  });
  beforeEach(() => world.reset());
  after(() => world.connection.close());

  /** Opens a seat with other options, in a program of its own. */
  async function changed(each: TestSeat, changes: Partial<TestSeat["options"]>): Promise<TestSeat> {
    return world.reopened({ ...each, options: { ...each.options, ...changes } });
  }

  /** Proposes a result by hand. @param words Words behind the session key: asks of different keys are different messages. */
  async function askOf(each: TestSeat, winner: bigint, nonce: number, words = "a key"): Promise<AwayAsk> {
    const match = { chainId: 7777n, arena: world.addresses.Arena, matchId: each.seat.matchRecord!.matchId };
    const key = id(words);
    const { domain, types, value } = askRequest(match.chainId, match.arena, { ...match, winner, nonce });
    const signer = sessionSigner(key, await appoint(each.client.signer, match, key));
    return {
      type: "ask",
      seat: each.options.seat,
      winner,
      nonce,
      signature: await signer.sign({ domain, types, value }),
    };
  }

  /** Copies the log of a seat. */
  async function copyOf({ options }: TestSeat): Promise<MemoryAwayLog> {
    const log = new MemoryAwayLog();
    for (const [place, entry] of (await options.log.read()).entries()) await log.append(entry, place);
    return log;
  }

  const movesOn = (board: Board) => board.messages.filter((message) => message.type === "move");

  describe("given joining that is not final", () => {
    it("signs nothing and keeps nothing until it is", async () => {
      const block = await world.finalNumber();
      const { matchId, board, seats } = await world.played(1);
      const first = seats[movesOn(board)[0].seat === Seat.One ? 0 : 1];
      world.finality.block = block;
      const fresh = await changed(seats[0] === first ? seats[1] : seats[0], { log: new MemoryAwayLog() });
      const { phase, due } = await fresh.seat.sync();
      expect([phase, dueName(due), fresh.seat.transcript]).to.deep.equal(["joining", "wait for finality", []]);
      await expectError(fresh.seat.act(undefined), "one waits for finality");
      await expectError(fresh.seat.ask(Seat.None), "Nothing is signed before joining is final");
      await expectError(fresh.seat.post(), "Joining is not final yet");
      world.finality.block = undefined;
      const status = await fresh.seat.sync();
      expect([status.phase, status.nonce]).to.deep.equal(["away", 1]);
      expect(board.messages).to.have.length(1);
      expect((await world.historyNow().match(matchId)).actions).to.deep.equal([]);
    });

    it("waits for the other player from then on only, who could sign nothing before", async () => {
      const block = await world.finalNumber();
      const { waiting } = await world.played(0);
      const clock = new HandClock();
      const patient = { log: new MemoryAwayLog(), patience: 120, clock };
      world.finality.block = block;
      const early = await changed(waiting, patient);
      expect(dueName((await early.seat.sync()).due)).to.equal("wait for finality");
      clock.time += 13 * 60_000;
      world.finality.block = undefined;
      expect(dueName((await early.seat.sync()).due)).to.equal("wait for opponent");
      clock.time += 120_000;
      expect(dueName((await early.seat.sync()).due)).to.equal("post");
    });
  });

  describe("when it signs", () => {
    it("signs one state of a nonce, whatever is asked at once", async () => {
      const { inTurn, board } = await world.played(2);
      const { due } = await inTurn.seat.sync();
      if (due.type !== "act") throw new Error();
      const [one, two] = [
        await world.anyMove(due.turn, inTurn.secretStore),
        await world.anyMove(due.turn, inTurn.secretStore),
      ];
      const acted = await Promise.allSettled([inTurn.seat.act(one), inTurn.seat.act(two)]);
      const own = movesOn(board).filter(({ nonce }) => nonce === 3);
      expect(own).to.have.length(1);
      expect(acted[0].status).to.equal("fulfilled");
    });

    it("lets one of two programs with one log sign, and refuses the other before it sends", async () => {
      const { inTurn, board } = await world.played(2);
      const [one, two] = [await world.reopened(inTurn), await world.reopened(inTurn)];
      // The second has not seen what the first is about to send.
      const hidden = await changed(two, { transports: [{ ...emptyBoard(board) }] });
      const status = await hidden.seat.sync();
      await world.act(one);
      if (status.due.type !== "act") throw new Error();
      const move = await world.anyMove(status.due.turn, inTurn.secretStore);
      await expectError(hidden.seat.act(move), "another program plays this seat");
      expect(movesOn(board).filter(({ nonce }) => nonce === 3)).to.have.length(1);
    });

    it("has in its log whatever it sends, before it sends it", async () => {
      const log = new MemoryAwayLog();
      const { inTurn, board } = await world.played(2);
      for (const entry of await inTurn.options.log.read()) await log.append(entry, (await log.read()).length);
      const sent: string[] = [];
      const watched: Transport = {
        name: "a watched relay",
        after: (seen) => board.after(seen),
        put: async (message) => {
          const known = (await log.read()).flatMap((entry) =>
            entry.type === "message" ? [messageText(entry.message)] : [],
          );
          expect(known).to.include(messageText(message));
          sent.push(messageText(message));
        },
      };
      await world.act(await changed(inTurn, { log, transports: [watched] }));
      expect(sent).to.have.length(1);
    });

    it("sends an answer again as it was, after it was killed between its log and the relay", async () => {
      const { inTurn, board } = await world.played(3);
      const brittle = new BrittleLog(inTurn.options.log);
      const doomed = await changed(inTurn, { log: brittle });
      await doomed.seat.sync();
      brittle.left = 0;
      await world.act(doomed).catch((error: unknown) => expect(error).to.be.instanceOf(Killed));
      expect(movesOn(board)).to.have.length(3);
      const entry = (await inTurn.options.log.read()).at(-1)!;
      const again = await world.reopened(inTurn);
      await again.seat.sync();
      expect(entry).to.deep.equal({ type: "message", message: movesOn(board)[3] });
    });
  });

  describe("given a log that was lost", () => {
    it("tells so, takes its own messages back from a relay, and goes on behind them", async () => {
      const { inTurn, waiting, board } = await world.played(4);
      const lost = await changed(inTurn, { log: new MemoryAwayLog() });
      const status = await world.act(lost);
      expect([status.logWasLost, lost.seat.transcript.length]).to.deep.equal([true, 5]);
      expect((await waiting.seat.sync()).nonce).to.equal(5);
      expect(movesOn(board).map(({ nonce }) => nonce)).to.deep.equal([1, 2, 3, 4, 5]);
    });

    it("signs nothing before a relay has told what was sent before", async () => {
      const { inTurn } = await world.played(2);
      for (const transport of [DEAD, MUTE]) {
        const lost = await changed(inTurn, {
          log: new MemoryAwayLog(),
          transports: [transport],
          clock: new HandClock(true),
        });
        const { troubles, due } = await lost.seat.sync();
        expect(troubles).to.have.length(1);
        expect(dueName(due)).to.be.oneOf(["wait for relay", "wait for opponent"]);
        await expectError(lost.seat.act(undefined), "There is no turn to take at the table");
        await expectError(lost.seat.ask(Seat.None), "before a relay has told what was sent before");
      }
    });

    it("posts nothing by itself that may be old before a relay was read, unless it was opened soon after joining", async () => {
      const { inTurn, waiting } = await world.played(2);
      const clock = new HandClock(true);
      const dueOf = async (each: TestSeat, log = new MemoryAwayLog()) => {
        const opened = await changed(each, { log, transports: [DEAD], patience: 60, clock });
        await opened.seat.sync();
        clock.time += 60_000;
        return dueName((await opened.seat.sync()).due);
      };
      expect([await dueOf(inTurn), await dueOf(waiting)]).to.deep.equal(["post", "post"]);
      await world.pass(601n);
      expect([await dueOf(inTurn), await dueOf(waiting)]).to.deep.equal(["wait for relay", "wait for opponent"]);
      expect(await dueOf(waiting, await copyOf(waiting))).to.equal("post");
      // A post that was not sent makes no log whole.
      const posts = new MemoryAwayLog();
      await posts.append({ type: "post", nonce: 0 }, 0);
      await posts.append({ type: "post", nonce: null }, 1);
      expect(await dueOf(waiting, posts)).to.equal("wait for opponent");
      await world.pass(27n * 86_400n);
      expect(await dueOf(waiting)).to.equal("post");
    });

    it("takes its own agreement back from a relay, and keeps to it", async () => {
      const { inTurn } = await world.played(2);
      const { nonce, historyHash } = await inTurn.seat.sync();
      await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      const lost = await changed(inTurn, { log: new MemoryAwayLog() });
      const { due, logWasLost } = await lost.seat.sync();
      expect([dueName(due), logWasLost]).to.deep.equal(["wait for settlement", true]);
    });

    it("takes its own agreement back also from among more proposals than it checks", async () => {
      const { inTurn, waiting, board } = await world.played(2);
      const { nonce, historyHash } = await inTurn.seat.sync();
      for (let asks = 0; asks < 128; asks++) await board.put(await askOf(waiting, Seat.None, nonce, `key ${asks}`));
      await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      const lost = await changed(inTurn, { log: new MemoryAwayLog() });
      const { ownAgreed, logWasLost } = await lost.seat.sync();
      expect([ownAgreed?.winner, logWasLost]).to.deep.equal([Seat.None, true]);
      await expectError(lost.seat.act(undefined), "one waits for settlement");
    });

    it("is not used for another match", async () => {
      const { seats } = await world.played(2);
      const [other] = await world.both(await world.begun());
      await expectError(
        (await changed(other, { log: seats[0].options.log })).seat.sync(),
        /^log:1: move\.base: 0x\w{64} instead of 0x\w{64}$/,
      );
    });
  });

  describe("given a log that somebody has changed", () => {
    const flipped = (signature: Hex): Hex =>
      `${signature.slice(0, 40)}${signature[40] === "1" ? "2" : "1"}${signature.slice(41)}`;

    it("signs, keeps and sends nothing, and names the entry that is wrong", async () => {
      const { inTurn, matchId, board } = await world.played(4);
      const { signer, log: whole, seat: own } = inTurn.options;
      const { nonce, historyHash } = await inTurn.seat.sync();
      await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      const entries = await whole.read();
      const wrong: [place: number, entry: AwayEntry, problem: string][] = [];
      for (const [place, entry] of entries.entries()) {
        const unsigned = `signature: seat ${own} has not signed this`;
        if (entry.type === "signature") {
          wrong.push([place, { ...entry, signature: flipped(entry.signature) }, unsigned]);
          wrong.push([place, { ...entry, nonce: 9 }, "nonce: there is no move 9"]);
        } else if (entry.type === "message" && entry.message.type === "agreement") {
          const message = { ...entry.message, signature: flipped(entry.message.signature) };
          wrong.push([place, { ...entry, message }, `agreement.${unsigned}`]);
        } else if (entry.type === "message" && entry.message.seat === own) {
          const message = { ...(entry.message as AwayMove), word: id("another state") };
          const request = stateRequest(7777n, world.addresses.Warmancer, stateBehind(matchId, message));
          message.signature = await signer!.sign(request);
          wrong.push([place, { ...entry, message }, "it does not lead to the state that it says"]);
        }
      }
      const sent = board.messages.length;
      for (const [place, entry, problem] of wrong) {
        const log = new MemoryAwayLog();
        for (const [i, each] of entries.entries()) await log.append(i === place ? entry : each, i);
        const misled = await changed(inTurn, { log });
        for (const act of [() => misled.seat.sync(), () => misled.seat.act(undefined), () => misled.seat.post()]) {
          await expectError(act(), `log:${place + 1}: ${problem}`);
        }
        expect([(await log.read()).length, board.messages.length]).to.deep.equal([entries.length, sent]);
      }
      const kinds = wrong.map(([, entry]) => (entry.type === "message" ? entry.message.type : entry.type));
      expect(kinds).to.include.members(["move", "signature", "agreement"]);
    });
  });

  describe("given an agreement of its own", () => {
    /** Plays some actions; the seat in turn agrees to a draw. */
    async function agreed() {
      const match = await world.played(3);
      const { nonce, historyHash } = await match.inTurn.seat.sync();
      const { ownAgreed } = await match.inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      return { ...match, until: ownAgreed!.until };
    }

    it("keeps that its player has won, which the other player signs for good, also where no relay has it later", async () => {
      const { inTurn, waiting, board, matchId } = await world.played(2);
      const { nonce, historyHash } = await inTurn.seat.sync();
      await board.put(await resignation(matchId, waiting, { nonce, record: historyHash }));
      expect((await inTurn.seat.sync()).due.type).to.equal("settle");
      for (const transports of [[], [DEAD]]) {
        const alone = await changed(inTurn, { log: await copyOf(inTurn), transports });
        const { due } = await alone.seat.sync();
        if (due.type !== "settle") throw new Error(dueName(due));
        expect((await alone.seat.settlement(due.agreed)).agreement.winner).to.equal(inTurn.options.seat);
      }
    });

    it("keeps one such signature, however many there are", async () => {
      const { inTurn, waiting, board, matchId } = await world.played(2);
      const { nonce, historyHash } = await inTurn.seat.sync();
      const entries = (await inTurn.options.log.read()).length;
      for (const words of ["one", "two", "three"]) {
        const match = { chainId: 7777n, arena: world.addresses.Arena, matchId };
        const signer = sessionSigner(id(words), await appoint(waiting.client.signer, match, id(words)));
        const other = { ...waiting, options: { ...waiting.options, signer } };
        await board.put(await resignation(matchId, other, { nonce, record: historyHash }));
        await inTurn.seat.sync();
      }
      expect(await inTurn.options.log.read()).to.have.length(entries + 1);
    });

    it("agrees to nothing before a relay has told what was sent before", async () => {
      const matchId = await world.begun();
      const seats = await world.both(matchId);
      const { winner } = await world.playOn(seats, (status) => status.winner !== undefined);
      const lost = seats[winner === Seat.One ? 1 : 0];
      const alone = await changed(lost, { log: await copyOf(lost), transports: [DEAD] });
      expect(dueName((await alone.seat.sync()).due)).to.equal("wait for relay");
    });

    it("posts a game that is a draw by its rules once its patience is over, and the other player has not signed", async () => {
      for (;;) {
        const clocks = [new HandClock(), new HandClock()];
        const matchId = await world.begun();
        const board = new Board();
        const seats = [
          await world.open(matchId, Seat.One, [board], { patience: 60, clock: clocks[0] }),
          await world.open(matchId, Seat.Two, [board], { patience: 60, clock: clocks[1] }),
        ];
        const { winner } = await world.playOn(seats, (status) => status.winner !== undefined);
        if (winner !== Seat.None) continue;
        const [one, two] = seats;
        const { due } = await one.seat.sync();
        if (due.type !== "agree") throw new Error(dueName(due));
        await one.seat.agree(due.proposal);
        expect(dueName((await one.seat.sync()).due)).to.equal("wait for settlement");
        clocks[0].time += 60_000;
        await world.send(one, "post");
        await world.playOn([two, one]);
        expect(await world.statusOf(matchId)).to.equal(Status.Draw);
        return;
      }
    });

    it("signs nothing until that has ended in a block: no move, no proposal, no other result", async () => {
      const { inTurn, until } = await agreed();
      const { seat } = inTurn;
      const { due, nonce, historyHash, time } = await seat.sync();
      expect(due).to.deep.equal({ type: "wait", for: "settlement", until });
      expect(Number(until - time)).to.be.within(590, 600);
      await expectError(world.act(inTurn), "what is due is wait for settlement");
      await expectError(seat.act(undefined), "one waits for settlement");
      await expectError(seat.ask(Seat.One), "You have agreed to a result: nothing else is signed until");
      await expectError(seat.agree({ winner: Seat.Two, nonce, historyHash }), "You have agreed to a result");
      // A node whose clock is ahead of its blocks does not end it.
      const { chain } = inTurn.options;
      const ahead: ChainView = { read: async () => ({ ...(await chain.read()), time: until + 100n }) };
      await expectError((await changed(inTurn, { chain: ahead })).seat.act(undefined), "one waits for settlement");
      await world.pass(700n);
      expect((await world.act(inTurn)).nonce).to.equal(nonce + 1);
    });

    it("answers a post before its clock is short, and not before the agreement has ended", async () => {
      const { inTurn, waiting } = await agreed();
      await world.post(waiting);
      expect(dueName((await inTurn.seat.sync()).due)).to.equal("wait for settlement");
      await world.pass(700n);
      expect(dueName((await inTurn.seat.sync()).due)).to.be.oneOf(["supersede", "accept"]);
    });

    it("answers a post in time where the agreement outlasts its clock", async () => {
      const { inTurn, waiting } = await world.played(3);
      await world.post(waiting);
      await world.pass(CLOCK - 700n);
      const { nonce, historyHash, due } = await inTurn.seat.sync();
      expect(dueName(due)).to.be.oneOf(["supersede", "accept"]);
      await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      expect(dueName((await inTurn.seat.sync()).due)).to.equal("wait for settlement");
      await world.pass(150n);
      expect(dueName((await inTurn.seat.sync()).due)).to.be.oneOf(["supersede", "accept"]);
      await world.carryOut(inTurn, await inTurn.seat.sync());
    });

    it("agrees to no draw that its clock on chain would not outlast", async () => {
      const { inTurn, waiting } = await world.played(3);
      await world.post(waiting);
      await world.pass(CLOCK - 500n);
      const { nonce, historyHash } = await inTurn.seat.sync();
      await expectError(inTurn.seat.agree({ winner: Seat.None, nonce, historyHash }), "Your clock on chain ends at");
    });

    it("agrees only to the position that its caller has seen", async () => {
      const { inTurn, waiting } = await world.played(3);
      const { nonce, historyHash } = await waiting.seat.sync();
      await world.act(inTurn);
      await expectError(
        waiting.seat.agree({ winner: Seat.None, nonce, historyHash }),
        "not the one that you have seen",
      );
      const now = await waiting.seat.sync();
      await expectError(
        waiting.seat.agree({ winner: Seat.None, nonce: now.nonce, historyHash }),
        "not the one that you",
      );
      await expectError(
        waiting.seat.agree({ winner: 3n, nonce: now.nonce, historyHash: now.historyHash }),
        "winner: 3 is not",
      );
    });

    it("settles what it has proposed and the other has agreed to, and nothing else by itself", async () => {
      const { inTurn, waiting, matchId } = await world.played(3);
      await inTurn.seat.sync();
      await inTurn.seat.ask(Seat.None);
      const { nonce, historyHash, asked } = await waiting.seat.sync();
      expect([asked?.winner, asked?.nonce]).to.deep.equal([Seat.None, nonce]);
      await waiting.seat.agree({ winner: Seat.None, nonce, historyHash });
      await world.send(inTurn, "settle");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
      expect(dueName((await waiting.seat.sync()).due)).to.equal("over");
    });

    it("may play on in place of what it has proposed, until it has signed that itself", async () => {
      const { inTurn, waiting } = await world.played(3);
      await inTurn.seat.sync();
      await inTurn.seat.ask(Seat.None);
      const { nonce, historyHash } = await waiting.seat.sync();
      await waiting.seat.agree({ winner: Seat.None, nonce, historyHash });
      const { due } = await inTurn.seat.sync();
      if (due.type !== "settle" || !due.turn) throw new Error(dueName(due));
      const after = await inTurn.seat.act(await world.anyMove(due.turn, inTurn.secretStore));
      expect([after.nonce, dueName(after.due)]).to.deep.equal([nonce + 1, "wait for opponent"]);
    });

    it("is shown, and not settled, where nobody has proposed it; the caller may agree", async () => {
      const { inTurn, waiting, matchId } = await world.played(3);
      const { nonce, historyHash } = await waiting.seat.sync();
      await waiting.seat.agree({ winner: Seat.None, nonce, historyHash });
      const { due, agreed: half } = await inTurn.seat.sync();
      expect([dueName(due), half?.winner]).to.deep.equal(["act", Seat.None]);
      await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
      await world.send(inTurn, "settle");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
    });
  });

  describe("given a post of the other player", () => {
    it("answers without any relay, and while relays stall", async () => {
      for (const transports of [[], [MUTE], [DEAD]]) {
        const { inTurn, waiting, matchId } = await world.played(5);
        await world.post(inTurn);
        const alone = await changed(waiting, { transports, clock: new HandClock(true) });
        const status = await alone.seat.sync();
        expect(dueName(status.due)).to.be.oneOf(["supersede", "accept"]);
        await world.carryOut(alone, status);
        expect((await world.historyNow().match(matchId)).actions).to.have.length(2);
      }
    });

    it("accepts nothing that may be old before a relay was read, unless its clock is nearly over", async () => {
      const { inTurn, waiting, matchId } = await world.played(6);
      await inTurn.client.act(matchId, await stalePost(inTurn));
      const own = { log: new MemoryAwayLog(), transports: [MUTE], clock: new HandClock(true) };
      const lost = await changed(waiting, own);
      const { due, deadline } = await lost.seat.sync();
      const until = deadline - BigInt(restSeconds(CLOCK));
      expect(due).to.deep.equal({ type: "wait", for: "relay", until });
      await expectError(lost.seat.accept(), "Nothing is accepted before a relay has told");
      const found = await changed(waiting, { log: new MemoryAwayLog() });
      expect(dueName((await found.seat.sync()).due)).to.equal("supersede");
      await world.pass(until - (await lost.seat.sync()).time);
      expect(dueName((await lost.seat.sync()).due)).to.equal("accept");
    });

    it("supersedes by nothing that may be old before a relay was read to its end", async () => {
      const { inTurn, waiting, board, matchId } = await world.played(6);
      await inTurn.client.act(matchId, await stalePost(inTurn));
      const halting: Transport = {
        name: "a relay that halts",
        put: async () => undefined,
        after: (seen) => {
          if (seen > 0) return new Promise(() => undefined);
          return Promise.resolve({ messages: board.messages.slice(0, -1), seen: 1 });
        },
      };
      const clock = new HandClock(true);
      const own = { log: new MemoryAwayLog(), transports: [halting], clock, signer: undefined };
      const watching = await changed(waiting, own);
      const { due, nonce } = await watching.seat.sync();
      expect([dueName(due), nonce]).to.deep.equal(["wait for relay", 5]);
      await expectError(watching.seat.post(), "Nothing is posted before a relay has told");
      await world.send(await changed(waiting, { ...own, transports: [board] }), "supersede");
    });

    it("accepts no state that its log lacks before a relay was read", async () => {
      const { inTurn, waiting } = await world.played(6);
      const log = new MemoryAwayLog();
      const entries = await waiting.options.log.read();
      for (const [place, entry] of entries.slice(0, 2).entries()) await log.append(entry, place);
      await world.post(inTurn);
      const clock = new HandClock(true);
      expect(dueName((await (await changed(waiting, { log, transports: [MUTE], clock })).seat.sync()).due)).to.equal(
        "wait for relay",
      );
      expect(dueName((await (await changed(waiting, { log })).seat.sync()).due)).to.be.oneOf(["supersede", "accept"]);
    });

    it("accepts the position that its caller has seen", async () => {
      const { inTurn, waiting } = await world.played(0);
      await world.post(waiting);
      const { posted } = await inTurn.seat.sync();
      await expectError(inTurn.seat.accept(undefined, id("another")), "The position is not the one");
      expect(decodeAccept(`0x${(await inTurn.seat.accept(undefined, posted)).slice(4)}`).table.word).to.equal(posted);
    });

    it("accepts no position that its caller has seen and it does not know any more", async () => {
      const { inTurn, waiting } = await world.played(6);
      await world.post(inTurn);
      const lost = await changed(waiting, { log: new MemoryAwayLog(), transports: [] });
      const { posted, historyHash } = await lost.seat.sync();
      expect(posted).to.equal(undefined);
      await expectError(lost.seat.accept(undefined, historyHash), "The position is not the one");
    });

    it("acts in the position that its caller has seen", async () => {
      const { inTurn, waiting } = await world.played(3);
      const { due, historyHash } = await inTurn.seat.sync();
      if (due.type !== "act") throw new Error(dueName(due));
      const move = await world.anyMove(due.turn, inTurn.secretStore);
      await expectError(inTurn.seat.act(move, id("another")), "The position is not the one that you have seen");
      expect((await inTurn.seat.act(move, historyHash)).nonce).to.equal(4);
      await waiting.seat.sync();
    });

    it("refuses to accept an older state than it can post", async () => {
      const { inTurn, waiting, matchId } = await world.played(6);
      const stale = await stalePost(inTurn);
      await inTurn.client.act(matchId, stale);
      await waiting.seat.sync();
      await expectError(waiting.seat.accept(), "A newer state than that of nonce");
      await world.send(waiting, "supersede");
    });

    it("gives the chain the same answer as the table, where only it knows that it has shown one", async () => {
      const { inTurn, waiting, board, matchId } = await world.played(4);
      // What the seat in turn sends from here on does not come to the other.
      const elsewhere = new Board();
      elsewhere.messages = [...board.messages];
      const cut = await changed(inTurn, { transports: [elsewhere] });
      await world.act(cut);
      const shown = cut.seat.transcript.at(-1)!;
      await world.post(waiting);
      const answers = [await cut.seat.sync()];
      while (answers.at(-1)!.due.type === "supersede") {
        await world.carryOut(cut, answers.at(-1)!);
        await world.carryOut(waiting, await waiting.seat.sync());
        answers.push(await cut.seat.sync());
      }
      const { due } = answers.at(-1)!;
      expect(["accept", "actOnChain"]).to.include(due.type);
      expect((due as { turn?: unknown }).turn).to.equal(undefined);
      const data = due.type === "accept" ? await cut.seat.accept() : await cut.seat.actOnChain();
      const action = due.type === "accept" ? decodeAccept(`0x${data.slice(4)}`).action : data;
      expect(action).to.equal(shown.action);
      await cut.client.act(matchId, data);
    });

    it("composes one action in a position on chain, whatever it is asked for later", async () => {
      // The first action is a commitment, which would have another nonce each time.
      const { inTurn, waiting } = await world.played(0);
      await world.post(waiting);
      const { due } = await inTurn.seat.sync();
      if (due.type !== "accept") throw new Error(dueName(due));
      const compose = async ({ seat, secretStore }: TestSeat) =>
        seat.accept({ move: await world.anyMove(due.turn!, secretStore) });
      const first = await compose(inTurn);
      expect(await compose(await world.reopened(inTurn))).to.equal(first);
    });

    it("supersedes without a key of its own, by what both have signed", async () => {
      const { inTurn, waiting, matchId, board } = await world.played(6);
      await inTurn.client.act(matchId, await stalePost(inTurn));
      const tower = await changed(waiting, { signer: undefined, log: new MemoryAwayLog() });
      const { due } = await tower.seat.sync();
      expect(dueName(due)).to.equal("supersede");
      // What the other player gives up is nothing that such a seat could settle.
      const { nonce, historyHash } = inTurn.seat.status;
      board.messages.push(await resignation(matchId, inTurn, { nonce, record: historyHash }));
      const { due: later, agreed } = await tower.seat.sync();
      expect([dueName(later), agreed?.winner]).to.deep.equal(["supersede", waiting.options.seat]);
      await waiting.client.act(matchId, await tower.seat.post());
      await expectError(tower.seat.ask(Seat.None), "This seat has no key to sign with");
    });
  });

  describe("given relays that fail or lie", () => {
    it("needs one honest relay among liars", async () => {
      const { inTurn, waiting, board, matchId } = await world.played(2);
      let made = 0;
      const liar: Transport = {
        name: "a lying relay",
        put: async () => undefined,
        after: async (seen) => ({
          messages: Array.from({ length: 50 }, () => ({
            ...(movesOn(board).at(-1) as AwayMove),
            nonce: 3,
            word: id(`lie ${made++}`),
          })),
          seen: seen + 50,
        }),
      };
      const transports = [liar, DEAD, MUTE, board];
      const own = { transports, clock: new HandClock(true) };
      const [one, two] = [await changed(inTurn, own), await changed(waiting, own)];
      await world.act(one);
      const { nonce, troubles } = await two.seat.sync();
      expect(nonce).to.equal(3);
      const read = made;
      await two.seat.sync();
      expect((await two.seat.sync()).troubles).to.include(
        "a lying relay: it sends what no player has signed, and is read no more",
      );
      expect(troubles.join()).to.include("a dead relay: no connection").and.include("a mute relay: it does not answer");
      expect(matchId).to.equal(two.seat.matchRecord!.matchId);
      expect(made).to.equal(read);
    });

    it("leaves a relay alone for a while that does not answer in time, unless there is no other", async () => {
      const { inTurn, board } = await world.played(2);
      let asked = 0;
      const mute: Transport = {
        name: "a mute relay",
        put: () => NO_ANSWER,
        after: () => {
          asked++;
          return NO_ANSWER;
        },
      };
      const clock = new HandClock(true);
      const { seat } = await changed(inTurn, { transports: [mute, board], clock });
      await seat.sync();
      expect((await seat.sync()).troubles).to.deep.equal(["a mute relay: it does not answer in time"]);
      expect(asked).to.equal(1);
      clock.time += 30_001;
      await seat.sync();
      expect(asked).to.equal(2);
      const alone = await changed(inTurn, { transports: [mute], clock });
      for (let reads = 3; reads < 5; reads++) {
        await alone.seat.sync();
        expect(asked).to.equal(reads);
      }
    });

    it("tells what is wrong with a relay once, by its name", async () => {
      const { inTurn } = await world.played(2);
      const fails = (name: string, reason: string): Transport => {
        const refuse = () => Promise.reject(new Error(reason));
        return { name, put: refuse, after: refuse };
      };
      const transports = [fails("relay one", "The relay one is full."), fails("relay two", "It is full.")];
      const { troubles } = await (await changed(inTurn, { transports })).seat.sync();
      expect(troubles).to.deep.equal(["The relay one is full.", "relay two: It is full."]);
    });

    it("checks so many proposals of a position, and more in the next one", async () => {
      const { inTurn, waiting, board } = await world.played(2);
      const { nonce } = await waiting.seat.sync();
      for (let asks = 0; asks < 128; asks++) await board.put(await askOf(waiting, Seat.One, nonce, `key ${asks}`));
      await board.put(await askOf(waiting, Seat.None, nonce));
      expect((await inTurn.seat.sync()).asked?.winner).to.equal(Seat.One);
      const { nonce: next } = await world.act(inTurn);
      await waiting.seat.sync();
      await board.put(await askOf(waiting, Seat.None, next));
      expect((await inTurn.seat.sync()).asked?.winner).to.equal(Seat.None);
    });

    it("reads no more of a relay that sends without end", async () => {
      const { inTurn, board } = await world.played(2);
      const [move] = movesOn(board);
      let made = 0;
      const endless: Transport = {
        name: "an endless relay",
        put: async () => undefined,
        after: async (seen) => ({
          messages: Array.from({ length: 200 }, () => ({
            ...move,
            nonce: 9,
            action: `0x${"00".repeat(1500)}`,
            word: id(`more ${made++}`),
          })),
          seen: seen + 200,
        }),
      };
      const flooded = await changed(inTurn, { transports: [endless] });
      expect((await flooded.seat.sync()).troubles).to.deep.equal([
        "an endless relay: it sends more than 4194304 bytes",
      ]);
      expect(made).to.be.below(3_000);
    });

    it("posts where a relay always misses a message, once its patience is over", async () => {
      const { inTurn, waiting, board } = await world.played(2);
      const missing: Transport = {
        name: "a relay with a hole",
        put: (message) => board.put(message),
        after: async (seen) => {
          const { messages, seen: next } = await board.after(seen);
          return { messages: messages.filter(({ nonce }) => nonce !== 3), seen: next };
        },
      };
      const clock = new HandClock();
      const deaf = await changed(waiting, { transports: [missing], patience: 120, clock });
      await world.act(inTurn);
      expect(dueName((await deaf.seat.sync()).due)).to.equal("wait for opponent");
      clock.time += 119_999;
      expect(dueName((await deaf.seat.sync()).due)).to.equal("wait for opponent");
      clock.time += 1;
      await world.send(deaf, "post");
      await world.send(inTurn, inTurn === waiting ? "accept" : (dueName((await inTurn.seat.sync()).due) as "accept"));
    });

    it("posts on its own turn where no relay tells what was sent before, once its patience is over", async () => {
      const { inTurn } = await world.played(3);
      const clock = new HandClock();
      const cut = await changed(inTurn, { transports: [DEAD], patience: 120, clock });
      expect(dueName((await cut.seat.sync()).due)).to.equal("wait for relay");
      clock.time += 120_000;
      await world.send(cut, "post");
    });

    it("gives a relay that has lost its messages all of them back", async () => {
      const { board, seats } = await world.played(4);
      const before = board.messages.map(messageText);
      board.messages = [];
      for (const { seat } of seats) await seat.sync();
      for (const { seat } of seats) await seat.sync();
      expect(board.messages.map(messageText)).to.deep.equal(before);
    });

    it("goes on behind a state that a relay has with another signature of its player", async () => {
      const { board, seats, matchId } = await world.played(3);
      const [first, ...others] = movesOn(board);
      const state = stateBehind(matchId, first);
      const { domain, types, value } = stateRequest(7777n, world.addresses.Warmancer, state);
      const signature = await world.player(Seat.One).signer.signTypedData(domain, types, value);
      const strict = new Board();
      strict.messages = [{ ...first, signature }];
      strict.put = async (message) => {
        const isTaken = strict.messages.some((each) => each.type === "move" && each.nonce === message.nonce);
        if (isTaken) throw new Error("409");
        strict.messages.push(message);
      };
      expect(messageText(strict.messages[0])).not.to.equal(messageText(first));
      const two = await changed(seats[1], { transports: [board, strict] });
      await two.seat.sync();
      expect(strict.messages.slice(1).map(messageText)).to.deep.equal(others.map(messageText));
    });
  });

  describe("given pledged keys", () => {
    const key = new Wallet(id("pledged"));

    it("signs with its own once the pledge is final", async () => {
      const { inTurn, matchId } = await world.played(2);
      const pledged = await changed(inTurn, { signer: pledgedSigner(key.privateKey) });
      await expectError(world.act(pledged), "This key does not sign for the seat");
      const block = await world.finalNumber();
      await inTurn.client.pledge(matchId, key.address);
      world.finality.block = block;
      await expectError(world.act(pledged), "This key does not sign for the seat");
      world.finality.block = undefined;
      expect((await world.act(pledged)).nonce).to.equal(3);
    });

    it("believes the other player's once the pledge is final, and then takes what came before", async () => {
      const { inTurn, waiting, matchId } = await world.played(2);
      const block = await world.finalNumber();
      await inTurn.client.pledge(matchId, key.address);
      await world.act(await changed(inTurn, { signer: pledgedSigner(key.privateKey) }));
      world.finality.block = block;
      expect((await waiting.seat.sync()).nonce).to.equal(2);
      world.finality.block = undefined;
      expect((await waiting.seat.sync()).nonce).to.equal(3);
    });

    it("goes on by a log with moves of a key whose pledge its node does not know as final any more", async () => {
      const { inTurn, waiting, matchId } = await world.played(2);
      const block = await world.finalNumber();
      await inTurn.client.pledge(matchId, key.address);
      await world.act(await changed(inTurn, { signer: pledgedSigner(key.privateKey) }));
      expect((await waiting.seat.sync()).nonce).to.equal(3);
      world.finality.block = block;
      expect((await (await world.reopened(waiting)).seat.sync()).nonce).to.equal(3);
    });

    it("lets no pledge of the other player count for its own seat", async () => {
      const { inTurn, waiting, matchId } = await world.played(2);
      await waiting.client.pledge(matchId, key.address);
      const pledged = await changed(inTurn, { signer: pledgedSigner(key.privateKey) });
      await expectError(world.act(pledged), "This key does not sign for the seat");
    });
  });

  describe("given that the time away ends", () => {
    it("posts three days before, and leaves a draw to the clock if nobody does", async () => {
      const { waiting, inTurn, matchId } = await world.played(3);
      await world.pass(27n * 86_400n - 1000n);
      expect(dueName((await waiting.seat.sync()).due)).to.equal("wait for opponent");
      await world.pass(2000n);
      expect(dueName((await waiting.seat.sync()).due)).to.equal("post");
      await world.pass(3n * 86_400n);
      expect(dueName((await inTurn.seat.sync()).due)).to.equal("timeout");
      await world.send(waiting, "timeout");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
    });
  });

  /** Returns a player's half of an agreement that the other one has won. */
  async function resignation(
    matchId: bigint,
    { options: { seat, signer, history } }: TestSeat,
    { nonce, record }: Pick<AwayMove, "nonce" | "record">,
  ): Promise<AwayAgreement> {
    const { terms } = await history.match(matchId);
    const agreement = { winner: otherSeat(seat), until: NEVER, record };
    const request = agreementRequest(7777n, history.addresses.Arena, {
      ...agreement,
      matchId,
      termsHash: termsHash(terms),
    });
    return { type: "agreement", seat, ...agreement, nonce, signature: await signer!.sign(request) };
  }

  /** Returns the data of a post of the oldest state that a seat can post. */
  async function stalePost(each: TestSeat): Promise<string> {
    const log = new MemoryAwayLog();
    const entries = await each.options.log.read();
    for (const [place, entry] of entries.slice(0, 2).entries()) await log.append(entry, place);
    const behind = await changed(each, { log, transports: [] });
    await behind.seat.sync();
    return behind.seat.post();
  }

  /** A transport with what a board has now, which takes nothing more. */
  function emptyBoard(board: Board): Transport {
    const messages = [...board.messages];
    return {
      name: "an old copy",
      put: async () => undefined,
      after: async (seen) => ({ messages: messages.slice(seen), seen: messages.length }),
    };
  }
});
