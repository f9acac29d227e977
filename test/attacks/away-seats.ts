import { expect } from "chai";
import { dataSlice } from "ethers";
import { awayPlay } from "../../sdk/games/warmancer/table.js";
import { Kind } from "../../sdk/games/warmancer/state.js";
import { customError } from "../../sdk/player/errors.js";
import { MemoryAwayLog } from "../../sdk/player/away/log.js";
import { appoint, sessionSigner, walletSigner } from "../../sdk/player/away/signers.js";
import type { AwayMove } from "../../sdk/protocol/away/messages.js";
import {
  appointmentRequest,
  digestOf,
  isSignedBy,
  signersOf,
  stateRequest,
} from "../../sdk/protocol/away/signatures.js";
import { decodePost, tableAfter } from "../../sdk/protocol/away/table.js";
import { nextRecord, stateBehind } from "../../sdk/protocol/away/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat, Status, winnerBy } from "../../sdk/protocol/status.js";
import {
  awayWorld,
  Board,
  CLOCK,
  dueName,
  HandClock,
  isFinished,
  type AwayWorld,
  type TestSeat,
} from "../support/away-world.js";

/** Actions of a player who never continues. */
const WAITS = 31n * 86_400n;

describe("Attacks on seats away from the chain", () => {
  let world: AwayWorld;
  before(async () => {
    world = await awayWorld();
  });
  beforeEach(() => world.reset());
  after(() => world.connection.close());

  /** Opens a seat in its state after some actions, without its relays. */
  async function behind(each: TestSeat, count: number): Promise<TestSeat> {
    const log = new MemoryAwayLog();
    for (const [place, entry] of (await each.options.log.read()).slice(0, count).entries()) {
      await log.append(entry, place);
    }
    const seat = await world.reopened({ ...each, options: { ...each.options, log, transports: [] } });
    await seat.seat.sync();
    return seat;
  }

  /** Posts what a seat could post after some actions. */
  async function postOld(each: TestSeat, count: number): Promise<void> {
    const old = await behind(each, count);
    await each.client.act(old.seat.matchRecord!.matchId, await old.seat.post());
  }

  /** Signs any data for a player, as a cheater would. */
  async function forged(each: TestSeat, board: Board, changes: Partial<AwayMove>): Promise<AwayMove> {
    const honest = await copyOfNext(each, board);
    const move = { ...honest, ...changes };
    const { client, options } = each;
    const signer = walletSigner(client.signer);
    const state = stateBehind(each.seat.matchRecord!.matchId, move);
    const signature = await signer.sign(stateRequest(client.chainId, world.addresses.Warmancer, state));
    expect(options.seat).to.equal(move.seat);
    return { ...move, signature };
  }

  /** Returns the next message of a seat, without delivering it. */
  async function copyOfNext(each: TestSeat, board: Board): Promise<AwayMove> {
    const aside = new Board();
    aside.messages = [...board.messages];
    const log = new MemoryAwayLog();
    const twin = await world.reopened({ ...each, options: { ...each.options, log, transports: [aside] } });
    await world.act(twin);
    return twin.seat.transcript.at(-1)!;
  }

  const actionsOf = async (matchId: bigint) => (await world.historyNow().match(matchId)).actions;

  /** Returns the name of the error with which a call is rejected. */
  async function refusalOf(call: Promise<unknown>): Promise<string | undefined> {
    return call.then(
      () => undefined,
      (error: unknown) => customError(error)?.name,
    );
  }

  /** Plays new matches until the next action of the seat in turn is of a kind. @returns that action as well */
  async function playedUpTo(kind: number) {
    for (;;) {
      const game = await world.played(0);
      for (let [inTurn, waiting] = [game.inTurn, game.waiting]; ; [inTurn, waiting] = seatsOf(game.seats)) {
        const { due } = await inTurn.seat.sync();
        if (due.type !== "act") break;
        const next = await copyOfNext(inTurn, game.board);
        if (Number(dataSlice(next.action, 0, 1)) === kind) return { ...game, inTurn, waiting };
        await world.act(inTurn);
        await waiting.seat.sync();
      }
    }
  }

  /** Accepts what was posted last, whatever else its program would do. */
  async function acceptOnly({ client }: TestSeat, matchId: bigint): Promise<void> {
    const { seat, data } = (await actionsOf(matchId)).at(-1)!;
    const { table, state } = decodePost(`0x${data.slice(4)}`);
    await client.act(matchId, awayPlay.encodeAccept(tableAfter(table, seat, state)));
  }

  /** Returns the seat in turn, and the other. */
  function seatsOf([one, two]: readonly TestSeat[]): [TestSeat, TestSeat] {
    return one.seat.status.turn === Seat.One ? [one, two] : [two, one];
  }

  it("a stale post is superseded by the newest state", async () => {
    const { inTurn, waiting, matchId } = await world.played(7);
    await postOld(inTurn, 3);
    await world.send(waiting, "supersede");
    const posts = (await actionsOf(matchId)).map(({ data }) => decodePost(`0x${data.slice(4)}`).state!.nonce);
    expect(posts[1]).to.be.greaterThan(posts[0]).and.at.least(6);
  });

  it("an absent player loses nothing by a stale post that it would not lose by the newest", async () => {
    const { inTurn, waiting, matchId } = await world.played(7);
    await postOld(inTurn, 3);
    await world.pass(CLOCK + 10n);
    await world.send(inTurn, "timeout");
    expect(winnerBy(await world.statusOf(matchId))).to.equal(inTurn.options.seat);
    expect(dueName((await waiting.seat.sync()).due)).to.equal("over");
  });

  it("posting back and forth ends after three posts", async () => {
    const { inTurn, waiting, matchId } = await world.played(8);
    await postOld(inTurn, 2);
    await world.send(waiting, "supersede");
    const { due } = await inTurn.seat.sync();
    if (due.type === "supersede") await world.send(inTurn, "supersede");
    const honest = due.type === "supersede" ? waiting : inTurn;
    expect(dueName((await honest.seat.sync()).due)).to.equal("accept");
    expect((await actionsOf(matchId)).length).to.be.at.most(3);
  });

  it("of two posts that race the second is refused, and its sender answers under the clock", async () => {
    const { inTurn, waiting, matchId } = await world.played(5);
    await inTurn.seat.sync();
    const second = await inTurn.seat.post();
    await world.post(waiting);
    expect(await refusalOf(inTurn.client.act(matchId, second))).to.equal("WrongTable");
    const status = await inTurn.seat.sync();
    expect(status.phase).to.equal("posted");
    expect(dueName(status.due)).to.be.oneOf(["supersede", "accept"]);
    expect(await world.carryOut(inTurn, status)).to.equal(true);
  });

  it("a second state of one nonce is neither signed nor taken", async () => {
    const { inTurn, waiting, board } = await world.played(0);
    // Commitments have nonces, so that no two are equal.
    const [one, other] = [await copyOfNext(inTurn, board), await copyOfNext(inTurn, board)];
    const boards = [new Board(), new Board()];
    for (const [i, each] of boards.entries()) each.messages = [...board.messages, [one, other][i]];
    const options = { ...waiting.options, transports: boards };
    const { seat } = await world.reopened({ ...waiting, options });
    const { nonce, historyHash } = await seat.sync();
    expect([nonce, historyHash]).to.deep.equal([1, one.record]);
    expect(seat.transcript.map((move) => move.nonce)).to.deep.equal([1]);
    expect(other.signature).not.to.equal(one.signature);
  });

  it("a player that signs and then vanishes loses by the clock", async () => {
    const { inTurn, waiting, matchId } = await world.played(5);
    await world.post(waiting);
    expect(dueName((await waiting.seat.sync()).due)).to.equal("wait for opponent");
    await world.pass(CLOCK + 10n);
    await world.send(waiting, "timeout");
    expect(winnerBy(await world.statusOf(matchId))).to.equal(waiting.options.seat);
    expect(inTurn.options.seat).to.equal(otherSeat(waiting.options.seat));
  });

  it("a player that refuses the last signature loses on chain", async () => {
    for (const vanishes of [true, false]) {
      const matchId = await world.begun();
      const seats = await world.both(matchId, new Board(), { patience: 60 });
      const { winner } = await world.playOn(seats, (status) => status.winner !== undefined);
      const [won, lost] = winner === Seat.One ? seats : [seats[1], seats[0]];
      // A drawn game has no loser.
      if (winner === Seat.None) continue;
      expect(dueName((await won.seat.sync()).due)).to.equal("wait for agreement");
      for (const { options } of seats) {
        if (options.clock instanceof HandClock) options.clock.time += 60_000;
      }
      await world.send(won, "post");
      if (vanishes) {
        await world.pass(CLOCK + 10n);
        await world.send(won, "timeout");
      } else {
        for (let i = 0; i < 40 && !isFinished(await world.statusOf(matchId)); i++) {
          const status = await lost.seat.sync();
          if (["accept", "actOnChain", "supersede"].includes(status.due.type)) await world.carryOut(lost, status);
          const now = await won.seat.sync();
          if (["accept", "actOnChain", "supersede"].includes(now.due.type)) await world.carryOut(won, now);
        }
      }
      expect(winnerBy(await world.statusOf(matchId))).to.equal(winner);
    }
  });

  it("abandoning a commitment after its answer was seen does not take it back", async () => {
    const { inTurn: answering, waiting: committed, matchId } = await playedUpTo(Kind.Answer);
    const { nonce } = await committed.seat.sync();
    await world.act(answering);
    const shown = answering.seat.transcript.at(-1)!;
    expect((await committed.seat.sync()).nonce).to.equal(nonce + 1);
    await postOld(committed, nonce - 1);
    await world.send(answering, "supersede");
    // The state with the commitment is signed by both, so it is valid on chain.
    const { data } = (await actionsOf(matchId)).at(-1)!;
    expect(decodePost(`0x${data.slice(4)}`).state!.nonce).to.equal(nonce);
    await acceptOnly(committed, matchId);
    await world.send(answering, "actOnChain");
    expect((await actionsOf(matchId)).at(-1)!.data).to.equal(shown.action);
    // A player who does not reveal its commitment loses.
    await world.pass(CLOCK + 10n);
    await world.send(answering, "timeout");
    expect(winnerBy(await world.statusOf(matchId))).to.equal(answering.options.seat);
  });

  for (const isAccepted of [false, true]) {
    const how = isAccepted ? "brings the game onto the chain" : "says nothing";
    it(`who has seen the other's proof, keeps back its own and ${how} loses by the clock`, async () => {
      const { inTurn: silent, waiting: proved, matchId } = await playedUpTo(Kind.Prove);
      const { action } = proved.seat.transcript.at(-1)!;
      await world.post(proved);
      if (isAccepted) {
        await acceptOnly(silent, matchId);
        await world.send(proved, "actOnChain");
        expect((await actionsOf(matchId)).at(-1)!.data).to.equal(action);
      }
      expect((await world.clients[0].arena.matchOf(matchId)).turn).to.equal(silent.options.seat);
      await world.pass(CLOCK + 10n);
      await world.send(proved, "timeout");
      expect(winnerBy(await world.statusOf(matchId))).to.equal(proved.options.seat);
    });
  }

  it("an answer is not shown before the commitment is signed", async () => {
    const { inTurn, waiting, board } = await world.played(4);
    const next = await copyOfNext(inTurn, board);
    const unsigned = { ...next, signature: `0x${"11".repeat(65)}` };
    board.messages.push(unsigned);
    const { nonce, due } = await waiting.seat.sync();
    expect([nonce, dueName(due)]).to.deep.equal([4, "wait for opponent"]);
    expect(board.messages).to.have.length(5);
  });

  it("old signatures count for nothing once the table was accepted", async () => {
    const { inTurn, waiting, matchId } = await world.played(6);
    await waiting.seat.sync();
    const old = await waiting.seat.post();
    await world.post(waiting);
    const { phase } = await world.playOn([inTurn, waiting], (status) => status.phase === "onChain");
    expect(phase).to.equal("onChain");
    const { turn } = await waiting.client.arena.matchOf(matchId);
    for (const each of [inTurn, waiting]) {
      const refusal = turn === each.options.seat ? "WrongTable" : "NotYourTurn";
      expect(await refusalOf(each.client.act(matchId, old))).to.equal(refusal);
      expect(await each.seat.post().catch((error: unknown) => (error as Error).message)).to.equal(
        "There is no table to post on.",
      );
    }
  });

  it("messages of another match are not taken", async () => {
    const { board } = await world.played(4);
    const matchId = await world.begun();
    const copied = new Board();
    copied.messages = [...board.messages];
    const [one, two] = await world.both(matchId, copied);
    for (const { seat } of [one, two]) expect((await seat.sync()).nonce).to.equal(0);
    expect(one.seat.transcript).to.deep.equal([]);
  });

  it("a signed state that the rules do not lead to is not taken, and leads to a post", async () => {
    const { inTurn, waiting, board, matchId } = await world.played(1);
    const { action, record } = board.messages.filter((message) => message.type === "move").at(-1)!;
    const { seat } = inTurn.options;
    const lies: Partial<AwayMove>[] = [
      { word: record },
      { turn: seat },
      { turn: Seat.None },
      { action, record: nextRecord(record, seat, action) },
      { action: "0xff", record: nextRecord(record, seat, "0xff") },
    ];
    for (const lie of lies) {
      const aside = new Board();
      aside.messages = [...board.messages, await forged(inTurn, board, lie)];
      const victim = await world.reopened({
        ...waiting,
        options: { ...waiting.options, transports: [aside], patience: 0 },
      });
      const { nonce, due, troubles } = await victim.seat.sync();
      expect([nonce, dueName(due)]).to.deep.equal([1, "post"]);
      expect(troubles.join()).to.match(/^Message 2 of the other player is against the rules: /);
    }
    expect(await actionsOf(matchId)).to.deep.equal([]);
  });

  it("a move that no relay would take is not taken on another way", async () => {
    const { inTurn, waiting, board } = await world.played(1);
    const { record } = board.messages.filter((message) => message.type === "move").at(-1)!;
    const { seat } = inTurn.options;
    const { action: honest } = await copyOfNext(inTurn, board);
    const action: Hex = `${honest}${"00".repeat(1_900)}`;
    const aside = new Board();
    aside.messages = [
      ...board.messages,
      await forged(inTurn, board, { action, record: nextRecord(record, seat, action) }),
    ];
    const victim = await world.reopened({ ...waiting, options: { ...waiting.options, transports: [aside] } });
    const { nonce, troubles } = await victim.seat.sync();
    expect(nonce).to.equal(1);
    expect(troubles.join()).to.match(/^Message 2 of the other player .*: it takes \d{4} bytes, and a relay 4096\.$/);
  });

  it("a draw offer is no free option: a player that agrees does not move before it ends", async () => {
    const { inTurn, waiting, matchId } = await world.played(5);
    await waiting.seat.sync();
    await waiting.seat.ask(Seat.None);
    const { nonce, historyHash, asked } = await inTurn.seat.sync();
    expect(asked!.winner).to.equal(Seat.None);
    await inTurn.seat.agree({ winner: Seat.None, nonce, historyHash });
    expect(dueName((await inTurn.seat.sync()).due)).to.equal("wait for settlement");
    const { agreed } = await waiting.seat.sync();
    await world.pass(700n);
    expect(dueName((await waiting.seat.sync()).due)).to.equal("wait for opponent");
    expect(await waiting.seat.settlement(agreed!).catch((error: unknown) => (error as Error).message)).to.equal(
      "The other player has not agreed to this result, or not for so long.",
    );
    await world.act(inTurn);
    expect(await world.statusOf(matchId)).to.equal(Status.AllJoined);
  });

  it("a resignation that nobody settles takes no more than its ten minutes", async () => {
    const { inTurn, waiting, board } = await world.played(2);
    const own = inTurn.options.seat;
    const { nonce, historyHash } = await inTurn.seat.sync();
    await waiting.seat.sync();
    await waiting.seat.agree({ winner: own, nonce, historyHash });
    const { due, agreed } = await inTurn.seat.sync();
    if (due.type !== "settle") throw new Error(dueName(due));
    await inTurn.seat.settlement(due.agreed);
    // Ten seconds before its end it is too late to send the settlement, and too early to move.
    await world.networkHelpers.time.increaseTo(agreed!.until - 10n);
    const late = await inTurn.seat.sync();
    expect(late.due).to.deep.equal({ type: "wait", for: "settlement", until: agreed!.until });
    await world.pass(11n);
    expect(dueName((await inTurn.seat.sync()).due)).to.equal("act");
    expect(board.messages.filter(({ type }) => type === "agreement")).to.have.length(2);
  });

  it("an old agreement that its player broke is no draw later", async () => {
    const { inTurn, waiting } = await world.played(1);
    const { nonce, historyHash } = await inTurn.seat.sync();
    await waiting.seat.agree({ winner: Seat.None, nonce, historyHash });
    expect((await inTurn.seat.sync()).agreed!.winner).to.equal(Seat.None);
    await world.act(inTurn);
    const { agreed, due } = await inTurn.seat.sync();
    expect([agreed, dueName(due)]).to.deep.equal([undefined, "wait for opponent"]);
  });

  it("forcing every action on chain does not stop the game", async () => {
    const { inTurn, waiting, matchId } = await world.played(3);
    await postOld(inTurn, 1);
    await world.playOn([inTurn, waiting]);
    expect(isFinished(await world.statusOf(matchId))).to.equal(true);
  });

  it("a session key signs for one match, which the wallet's signature names", async () => {
    const { seats, matchId } = await world.played(2);
    const [{ client }] = seats;
    const key: Hex = `0x${"07".repeat(32)}`;
    const match = { chainId: 7777n, arena: world.addresses.Arena, matchId };
    const signer = sessionSigner(key, await appoint(client.signer, match, key));
    const request = stateRequest(7777n, world.addresses.Warmancer, stateBehind(matchId, seats[0].seat.transcript[0]));
    const players = [seats[0].client.address, seats[1].client.address] as const;
    const facts = { ...match, game: world.addresses.Warmancer, termsHash: digestOf(request), players, keys: [] };
    const signature = await signer.sign(request);
    const counts = (of: typeof facts, seat: bigint) => isSignedBy(digestOf(request), signature, signersOf(of, seat));
    expect(counts(facts, Seat.One)).to.equal(true);
    expect(counts(facts, Seat.Two)).to.equal(false);
    expect(counts({ ...facts, matchId: matchId + 1n }, Seat.One)).to.equal(false);
    expect(appointmentRequest(7777n, match.arena, matchId, client.address).value).to.have.keys("matchId", "key");
  });

  describe("given that both players stop acting", () => {
    it("a match away ends in a draw after its thirty days", async () => {
      const { waiting, matchId } = await world.played(5);
      await world.pass(WAITS);
      await world.send(waiting, "timeout");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
    });

    it("a match without any action also ends in a draw", async () => {
      const { waiting, matchId } = await world.played(0);
      await world.pass(WAITS);
      await world.send(waiting, "timeout");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
    });

    it("a match that was posted is won by the poster", async () => {
      const { inTurn, waiting, matchId } = await world.played(5);
      await world.post(waiting);
      await world.pass(WAITS);
      expect(dueName((await inTurn.seat.sync()).due)).to.equal("wait for opponent");
      await world.send(waiting, "timeout");
      expect(winnerBy(await world.statusOf(matchId))).to.equal(waiting.options.seat);
    });

    it("a match whose state was accepted is won by the player who is not on turn", async () => {
      const { inTurn, waiting, matchId } = await world.played(5);
      await world.post(waiting);
      const last = await world.playOn([inTurn, waiting], ({ phase }) => phase === "onChain");
      if (last.phase === "over") return;
      const [one, two] = [await inTurn.seat.sync(), await waiting.seat.sync()];
      const rests = one.due.type === "wait" ? inTurn : waiting;
      expect([one.due.type, two.due.type]).to.include("wait");
      await world.pass(WAITS);
      await world.send(rests, "timeout");
      expect(winnerBy(await world.statusOf(matchId))).to.equal(rests.options.seat);
    });

    it("a game that is over at the table, and that nobody settles, is a draw", async () => {
      const matchId = await world.begun();
      const seats = await world.both(matchId);
      await world.playOn(seats, (status) => status.winner !== undefined);
      await world.pass(WAITS);
      await world.send(seats[0], "timeout");
      expect(await world.statusOf(matchId)).to.equal(Status.Draw);
    });
  });
});
