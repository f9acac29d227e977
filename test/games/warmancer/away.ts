import { expect } from "chai";
import { concat, dataSlice, id, Interface } from "ethers";
import { History } from "../../../sdk/chain/history.js";
import { stockGame } from "../../../sdk/games/index.js";
import { act } from "../../../sdk/games/warmancer/act.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import { QUICK } from "../../../sdk/games/warmancer/mode.js";
import { replayMatch } from "../../../sdk/games/warmancer/replay.js";
import { stateHashIn, type State } from "../../../sdk/games/warmancer/state.js";
import { actionsOf, playedRecord, virtualRecord } from "../../../sdk/games/virtual-record.js";
import { Random } from "../../../sdk/laws/random.js";
import { tableHash } from "../../../sdk/protocol/away/table.js";
import { revertData } from "../../../sdk/chain/revert.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { otherSeat } from "../../../sdk/protocol/sides.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { Arena__factory } from "../../../typechain-types/index.js";
import { AwayWorld, type AwayTable } from "../../support/away-tables.js";

const warmancer = stockGame("warmancer");
const away = warmancer.away!;
const declared = Interface.from(warmancer.abi);

describe("Warmancer: the table of a match that is played away from the chain", () => {
  let world: AwayWorld;

  before(async () => {
    world = await AwayWorld.open();
  });

  /** Returns the error and its values with which the chain rejects an action; undefined if it accepts it. */
  async function refusedByChain({ matchId }: AwayTable, seat: bigint, data: Hex) {
    const { arena } = world.players[Number(seat) - 1];
    try {
      await arena.act.staticCall(matchId, data);
      return undefined;
    } catch (error) {
      const { name, args } = declared.parseError(revertData(error)!)!;
      return [name, ...(args.toArray() as unknown[]).map(String)];
    }
  }

  /** Returns the error and its values with which the engine rejects an action; undefined if it accepts it. */
  function refusedByEngine({ driver }: AwayTable, state: State, seat: bigint, data: Hex) {
    try {
      act({ ...driver.match, isAway: false }, state, seat, data, () => driver.state);
      return undefined;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      return [error.error, ...Object.values(error.values).map(String)];
    }
  }

  it("is laid by joining, and refuses what the contract refuses, by the same errors with the same values", async () => {
    const table = await (await world.join({ ...QUICK, away: true }, new Random("refusals"))).play(2);
    const joined = table.driver.sent[1].outcome.state;
    const seen = new Set<string>();
    const arena = Arena__factory.connect(world.addresses.Arena, world.provider);
    for (let posts = 0; posts < 3; posts++) {
      const standing = table.table!;
      const turn = standing.poster === Seat.None ? Seat.Either : otherSeat(standing.poster);
      const seat = turn === Seat.Either ? Seat.One : turn;
      const state: State = { ...joined, turn, table: standing };
      expect(await arena.positionOf(table.matchId))
        .to.equal(stateHashIn(state))
        .and.to.equal(tableHash(standing));
      const newer = await table.stateAt(2);
      const post = away.encodePost(standing, newer);
      const accept = away.encodeAccept(standing);
      const other = { ...standing, word: id("another") };
      const tried: Hex[] = [
        "0x",
        "0x07",
        "0x08",
        away.encodePost(standing),
        away.encodePost(other, newer),
        away.encodePost(standing, { ...newer, nonce: standing.nonce }),
        ...[0n, 3n, 255n].map((each) => away.encodePost(standing, { ...newer, nonce: 9, turn: each })),
        dataSlice(post, 0, 72),
        dataSlice(post, 0, 141),
        accept,
        away.encodeAccept(other),
        concat([accept, "0x00"]),
        table.moves[0].action,
        concat(["0x87", dataSlice(post, 1)]),
      ];
      for (const data of tried) {
        const refusal = await refusedByChain(table, seat, data);
        // Only the arena checks signatures.
        if (refusal?.[0] === "NotSigned") continue;
        expect(refusedByEngine(table, state, seat, data), data.slice(0, 4)).to.deep.equal(refusal);
        seen.add(refusal?.[0] ?? "none");
      }
      await table.post(seat, posts);
    }
    expect([...seen].sort()).to.include.members([
      ...["NobodysTurn", "NotNewer", "NotPosted", "WrongLength", "WrongRound", "WrongTable", "none"],
    ]);
  });

  it("gives back the very state of the game when it is accepted, and no table after that", async () => {
    const table = await (await world.join({ ...QUICK, away: true }, new Random("back"))).play(2);
    await table.post(Seat.Two, 1);
    const { table: standing, driver } = table;
    const state: State = { ...driver.sent[1].outcome.state, turn: Seat.One, table: standing };
    const known = driver.sent[2].outcome.state;
    const taken = act({ ...driver.match, isAway: false }, state, Seat.One, away.encodeAccept(standing!), () => known);
    expect(taken.state).to.equal(known);
    expect(taken.step.turn).to.equal(known.turn);
    await table.accept(false, 0);
    const again = away.encodeAccept(standing!);
    expect(await refusedByChain(table, known.turn, again)).to.deep.equal(
      refusedByEngine(table, known, known.turn, again),
    );
  });

  it("knows the commitment that was made at the table, with its note, once it is accepted", async () => {
    const table = await (await world.join({ ...QUICK, away: true }, new Random("note"))).play(1);
    await table.post(Seat.Two, 1);
    await world.players[0].act(table.matchId, away.encodeAccept(table.table!));
    const history = new History(world.provider, world.addresses);
    const record = await history.match(table.matchId);
    const [{ action }] = table.moves;
    const [root, made] = await warmancer.moves.pendingCommitments!(
      { ...record, transcript: table.moves },
      Seat.One,
      history,
    );
    expect(root.committed).to.equal(record.createData);
    expect(action.endsWith(made.committed.slice(2))).to.equal(true);
    expect(made.committed.length).to.be.greaterThan(66);
    expect((await warmancer.replay(record, history)).unshown).to.equal(true);
  });

  it("is played up to the result on which both have agreed, whatever is signed behind it", async () => {
    const table = await (await world.join({ ...QUICK, away: true }, new Random("end"))).play(3);
    const record = await new History(world.provider, world.addresses).match(table.matchId);
    const transcript = table.moves;
    const [first, second] = transcript;
    const agreed = { winner: Seat.None, until: 0n, signature1: "0x", signature2: "0x" } as const;
    const actionsUpTo = (end?: Hex) =>
      playedRecord({ ...record, transcript, ...(end && { agreement: { ...agreed, record: end } }) }, away)!.actions;
    expect(actionsUpTo()).to.deep.equal(actionsOf(transcript));
    expect(actionsUpTo(second.record)).to.deep.equal(actionsOf([first, second]));
    expect(actionsUpTo(first.base)).to.deep.equal([]);
  });

  it("is remembered as long as its match goes on, and not for ever without one", async () => {
    const table = await (await world.join({ ...QUICK, away: true }, new Random("remembered"))).play(3);
    const history = new History(world.provider, world.addresses);
    const virtual = virtualRecord(await history.match(table.matchId), actionsOf(table.moves));
    const once = await replayMatch(virtual, history);
    expect(await replayMatch(virtual, history)).to.equal(once);
    const others = Array.from({ length: 200 }, (_, i) => ({ ...virtual, matchId: 1000n + BigInt(i), actions: [] }));
    for (const other of others.slice(1)) await replayMatch(other, history);
    expect(await replayMatch(virtual, history)).to.equal(once);
    for (const other of others) await replayMatch(other, history);
    const again = await replayMatch(virtual, history);
    expect(again).to.not.equal(once);
    expect(await replayMatch(virtual, history)).to.equal(again);
    await table.settle(Seat.None);
    await replayMatch(await history.match(table.matchId), history);
    expect(await replayMatch(virtual, history)).to.not.equal(again);
  });
});
