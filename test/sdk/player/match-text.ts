import { expect } from "chai";
import { eventsOf, toldEvents } from "../../../sdk/player/match-events.js";
import { firmLines, gameText, shortClockOf, stateText } from "../../../sdk/player/match-text.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { recorded } from "../../support/recorded.js";

const UNIT = 10n ** 18n;
const token = { address: "0x01", symbol: "FIGHT", decimals: 18 };
const viewOf = (changes: Partial<MatchView>) => changes as MatchView;

describe("The text of a match's events", () => {
  it("describes the events in order, with the players' actions and payments", async () => {
    const { archive, matches } = await recorded();
    const { game, record } = matches.find((each) => each.game.name === "tic-tac-toe")!;
    const texts = await game.actionTexts!(record, archive);
    const events = await toldEvents(record, token, game, archive);
    const acted = record.actions.map(() => "acted");
    const names = ["created", ...record.funded.map(() => "funded"), "joined", ...acted, "settled"];
    expect(events.map(({ event }) => event)).to.deep.equal(names);
    expect(events[0].text).to.equal(
      `Match ${record.matchId} was offered by player 1, ${record.player1}, who ${texts[0]}.`,
    );
    const moves = events.filter(({ event }) => event === "acted");
    expect(moves.map(({ text }) => text)).to.deep.equal(
      record.actions.map(({ seat }, i) => `Player ${seat} ${texts[2 + i]}.`),
    );
    expect(moves.map(({ move }) => move)).to.deep.equal(record.actions.map(({ data }) => data));
  });

  it("omits the players' actions if the game is foreign or their data is invalid", async () => {
    const { archive, matches } = await recorded();
    const { game, record } = matches.find((each) => each.game.name === "mini-games")!;
    const unfit = ["0x00", `${record.joinData!}${"f6".repeat(8)}`].map((joinData) => ({ ...record, joinData }));
    const wrong = unfit.map((each) => ({ ...game, actionTexts: () => game.actionTexts!(each, archive) }));
    for (const each of [undefined, ...wrong]) {
      const events = await toldEvents(record, token, each, archive);
      expect(events).to.deep.equal(eventsOf(record, token));
      expect(events.find(({ event }) => event === "joined")!.text).to.equal(`Player 2, ${record.player2}, has joined.`);
    }
  });

  it("ends with the amounts in the token, and with ratings only if the match counts", async () => {
    const { matches } = await recorded();
    const [{ record }] = matches;
    const settlement = { status: Status.Draw, paid1: UNIT, paid2: UNIT / 2n, house: 0n, rating1: 0n, rating2: 0n };
    const last = (changes: object) =>
      eventsOf({ ...record, settlement: { ...settlement, ...changes } }, token).at(-1)!.text;
    const paid = "It is over: draw. Paid: 1 FIGHT to player 1, 0.5 FIGHT to player 2, 0 FIGHT to the house.";
    expect(last({})).to.equal(paid);
    expect(last({ rating1: 1016n, rating2: 984n })).to.equal(`${paid} Ratings: 1016 and 984.`);
  });
});

describe("The description of a match", () => {
  it("names the game, any mode that is not the default, and how far both are to be trusted", () => {
    const terms = { game: "0x0a" } as MatchView["terms"];
    const names = [
      { game: "pistols", trust: "stock", mode: "default" },
      { game: "mini-games", trust: "stock", mode: "coin" },
      { game: "nim", trust: "listed", mode: undefined },
      { trust: "foreign" },
    ] as const;
    expect(names.map((each) => gameText({ game: undefined, mode: undefined, ...each, terms }))).to.deep.equal([
      "pistols",
      "mini-games coin",
      "nim (of your own list) (mode not stock)",
      "0x0a (not stock)",
    ]);
  });

  it("states how an offer ended if the events are known", () => {
    const view = { status: Status.P1Canceled };
    expect([stateText(view), stateText(view, {}), stateText(view, { declinedBy: "0x02" })]).to.deep.equal([
      "offer withdrawn, declined or lapsed",
      "offer withdrawn or lapsed",
      "offer declined",
    ]);
  });

  it("explains a firm offer until both seats are taken", () => {
    const firm = { firm: true, status: Status.P1Deposited, deadline: 0n, player2: "0x02" };
    const [line] = firmLines(viewOf(firm));
    expect(line).to.match(/^Player 1 cannot cancel .* Player 2 may join in one step, or decline/);
    expect(firmLines(viewOf({ ...firm, status: Status.Created }))[0]).to.contain("once player 1 has funded");
    expect(firmLines(viewOf({ ...firm, player2: undefined }))[0]).to.contain("Anyone may fund the other seat");
    for (const other of [{ firm: false }, { status: Status.AllDeposited }]) {
      expect(firmLines(viewOf({ ...firm, ...other }))).to.deep.equal([]);
    }
  });

  it("warns of a clock with less than a fifth left, but not of an expired clock", () => {
    const view = viewOf({ turn: Seat.One, deadline: 1000n, terms: { clock: 100n } as MatchView["terms"] });
    const times = [980n, 981n, 1000n, 1001n];
    expect(times.map((now) => shortClockOf(view, now))).to.deep.equal([undefined, 19n, 0n, undefined]);
    expect(shortClockOf({ ...view, turn: Seat.None }, 990n)).to.equal(undefined);
  });
});
