import { expect } from "chai";
import { games } from "../../../sdk/games/index.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { encodeResult } from "../../../sdk/games/pistols/log.js";
import { foresee, stateOf } from "../../../sdk/games/pistols/replay.js";
import { frozenStandings } from "../../../sdk/games/pistols/records.js";
import { encodeState } from "../../../sdk/games/pistols/state.js";
import { pistolsGame } from "../../../sdk/games/pistols/index.js";
import { Archive } from "../../../sdk/chain/archive.js";
import { History } from "../../../sdk/chain/history.js";
import { NO_DUELS, standingOf } from "../../../sdk/games/pistols/honour.js";
import { turnOf, type SecretStore } from "../../../sdk/games/moves.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { mismatchText } from "../../../sdk/protocol/mismatch.js";
import { replay } from "../../../sdk/verify/replay.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { decodeAnswer, encodeAnswer } from "../../../sdk/protocol/commit-reveal.js";
import { Pistols__factory } from "../../../typechain-types/index.js";
import {
  armed,
  MatchDriver,
  NOBODY,
  endsAtOnce,
  FLEE,
  goesOn,
  IDLE,
  LIGHTS,
  type Arms,
  type Plan,
} from "../../support/pistols.js";
import { deployMock, ethers, loadFixture, offerHashOf, Seat, time } from "../../support/index.js";
import { inOneBlock } from "../../support/one-block.js";

/** Deploys a second pistols game for the same arena. */
const otherPistols = async ({ arena }: Arms) => (await deployMock("Pistols", arena)).getAddress();
const plain = (text: string) => text;

describe("Pistols: replay", () => {
  let arms: Arms;
  let history: History;

  beforeEach(async () => {
    arms = await loadFixture(armed);
    const { arena, fight, fighters, autoBattler, pistols } = arms;
    const entries = { Arena: arena, FightToken: fight, Fighters: fighters, AutoBattler: autoBattler, Pistols: pistols };
    const named = Object.entries(entries).map(async ([name, each]) => [name, await each.getAddress()] as const);
    history = new History(ethers.provider, Object.fromEntries(await Promise.all(named)) as unknown as Addresses);
  });

  const recordOf = (driver: MatchDriver) => history.match(driver.id);

  /** Plays duels, one of them unrated, in which alice is villainous and bob honourable. Returns the honours of both. */
  async function past(): Promise<Plan["honours"]> {
    await MatchDriver.played(arms, { paces: [2, 9], wanted: endsAtOnce });
    await MatchDriver.played(arms, {
      paces: [10, 1],
      wanted: endsAtOnce,
      honours: [[20], [90]],
      terms: { rated: false },
    });
    const players = [arms.bob, arms.alice] as const;
    await MatchDriver.played(arms, { paces: [8, 3], wanted: endsAtOnce, honours: [[90], [20]], players });
    return [
      [20, 30],
      [90, 80],
    ];
  }

  it("computes the honour that a match freezes in a block in which other duels of its players end", async () => {
    const { arena, alice, bob, carol } = arms;
    const ending = await MatchDriver.played(arms, { players: [bob, alice], wanted: endsAtOnce }, 2);
    const other = await MatchDriver.played(arms, { players: [bob, carol], wanted: endsAtOnce }, 2);
    const joined = await MatchDriver.played(arms, { players: [carol, bob] }, 1);
    const created = await MatchDriver.plan(arms, { players: [bob, carol] });
    const answer = [joined.id, await offerHashOf(arena, joined.id), joined.answerData(1)] as const;
    const firm = (await time.latest()) + 3600;
    await inOneBlock([
      (fees) => arena.connect(bob).act(ending.id, ending.revealData(1), fees),
      (fees) => arena.connect(bob).act(other.id, other.revealData(1), fees),
      (fees) => arena.connect(bob).join(...answer, fees),
      (fees) => arena.connect(bob).create(created.terms, carol, firm, created.commitment(1), fees),
    ]);
    const newcomer = standingOf(NO_DUELS);
    for (const source of [history, await Archive.read(ethers.provider, history.addresses)]) {
      expect(await frozenStandings(await recordOf(joined), source)).to.deep.equal([newcomer, newcomer]);
      expect((await frozenStandings(await recordOf(created), source))[0]).to.deep.equal(newcomer);
    }
    await joined.reveal();
    for (const source of [history, await Archive.read(ethers.provider, history.addresses)]) {
      expect((await replay(source, games, joined.id)).mismatch).to.equal(undefined);
    }
  });

  it("reports matches of one and two rounds as identical, whatever duels came before", async () => {
    const honours = await past();
    const last = await MatchDriver.played(arms, { wanted: goesOn, honours, blades: [LIGHTS, [FLEE, IDLE]] });
    expect(last.duelists[0]).to.deep.equal({ honour: 25, archetype: 1, level: 44, strength: 20 });
    for (let id = 1n; id <= 4n; id++) {
      const { mismatch, replayed } = await replay(history, games, id);
      expect(mismatch, `match ${id}`).to.equal(undefined);
      expect(replayed.result).to.not.equal(undefined);
    }
  });

  it("replays nothing of a match that was not revealed", async () => {
    for (const steps of [1, 2]) {
      const driver = await MatchDriver.played(arms, {}, steps);
      const { logs, result } = await pistolsGame.replay(await recordOf(driver), history);
      expect([logs, result]).to.deep.equal([[], undefined]);
    }
  });

  it("replays the first round of a match that was resigned after that round", async () => {
    const driver = await MatchDriver.played(arms, { wanted: goesOn }, 3);
    await arms.arena.connect(arms.bob).resign(driver.id);
    const { mismatch, replayed } = await replay(history, games, driver.id);
    expect([mismatch, replayed.logs.length, replayed.result]).to.deep.equal([undefined, 1, undefined]);
  });

  it("reports a changed log, and a changed settlement", async () => {
    const driver = await MatchDriver.played(arms, { wanted: goesOn });
    const record = await recordOf(driver);
    const lying = Object.create(history) as History;
    for (const [change, mismatch] of [
      [
        { logs: [record.logs[0], { ...record.logs[1], entries: [1n] }] },
        /^round 2, log entry 1: expected \d+, found 1$/,
      ],
      [{ logs: [record.logs[0]] }, /^logged rounds: expected 2, found 1$/],
      [{ settlement: { ...record.settlement!, paid1: 1n } }, /^paid1: expected \d+, found 1$/],
    ] as [Partial<MatchRecord>, RegExp][]) {
      lying.match = () => Promise.resolve({ ...record, ...change });
      expect(mismatchText((await replay(lying, games, driver.id)).mismatch!)).to.match(mismatch);
    }
  });

  it("rejects data that players cannot have sent, and impossible states", async () => {
    const honours = await past();
    const driver = await MatchDriver.played(arms, { wanted: goesOn, honours });
    const record = await recordOf(driver);
    const answer = decodeAnswer(record.joinData!);
    const [first, again, last] = record.actions;
    const changed = (changes: Partial<typeof answer>, reveal: string): Partial<MatchRecord> => ({
      joinData: encodeAnswer({ ...answer, ...changes }),
      actions: [{ ...first, data: reveal }, again, last],
    });
    const otherState = { state: `0x${"00".repeat(32)}` };
    const otherStanding = {
      state: encodeState({ duelists: [driver.duelists[0], NOBODY], health: [0, 0], paces: [0, 0] }),
    };
    const badPaces = { move: "0x0b" };
    for (const [changes, message] of [
      [changed(otherState, driver.revealData(1, otherState)), "the state is not what the rounds before made it"],
      [changed({}, driver.revealData(1, otherStanding)), "the state is not what the rounds before made it"],
      [changed(otherState, driver.revealData(1)), "the states differ"],
      [changed(badPaces, driver.revealData(1, { answerMove: badPaces.move })), "is no move of round 1"],
      [{ actions: [first, { ...again, data: driver.answerData(2, otherState) }, last] }, "the states differ"],
      [{ actions: [first, last] }, "revealed without an answer"],
      [
        {
          actions: [
            first,
            { ...again, data: driver.answerData(2, { move: "0x0200" }) },
            { ...last, data: driver.revealData(2, { answerMove: "0x0200" }) },
          ],
        },
        "is no move of round 2",
      ],
    ] as [Partial<MatchRecord>, string][]) {
      const error: unknown = await pistolsGame.replay({ ...record, ...changes }, history).catch((e: unknown) => e);
      expect(error, message).to.be.instanceOf(RecordError);
      expect((error as RecordError).message).to.include(message);
    }
  });

  it("returns the state that every answer and reveal must include", async () => {
    const honours = await past();
    const driver = await MatchDriver.plan(arms, { wanted: goesOn, honours });
    await driver.create();
    expect(await stateOf(await recordOf(driver), history)).to.equal(driver.state1);
    await driver.join();
    expect(await stateOf(await recordOf(driver), history)).to.equal(driver.joinedState);
    await driver.reveal();
    expect(await stateOf(await recordOf(driver), history)).to.equal(driver.state2);
    await driver.answer();
    expect(await stateOf(await recordOf(driver), history)).to.equal(driver.state2);
    await driver.finish();
    const error: unknown = await stateOf(await recordOf(driver), history).catch((reason: unknown) => reason);
    expect((error as Error).message).to.equal(`The duel of match ${driver.id} is over.`);
  });

  it("lets player 1 compute round 1 in advance, but only after player 2 has joined", async () => {
    for (const wanted of [goesOn, endsAtOnce]) {
      const driver = await MatchDriver.played(arms, { wanted, terms: { rated: false } }, 1);
      const secret = { move: driver.moves(1)[0], salt: driver.salts.one1 };
      const record = await recordOf(driver);
      const early: unknown = await foresee(record, secret, history).catch(String);
      expect(early).to.equal(`Error: Player 2 has not joined match ${driver.id}.`);
      await driver.join();
      expect(await foresee(await recordOf(driver), secret, history)).to.deep.equal(driver.first);
    }
  });

  it("needs player 1's blades with its reveal only if a second round follows, but always accepts them", async () => {
    const { moves } = pistolsGame;
    const needless: SecretStore = {
      reveal: () => Promise.reject(new Error()),
      commit: () => Promise.reject(new Error()),
    };
    for (const wanted of [goesOn, endsAtOnce]) {
      const driver = await MatchDriver.played(arms, { wanted, terms: { rated: false } }, 2);
      const record = await recordOf(driver);
      const turn = turnOf(record, Seat.One, record.player1, history);
      const secretStore: SecretStore = {
        reveal: async () => ({ move: driver.moves(1)[0], salt: driver.salts.one1 }),
        commit: async (move) => (move === driver.moves(2)[0] ? driver.commitment(2) : "0x"),
      };
      const blades = await moves.parse(["light", "light"], turn, secretStore);
      expect(blades).to.deep.equal([1, 1]);
      expect(await moves.act(blades, turn, secretStore)).to.equal(driver.revealData(1));
      const [none, act, suggested] = await Promise.all([
        moves.parse([], turn, secretStore).catch(String),
        moves.act(undefined, turn, secretStore).catch(String),
        moves.suggest(turn, secretStore),
      ]);
      if (driver.first.over) {
        expect([none, act, suggested]).to.deep.equal([undefined, driver.revealData(1, { next: "0x" }), undefined]);
      } else {
        const [health1, health2] = driver.first.health;
        const left = `round 1 leaves player 1 with ${health1} of 3 health, player 2 with ${health2}`;
        expect(none).to.equal(`InputError: move: ${left}: your move of the next round is needed`);
        expect(act).to.equal("InputError: move: none is given, but another round follows");
        expect(suggested).to.have.length(2);
      }
      await driver.reveal(driver.first.over ? { next: "0x" } : {});
    }
    // Neither player 2's answer nor player 1's reveal of the last round reads secrets.
    const driver = await MatchDriver.played(arms, { wanted: goesOn, terms: { rated: false } }, 4);
    const record = await recordOf(driver);
    const turn = turnOf(record, Seat.One, record.player1, history);
    expect(await moves.parse([], turn, needless)).to.equal(undefined);
    expect(await moves.parse([], { ...turn, seat: Seat.Two }, needless).catch(String)).to.match(
      /^InputError: move: 0 words/,
    );
  });

  it("computes the frozen honour from earlier rated duels of this game, in both seats", async () => {
    const { alice, bob, carol, arena } = arms;
    const [alices, bobs] = (await past())!;
    const elsewhere = { ...arms, pistols: Pistols__factory.connect(await otherPistols(arms), alice) };
    await MatchDriver.played(elsewhere, { paces: [10, 10], wanted: endsAtOnce });
    const early = await MatchDriver.played(arms, { honours: [alices, bobs] }, 1);
    const lost = await MatchDriver.played(arms, { honours: [alices, bobs], wanted: goesOn }, 3);
    await time.increase(1);
    await arena.connect(alice).resign(lost.id);
    const frozen = async () =>
      (await frozenStandings(await recordOf(early), history)).map((each) => each && each.strength);
    expect(await frozen()).to.deep.equal([20, undefined]);
    await MatchDriver.played(arms, {
      players: [carol, alice],
      paces: [5, 1],
      wanted: endsAtOnce,
      honours: [[], alices],
    });
    await MatchDriver.played(arms, {
      players: [carol, bob],
      paces: [5, 10],
      wanted: endsAtOnce,
      honours: [[50], bobs],
    });
    expect(await frozen()).to.deep.equal([20, undefined]);
    const { standing } = await arms.pistols.duelistOf(bob);
    expect(standing.strength).to.equal(30n);
    await early.join();
    expect(await frozen()).to.deep.equal([20, 30]);
    await MatchDriver.played(arms, {
      players: [carol, bob],
      paces: [5, 1],
      wanted: endsAtOnce,
      honours: [
        [50, 50],
        [...bobs, 100],
      ],
    });
    expect(await frozen()).to.deep.equal([20, 30]);
  });

  it("decodes a log, and describes the match", async () => {
    const moves: Plan = { blades: [LIGHTS, [FLEE, IDLE]], wanted: (first, end) => !first.over && end.pot === 0 };
    const driver = await MatchDriver.played(arms, moves);
    const record = await recordOf(driver);
    const log = await pistolsGame.decodeLog(record);
    expect(log).to.have.length(4);
    expect(log[3]).to.deep.equal({ winner: 1, pot: 0, honour: [100, 0] });
    expect(log[2]).to.include({ round: 2, slot: 3, player: 1, action: 7, paces: 10, critChance: 20, lethalChance: 5 });
    expect(encodeResult(driver.second)).to.equal(record.logs[1].entries[1]);
    const lines = await pistolsGame.story(record, history, plain);
    expect(lines[0]).to.equal("Round 1: Player 1 walks 10 paces, Player 2 walks 10 paces");
    expect(lines[4]).to.equal("Round 2: Player 1 brings light and light, Player 2 brings flee");
    expect(lines.slice(-2)).to.deep.equal([
      "Player 1 wins the duel; each has its own stake back",
      "Player 1's honour in it: 100, Player 2's honour in it: 0",
    ]);
    expect(
      await pistolsGame.story(await recordOf(await MatchDriver.played(arms, {}, 1)), history, plain),
    ).to.deep.equal([]);
  });
});
