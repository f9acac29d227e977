import { expect } from "chai";
import { restSeconds } from "../../sdk/chain/finality.js";
import { MemoryAwayLog } from "../../sdk/player/away/log.js";
import type { AwayAgreement } from "../../sdk/protocol/away/messages.js";
import { agreementRequest, NEVER } from "../../sdk/protocol/away/signatures.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { awayWorld, Board, CLOCK, dueName, expectError, type AwayWorld } from "../support/away-world.js";

const DAY = 86_400n;

describe("attacks by agreements and posts at the table", () => {
  let world: AwayWorld;

  before(async () => {
    world = await awayWorld();
  });
  beforeEach(() => world.reset());
  after(() => world.connection.close());

  /** Signs an agreement by hand as player 2. */
  async function halfOfTwo(
    matchId: bigint,
    { winner, until, record, nonce }: { winner: bigint; until: bigint; record: Hex; nonce: number },
  ): Promise<AwayAgreement> {
    const { terms } = await world.historyNow().match(matchId);
    const agreed = { matchId, termsHash: termsHash(terms), winner, until, record };
    const { domain, types, value } = agreementRequest(7777n, world.addresses.Arena, agreed);
    const signature = await world.player(Seat.Two).signer.signTypedData(domain, types, value);
    return { type: "agreement", seat: Seat.Two, winner, until, record, nonce, signature };
  }

  /** Plays up to the answer to player 1's second commitment, which it does not get. */
  async function answered() {
    for (;;) {
      const matchId = await world.begun();
      const board = new Board();
      const [one, two] = await world.both(matchId, board);
      // A commitment, its answer, a reveal with the next commitment.
      for (const each of [one, two, one]) await world.carryOut(each, await each.seat.sync());
      const shown = board.messages.length;
      await world.carryOut(two, await two.seat.sync());
      // A game of chance may be over before.
      if (two.seat.status.winner === undefined) return { matchId, board, one, held: board.messages.splice(shown) };
    }
  }

  it("fails to have a second half signed in place of the one that was seen", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const { historyHash, nonce, time } = await one.seat.sync();
    await one.seat.ask(Seat.None);
    await board.put(await halfOfTwo(matchId, { winner: Seat.None, until: time + 500n, record: historyHash, nonce }));
    const { due } = await one.seat.sync();
    if (due.type !== "settle") throw new Error(dueName(due));
    await board.put(await halfOfTwo(matchId, { winner: Seat.Two, until: NEVER, record: historyHash, nonce }));
    const { agreement, signatures } = await one.seat.settlement(due.agreed);
    expect(agreement.winner).to.equal(Seat.None);
    await world.player(Seat.Two).settle(agreement, signatures);
    expect(await world.statusOf(matchId)).to.equal(Status.Draw);
  });

  it("fails to hide an agreement behind others that nobody wants", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const { historyHash, nonce, time } = await one.seat.sync();
    await one.seat.ask(Seat.None);
    await board.put(await halfOfTwo(matchId, { winner: Seat.None, until: time + 500n, record: historyHash, nonce }));
    for (let i = 1n; i <= 20n; i++) {
      await board.put(
        await halfOfTwo(matchId, { winner: Seat.Two, until: time + 500n + i, record: historyHash, nonce }),
      );
    }
    const { due, agreed } = await one.seat.sync();
    expect(dueName(due)).to.equal("settle");
    expect(agreed!.winner).to.equal(Seat.None);
  });

  it("fails to have a proposal of an earlier position taken for one of the present", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const two = await world.open(matchId, Seat.Two, [board]);
    const { nonce } = await one.seat.sync();
    await one.seat.ask(Seat.None);
    for (const each of [one, two]) await world.act(each);
    const now = await one.seat.sync();
    const half = { winner: Seat.None, until: now.time + 500n, record: now.historyHash, nonce };
    await board.put(await halfOfTwo(matchId, half));
    const { due, agreed } = await one.seat.sync();
    expect([dueName(due), agreed?.winner]).to.deep.equal(["act", Seat.None]);
  });

  it("fails to keep a result in reserve by an agreement that holds for long", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const { historyHash, nonce } = await one.seat.sync();
    await one.seat.ask(Seat.None);
    await board.put(await halfOfTwo(matchId, { winner: Seat.None, until: NEVER, record: historyHash, nonce }));
    const { due, agreed, time } = await one.seat.sync();
    expect([dueName(due), agreed?.until]).to.deep.equal(["act", NEVER]);
    await expectError(one.seat.settlement(agreed!), "keep this result in reserve for more than ten minutes");
    const usual = time + 500n;
    await board.put(await halfOfTwo(matchId, { winner: Seat.None, until: usual, record: historyHash, nonce }));
    expect((await one.seat.sync()).due).to.deep.include({ type: "settle" });
    const { ownAgreed } = await one.seat.agree({ winner: Seat.None, nonce, historyHash });
    expect(ownAgreed!.until).to.equal(usual);
  });

  it("fails to bind a seat by half of an agreement, whatever is signed, withheld or killed afterwards", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const { historyHash, nonce, time } = await one.seat.sync();
    await one.seat.ask(Seat.None);
    await board.put(await halfOfTwo(matchId, { winner: Seat.None, until: time + 600n, record: historyHash, nonce }));
    const { due } = await one.seat.sync();
    if (due.type !== "settle") throw new Error(dueName(due));
    await one.seat.settlement(due.agreed);
    // It was not sent; another one that holds longer takes no place of the first, nor do any others.
    for (let i = 1n; i <= 20n; i++) {
      await board.put(
        await halfOfTwo(matchId, { winner: Seat.None, until: time + 600n + i, record: historyHash, nonce }),
      );
      await board.put(
        await halfOfTwo(matchId, { winner: Seat.Two, until: time + 600n + i, record: historyHash, nonce }),
      );
    }
    expect((await one.seat.sync()).due).to.deep.include({ type: "settle", agreed: due.agreed });
    board.messages.length = 0;
    const again = await world.reopened(one);
    expect((await again.seat.sync()).due).to.deep.include({ type: "settle", agreed: due.agreed });
    await world.send(again, "settle");
    expect(await world.statusOf(matchId)).to.equal(Status.Draw);
  });

  it("fails to take a seat's whole clock by the result for good that it has signed", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    const two = await world.open(matchId, Seat.Two, [board]);
    const seats = [one, two];
    const { winner } = await world.playOn(seats, (status) => status.winner !== undefined);
    const [won, lost] = winner === Seat.One ? [one, two] : [two, one];
    const { due } = await lost.seat.sync();
    if (due.type !== "agree") throw new Error(dueName(due));
    await lost.seat.agree(due.proposal);
    expect(dueName((await lost.seat.sync()).due)).to.equal("wait for settlement");
    const alone = await world.reopened({
      ...won,
      options: { ...won.options, log: new MemoryAwayLog(), transports: [] },
    });
    await world.post(alone);
    await world.send(lost, "supersede");
  });

  it("fails to keep a seat from posting by agreements that end at once", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    await world.carryOut(one, await one.seat.sync());
    const { deadline, historyHash, nonce, time } = await one.seat.sync();
    await board.put(await halfOfTwo(matchId, { winner: Seat.One, until: time + 3n, record: historyHash, nonce }));
    expect(dueName((await one.seat.sync()).due)).to.equal("wait for opponent");
    await world.networkHelpers.time.increaseTo(deadline - DAY);
    await board.put(
      await halfOfTwo(matchId, { winner: Seat.One, until: deadline - DAY + 600n, record: historyHash, nonce }),
    );
    expect(dueName((await one.seat.sync()).due)).to.equal("post");
  });

  it("fails to have a seat show its move while its post of an older state is under way", async () => {
    const { matchId, board, one, held } = await answered();
    const data = await one.seat.post();
    board.messages.push(...held);
    expect(dueName((await one.seat.sync()).due)).to.equal("post");
    const refusal = await one.seat.act(undefined).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    expect(refusal).to.equal("There is no turn to take at the table: what is due is to post.");
    // Also if the program was killed meanwhile.
    const again = await world.reopened(one);
    expect(dueName((await again.seat.sync()).due)).to.equal("post");
    await world.player(Seat.One).act(matchId, data);
    expect((await again.seat.sync()).phase).to.equal("posted");
  });

  it("fails to have a post forgotten that may be under way by a second one that was not sent", async () => {
    const matchId = await world.begun();
    const one = await world.open(matchId, Seat.One, [new Board()]);
    await one.seat.sync();
    for (let posts = 0; posts < 2; posts++) await one.seat.post();
    expect(dueName((await one.seat.dropPost()).due)).to.equal("post");
    const again = await world.reopened(one);
    expect(dueName((await again.seat.sync()).due)).to.equal("post");
    // Nobody knows what became of a post of another program.
    expect(dueName((await again.seat.dropPost()).due)).to.equal("post");
  });

  it("fails to win by the clock with a post that comes before joining is final", async () => {
    world.finality.block = (await world.provider.getBlock("latest"))!.number;
    const matchId = await world.begun();
    const bob = await world.open(matchId, Seat.One, []);
    const alice = await world.open(matchId, Seat.Two, []);
    // Whoever posts need not care for finality.
    const final = world.finality.block;
    world.finality.block = undefined;
    await bob.seat.sync();
    const data = await bob.seat.post();
    world.finality.block = final;
    await bob.client.act(matchId, data);
    const { due, deadline, time } = await alice.seat.sync();
    expect(dueName(due)).to.equal("wait for finality");
    await world.pass(deadline - time - BigInt(restSeconds(CLOCK)));
    const hurried = await alice.seat.sync();
    expect(dueName(hurried.due)).to.equal("accept");
    await expectError(alice.seat.ask(Seat.None), "Nothing is signed before joining is final");
    await world.carryOut(alice, hurried);
    const { turn } = await bob.client.arena.matchOf(matchId);
    expect(turn).to.equal(Seat.One);
    expect((await alice.seat.sync()).phase).to.equal("joining");
    world.finality.block = undefined;
    expect((await alice.seat.sync()).phase).to.equal("onChain");
  });

  it("lets a seat go on at the table whose post was certainly not sent", async () => {
    const matchId = await world.begun();
    const board = new Board();
    const one = await world.open(matchId, Seat.One, [board]);
    await one.seat.sync();
    await one.seat.post();
    expect(dueName((await one.seat.dropPost()).due)).to.equal("act");
    expect(dueName((await (await world.reopened(one)).seat.sync()).due)).to.equal("act");
  });
});
