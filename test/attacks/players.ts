import { expect } from "chai";
import { COIN, HOUR, loadFixture, Seat, Status, step, time, UNIT } from "../support/index.js";
import { attacked, changing, encode, sendWithData, type Attacked } from "../support/attacked.js";
import { inPlay, offered, taken, type Match } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { ACCEPTED, expectRefused, FREE, outcomeOf } from "../support/refusals.js";

describe("Known attacks: players", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("when a pending answer is visible", () => {
    type Move = "cancel" | "decline" | "fund" | "join" | "send" | "second account funds" | "second account joins";
    const send = (match: Match, move: Move) => {
      const { arena, alice, bob, carol } = w;
      if (move === "decline") return arena.connect(bob).decline(match.id, FREE);
      if (move === "cancel") return arena.connect(alice).cancel(match.id, FREE);
      if (move === "fund") return arena.connect(bob).fund(match.id, match.hash, FREE);
      if (move === "join") return arena.connect(bob).join(match.id, match.hash, step(Seat.One), FREE);
      if (move === "send") return sendWithData(w, bob, 10n * UNIT, fundOrder(match.id, match.hash));
      if (move === "second account funds") return arena.connect(carol).fund(match.id, match.hash, FREE);
      return arena.connect(carol).join(match.id, match.hash, step(Seat.One), FREE);
    };
    const ordersOf = (moves: Move[]): Move[][] =>
      moves.length < 2
        ? [moves]
        : moves.flatMap((move) => ordersOf(moves.filter((m) => m !== move)).map((rest) => [move, ...rest]));
    /** Sends calls in order; returns the names of the errors, or ACCEPTED. */
    const outcome = async (match: Match, moves: Move[]): Promise<string[]> => {
      const outcomes: string[] = [];
      for (const move of moves) {
        const [name] = (await outcomeOf(w, send(match, move))).split("(");
        outcomes.push(name);
      }
      return outcomes;
    };

    for (const firmFor of [undefined, HOUR]) {
      it(`exactly one of declining, taking the seat and cancelling succeeds in every order: a ${firmFor ? "firm" : "soft"} offer`, async () => {
        for (const seat of ["fund", "send", ...(firmFor ? (["join"] as const) : [])] as const) {
          for (const order of ordersOf(["decline", seat, "cancel"])) {
            const match = await offered(w, { firmFor, opponent: w.bob });
            const results = await outcome(match, order);
            const isDone = (move: Move) => !firmFor || move !== "cancel";
            const first = order.findIndex(isDone);
            const expected = order.map((_, i) => (i === first ? ACCEPTED : i < first ? "OfferIsFirm" : "WrongStatus"));
            expect(results, order.join(", ")).to.deep.equal(expected);
            const { status } = await w.arena.matchOf(match.id);
            const taken = order[first] === "join" ? Status.AllJoined : Status.AllDeposited;
            expect(status).to.equal(order[first] === seat ? taken : Status.P1Canceled);
            if (status === Status.P1Canceled) continue;
            // Player 2 gets back the stake for the next order.
            await time.increase(2n * HOUR);
            await w.arena.timeout(match.id);
          }
        }
      });
    }

    type Race = { firmFor?: bigint; named?: boolean; funded?: boolean };
    const races: [string, Race, Move[], Record<string, string[]>][] = [
      [
        "a soft offer to anyone",
        {},
        ["cancel", "fund", "join"],
        {
          "cancel, fund, join": [ACCEPTED, "WrongStatus", "WrongStatus"],
          "cancel, join, fund": [ACCEPTED, "WrongStatus", "WrongStatus"],
          "fund, cancel, join": [ACCEPTED, "WrongStatus", ACCEPTED],
          "fund, join, cancel": [ACCEPTED, ACCEPTED, "WrongStatus"],
          "join, cancel, fund": ["FundFirst", ACCEPTED, "WrongStatus"],
          "join, fund, cancel": ["FundFirst", ACCEPTED, "WrongStatus"],
        },
      ],
      [
        "a firm offer to a named opponent",
        { firmFor: HOUR, named: true },
        ["cancel", "join", "second account joins"],
        {
          "cancel, join, second account joins": ["OfferIsFirm", ACCEPTED, "WrongStatus"],
          "cancel, second account joins, join": ["OfferIsFirm", "NotTheOpponent", ACCEPTED],
          "join, cancel, second account joins": [ACCEPTED, "WrongStatus", "WrongStatus"],
          "join, second account joins, cancel": [ACCEPTED, "WrongStatus", "WrongStatus"],
          "second account joins, cancel, join": ["NotTheOpponent", "OfferIsFirm", ACCEPTED],
          "second account joins, join, cancel": ["NotTheOpponent", ACCEPTED, "WrongStatus"],
        },
      ],
      [
        "a firm offer to anyone",
        { firmFor: HOUR },
        ["join", "cancel", "second account funds"],
        {
          "join, cancel, second account funds": ["FundFirst", "OfferIsFirm", ACCEPTED],
          "join, second account funds, cancel": ["FundFirst", ACCEPTED, "WrongStatus"],
          "cancel, join, second account funds": ["OfferIsFirm", "FundFirst", ACCEPTED],
          "cancel, second account funds, join": ["OfferIsFirm", ACCEPTED, "NotTheOpponent"],
          "second account funds, join, cancel": [ACCEPTED, "NotTheOpponent", "WrongStatus"],
          "second account funds, cancel, join": [ACCEPTED, "WrongStatus", "NotTheOpponent"],
        },
      ],
      [
        "an offer whose seat is already funded",
        { funded: true },
        ["join", "cancel", "second account funds", "second account joins"],
        {},
      ],
    ];
    for (const [what, { firmFor, named, funded }, moves, table] of races) {
      it(`an accepted answer cannot be undone by cancelling or by seating a second account, in any order: ${what}`, async () => {
        for (const order of ordersOf(moves)) {
          const match = await offered(w, { firmFor, opponent: named ? w.bob : undefined });
          if (funded) await send(match, "fund");
          const results = await outcome(match, order);
          const expected = funded
            ? order.map((move, i) => {
                if (move === "join") return ACCEPTED;
                return move === "second account joins" && i < order.indexOf("join") ? "NotTheOpponent" : "WrongStatus";
              })
            : table[order.join(", ")];
          expect(results, order.join(", ")).to.deep.equal(expected);
          // An accepted answer cannot be undone, so the match with Bob is in play.
          if (results[order.indexOf("join")] === ACCEPTED) {
            const { status, player2 } = await w.arena.matchOf(match.id);
            expect([status, player2]).to.deep.equal([Status.AllJoined, w.bob.address]);
          }
        }
      });
    }

    it("an answer is refused at the timestamp at which the seat was taken", async () => {
      const { id, hash } = await offered(w, { token: COIN, stake1: 1n, stake2: 1n });
      const calls = [await encode(w, "fund", [id, hash]), await encode(w, "join", [id, hash, step(Seat.One)])];
      await expectRefused(w, () => w.puppet.runAll(w.arena, calls, FREE), "JoinTooSoon");
    });
  });

  describe("when players take seats", () => {
    it("a player cannot join twice or overwrite a seat (CodeHawks RPS H-01)", async () => {
      const { arena, alice, bob, carol } = w;
      const { id, hash } = await taken(w);
      for (const player of [bob, carol]) {
        await expectRefused(w, () => arena.connect(player).fund(id, hash, FREE), "WrongStatus", [id, 2]);
      }
      await expectRefused(w, () => arena.connect(alice).fund(id, hash, FREE), "WrongStatus", [id, 2]);
      await expectRefused(w, () => arena.connect(alice).join(id, hash, "0x", FREE), "OwnOpponent", [alice]);
      await arena.connect(bob).join(id, hash, step(Seat.One));
      for (const player of [alice, bob, carol]) {
        await expectRefused(w, () => arena.connect(player).join(id, hash, step(Seat.Two), FREE), "WrongStatus", [
          id,
          3,
        ]);
        await expectRefused(w, () => arena.connect(player).fund(id, hash, FREE), "WrongStatus", [id, 3]);
      }
    });

    it("a match cannot be resolved with the same player twice, because functions take a match's id and no player (Cheeze Wizards)", async () => {
      const moves = ["fund", "join", "act", "cancel", "decline", "resign", "timeout"];
      const naming = changing(w.arena).filter(({ inputs }) => inputs.some(({ baseType }) => baseType === "address"));
      expect(naming.map(({ name }) => name).filter((name) => moves.includes(name))).to.deep.equal([]);
      for (const name of moves) expect(w.arena.interface.getFunction(name as "act").inputs[0].name).to.equal("matchId");
      // If a player approves the opponent, one person can act for both seats. Each seat still acts only on its turn,
      // and is paid separately.
      const { arena, alice, bob } = w;
      await arena.connect(bob).allow(alice, 2n ** 40n - 1n);
      const { id } = await inPlay(w, {}, Seat.Two);
      await arena.connect(alice).act(id, step(Seat.None, Seat.Two));
      await expectRefused(w, () => arena.connect(alice).act(id, step(Seat.None, Seat.One), FREE), "WrongStatus", [
        id,
        7,
      ]);
      expect(await arena.purseOf(bob, w.fight)).to.equal(1006n * UNIT);
    });

    it("a player cannot take both seats", async () => {
      const { arena, alice } = w;
      const { id, hash, terms } = await offered(w);
      await expectRefused(w, () => arena.connect(alice).fund(id, hash, FREE), "OwnOpponent", [alice]);
      await expectRefused(w, () => arena.connect(alice).join(id, hash, "0x", FREE), "OwnOpponent", [alice]);
      await expectRefused(w, () => arena.connect(alice).create(terms, alice, 0, "0x", FREE), "OwnOpponent", [alice]);
    });
  });

  describe("when the clock runs (CodeHawks RPS H-04, H-05)", () => {
    const at = (send: () => Promise<unknown>, second: bigint) => async () => {
      await time.setNextBlockTimestamp(second);
      return send();
    };

    it("resigning after the deadline fails", async () => {
      const { arena, alice, bob } = w;
      for (const player of [alice, bob]) {
        const { id } = await inPlay(w);
        const { deadline } = await arena.matchOf(id);
        const resign = () => arena.connect(player).resign(id, FREE);
        await expectRefused(w, at(resign, deadline + 1n), "TooLate", [id, deadline, deadline + 1n]);
      }
    });

    it("no match can be timed out because of a zero deadline: every existing match has a real deadline", async () => {
      const { arena, stranger } = w;
      const timeout = (id: bigint) => arena.connect(stranger).timeout(id, FREE);
      for (const begin of [
        () => offered(w, { stake1: 5000n * UNIT }),
        () => offered(w),
        () => taken(w),
        () => inPlay(w, { clock: 60n }),
      ]) {
        const { id } = await begin();
        const { deadline } = await arena.matchOf(id);
        expect(deadline >= BigInt(await time.latest()) + 60n).to.equal(true);
        await expectRefused(w, () => timeout(id), "TooEarly");
        await expectRefused(w, () => timeout(id + 1n), "UnknownMatch", [id + 1n]);
      }
    });

    it("timing out at the exact second of the deadline fails in every waiting status", async () => {
      const { arena, stranger } = w;
      const unfunded = { stake1: 5000n * UNIT };
      for (const begin of [() => offered(w, unfunded), () => offered(w), () => taken(w), () => inPlay(w)]) {
        const { id } = await begin();
        const { deadline } = await arena.matchOf(id);
        const timeout = () => arena.connect(stranger).timeout(id, FREE);
        await expectRefused(w, at(timeout, deadline), "TooEarly", [id, deadline, deadline]);
        await at(timeout, deadline + 1n)();
        await expectRefused(w, timeout, "WrongStatus", [id, await arena.statusOf(id)]);
      }
    });

    it("timing out after the deadline of an earlier phase fails while the current deadline has not passed", async () => {
      const { arena, alice, bob, stranger } = w;
      const timeout = (id: bigint) => () => arena.connect(stranger).timeout(id, FREE);
      const { id, hash } = await offered(w, { firmFor: 600n });
      const offer = (await arena.matchOf(id)).deadline;
      await at(() => arena.connect(bob).fund(id, hash), offer)();
      await expectRefused(w, at(timeout(id), offer + 1n), "TooEarly", [id, offer + HOUR, offer + 1n]);
      await at(() => arena.connect(bob).join(id, hash, step(Seat.One)), offer + HOUR)();
      await expectRefused(w, at(timeout(id), offer + HOUR + 1n), "TooEarly");
      const play = (await arena.matchOf(id)).deadline;
      await at(() => arena.connect(alice).act(id, step(Seat.Two)), play)();
      await expectRefused(w, at(timeout(id), play + 1n), "TooEarly");
    });
  });
});
