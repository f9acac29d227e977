import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import { MatchState } from "../../../sdk/chain/match-state.js";
import { AWAY_SECONDS } from "../../../sdk/protocol/away/signatures.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { COIN } from "../../../sdk/protocol/terms.js";

const [PLAYER_1, PLAYER_2] = [1, 2].map((n) => `0x${String(n).repeat(40)}`);
const CLOCK = 3_200n;
/** Seconds that each action gives back to the clock. */
const INCREMENT = 100n;

/** Returns the state of a match that player 2 has joined at 1,000 seconds. @param turn First seat in turn. */
function joined(turn: bigint): MatchState {
  const game = `0x${"3".repeat(40)}`;
  const terms = { game, stake1: 0n, token: COIN, stake2: 0n, mode: ZeroHash, clock: CLOCK, feeBps: 0n, rated: true };
  const created = {
    matchId: 1n,
    player1: PLAYER_1,
    opponent: ZeroAddress,
    termsHash: ZeroHash,
    firmUntil: 0n,
  } as const;
  const state = new MatchState(terms, { ...created, funded: true, data: "0x" }, 0n);
  const funded = { args: { seat: Seat.Two, player: PLAYER_2 }, transaction: ZeroHash };
  state.applyFunded(funded, 500n);
  state.applyJoined(1_000n);
  state.applyFirstTurn(turn);
  return state;
}

describe("State of a match that waits for either player", () => {
  it("given a match that is away from joining on, it has thirty days", () => {
    expect(joined(Seat.Either).deadline).to.equal(1_000n + AWAY_SECONDS);
  });

  it("when a player posts, both clocks are full, and run as in any match from then on", () => {
    const state = joined(Seat.Either);
    state.applyActed(Seat.One, 900_000n, Seat.Two);
    expect([state.turn, state.deadline, state.reserve]).to.deep.equal([Seat.Two, 900_000n + CLOCK, CLOCK]);
    state.applyActed(Seat.Two, 901_000n, Seat.One);
    expect([state.deadline, state.reserve]).to.deep.equal([901_000n + CLOCK, CLOCK - 1_000n + INCREMENT]);
  });

  it("given clocks that have run, when a match has waited for either player, both are full again", () => {
    const state = joined(Seat.One);
    state.applyActed(Seat.One, 3_000n, Seat.Two);
    expect(state.reserve).to.equal(CLOCK - 2_000n + INCREMENT);
    state.applyActed(Seat.Two, 3_500n, Seat.Either);
    expect(state.deadline).to.equal(3_500n + AWAY_SECONDS);
    state.applyActed(Seat.Two, 5_000n, Seat.One);
    expect([state.deadline, state.reserve]).to.deep.equal([5_000n + CLOCK, CLOCK]);
  });

  it("when thirty days pass, the draw does not count for the ladder", () => {
    const draw = { status: Status.Draw, rating1: 0n, rating2: 0n };
    expect(joined(Seat.Either).applySettled(draw, true)).to.equal(false);
    expect(joined(Seat.Either).applySettled(draw)).to.equal(true);
  });
});
