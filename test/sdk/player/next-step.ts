import { expect } from "chai";
import { stockGame } from "../../../sdk/games/index.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { isFor, nextStep } from "../../../sdk/player/next-step.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";

describe("The next step of a match", () => {
  const [one, two] = ["0x01", "0x02"];
  const view = (changes: Partial<MatchView>) =>
    ({ matchId: 7n, player1: one, player2: two, turn: Seat.None, deadline: 100n, ...changes }) as MatchView;
  const stepOf = (name: string, changes: Partial<MatchView>, now = 50n) =>
    nextStep(view(changes), stockGame(name), now);

  it("is, for each status, the action of the player for whom the match waits", () => {
    const until = 100n;
    const steps: [string, Partial<MatchView>, object][] = [
      ["pistols", { status: Status.Created }, { player: one, action: "fund", until }],
      ["pistols", { status: Status.P1Deposited }, { player: two, action: "join", until }],
      ["pistols", { status: Status.P1Deposited, player2: undefined }, { player: undefined, action: "join", until }],
      ["pistols", { status: Status.AllDeposited }, { player: two, action: "join", until }],
      ["pistols", { status: Status.AllJoined, turn: Seat.One }, { player: one, action: "act", until }],
      ["guardians", { status: Status.AllJoined, turn: Seat.One }, { player: one, action: "reveal", until }],
      ["tic-tac-toe", { status: Status.AllJoined, turn: Seat.Two }, { player: two, action: "act", until }],
      ["pistols", { status: Status.Draw }, { action: "replay" }],
    ];
    for (const [name, changes, step] of steps) expect(stepOf(name, changes)).to.deep.equal(step);
    expect(nextStep(view({ status: Status.Created }), undefined, 50n)).to.equal(undefined);
  });

  it("is a timeout after the deadline, for the player whom the timeout pays", () => {
    const timeout = (player: string) => ({ player, action: "timeout" });
    for (const [changes, player] of [
      [{ status: Status.P1Deposited }, one],
      [{ status: Status.AllDeposited }, one],
      [{ status: Status.AllJoined, turn: Seat.One }, two],
      [{ status: Status.AllJoined, turn: Seat.Two }, one],
    ] as const) {
      expect(stepOf("pistols", changes, 101n)).to.deep.equal(timeout(player));
      expect(stepOf("pistols", changes, 100n)!.action).not.to.equal("timeout");
    }
  });

  it("belongs only to the named player, or if no player is named, to anyone except the challenger", () => {
    const open = view({ status: Status.P1Deposited, player2: undefined });
    const step = nextStep(open, stockGame("pistols"), 50n)!;
    expect([two, one, undefined].map((viewer) => isFor(step, viewer, open))).to.deep.equal([true, false, false]);
    const named = { ...step, player: two };
    expect([two, one, "0x03"].map((viewer) => isFor(named, viewer, open))).to.deep.equal([true, false, false]);
  });
});
