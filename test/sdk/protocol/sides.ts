import { expect } from "chai";
import { awaitedSeat, hasSeat, isPlayerSeat, playerInTurn, seatOfPlayer } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";

const [ANN, BEN, EVE] = ["0xA1", "0xb2", "0xC3"];

describe("Seats", () => {
  it("are awaited in turn: first player 1 to fund, then player 2 to join, then the seat whose turn it is", () => {
    const { Created, P1Deposited, AllDeposited, AllJoined } = Status;
    const offered = [Created, P1Deposited, AllDeposited].map((status) => awaitedSeat({ status, turn: Seat.None }));
    expect(offered).to.deep.equal([Seat.One, Seat.Two, Seat.Two]);
    for (const turn of [Seat.One, Seat.Two]) {
      expect(awaitedSeat({ status: AllJoined, turn })).to.equal(turn);
    }
  });

  it("belong to the challenger immediately, to an opponent once its stake is paid, and to no other account", () => {
    const holders = (status: bigint) =>
      [ANN, BEN, EVE].map((each) => hasSeat(each, { status, player1: ANN, player2: BEN }));
    expect(holders(Status.P1Deposited)).to.deep.equal([true, false, false]);
    expect(holders(Status.AllDeposited)).to.deep.equal([true, true, false]);
  });

  it("are known by their players, and no other account has one", () => {
    const seats = [ANN, BEN, EVE].map((each) => seatOfPlayer(each, { player1: ANN, player2: BEN }));
    expect(seats).to.deep.equal([Seat.One, Seat.Two, Seat.None]);
    expect(seatOfPlayer(BEN, { player1: ANN })).to.equal(Seat.None);
    const inTurn = [Seat.One, Seat.Two].map((turn) => playerInTurn({ turn, player1: ANN, player2: BEN }));
    expect(inTurn).to.deep.equal([ANN, BEN]);
    expect([Seat.None, Seat.One, Seat.Two].map(isPlayerSeat)).to.deep.equal([false, true, true]);
  });
});
