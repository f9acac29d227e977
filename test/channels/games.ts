import { expect } from "chai";
import { concat, Contract, dataLength, dataSlice, id } from "ethers";
import type { RoundLog } from "../../sdk/chain/record.js";
import { decodeTeam as fightersIn } from "../../sdk/games/auto-battler/moves.js";
import { channelRecord, progressOf, type Progress } from "../../sdk/games/channel-match.js";
import { decodeTeam as cardsIn } from "../../sdk/games/guardians/moves.js";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { encodeState } from "../../sdk/games/pistols/state.js";
import { NO_PLACE, placeOf } from "../../sdk/protocol/channels/messages.js";
import { encodeActions } from "../../sdk/protocol/channels/actions.js";
import { decodeAnswer, decodeReveal } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Pistols__factory } from "../../typechain-types/index.js";
import { MatchDriver as Battle, teamOf as fightersOf } from "../support/auto-battler.js";
import {
  channelPair,
  channelTerms,
  channelWorld,
  playedAt,
  type ChannelWorld,
  type Played,
} from "../support/channel-games.js";
import { expectChannelMoney, FIRST, marks, oneRound, type Pair, type Signing } from "../support/channels.js";
import {
  deployMock,
  HOUR,
  inPassing,
  loadFixture,
  logsIn,
  now,
  receiptOf,
  Seat,
  Status,
  time,
  UNIT,
  type Terms,
} from "../support/index.js";
import { MatchDriver as Duel, NOBODY } from "../support/pistols.js";
import { expectRefused, expectUnchanged } from "../support/refusals.js";

const STAKE = 10n * UNIT;
const AMOUNT = 50n * UNIT;
const FEE = (2n * STAKE * 2000n) / 10_000n;
const MANY_SEEDS = 100;
/** Number of bytes before the commitment to blades, in a reveal of paces. */
const NEXT_AT = 2 + 32 + 32 + 1 + 1 + 32;

type Opened = ChannelWorld & { pair: Pair };

/** Match of the channel, as the players sign it. */
type Signed = Pick<Played, "actions"> & { match: Pick<Played["match"], "nonce" | "terms" | "position"> };

const moduleOf = (name: string) => games.find((module) => module.name === name)!;
const [autoBattler, guardians, pistols, warmancer] = ["auto-battler", "guardians", "pistols", "warmancer"].map(
  moduleOf,
);
const [miniGames, ticTacToe] = ["mini-games", "tic-tac-toe"].map(moduleOf);

describe("Channels: games", () => {
  let w: Opened;
  beforeEach(async () => {
    w = await loadFixture(opened);
  });
  afterEach(() => expectChannelMoney(w));

  const transcriptOf = ({ match, actions }: Signed, how: Signing = {}) => {
    const moves = { position: match.position!, actions: actions.map(({ data }) => data) };
    return w.pair.transcript(match.nonce, match.terms, moves, { seats: actions.map(({ seat }) => seat), ...how });
  };
  const play = async (played: Signed, how: Signing = {}) => {
    const { nonce, terms } = played.match;
    const sender = how.sender === undefined ? w.stranger : playerAt(how.sender);
    return w.channels.connect(sender).play(w.pair.channel, nonce, terms, [await transcriptOf(played, how)]);
  };
  /** Challenges with the first actions of a match, as the player who acted last. */
  const challenge = async ({ match, actions }: Signed, count: number, how: Signing = {}) => {
    const transcript = await transcriptOf({ match, actions: actions.slice(0, count) }, how);
    const sender = playerAt(actions[count - 1].seat);
    return w.channels.connect(sender).challenge(w.pair.channel, match.nonce, match.terms, transcript);
  };
  const act = (data: Hex, seat: bigint, nonce = FIRST) =>
    w.arena.connect(playerAt(seat)).act(w.pair.matchIdOf(nonce), data);
  const playerAt = (seat: bigint) => (seat === Seat.One ? w.alice : w.bob);
  const gameOf = (module: GameModule) =>
    new Contract(w.history.addresses[module.contract], module.abi, w.owner.provider);
  /** Returns what alice and bob have gained, in their purses and in the channel. */
  const gains = async () => {
    const { amount1, amount2 } = await w.pair.state();
    const token = w.pair.channel.token;
    const purses = await Promise.all([w.alice, w.bob].map((player) => w.arena.purseOf(player, token)));
    return [purses[0] + amount1 - 1000n * UNIT, purses[1] + amount2 - 1000n * UNIT];
  };
  /** Settles a match in the channel. @returns the logs of the game, and what both players gain. */
  const settled = (module: GameModule, played: Played, how?: Signing) =>
    inPassing(async () => {
      const receipt = await receiptOf(play(played, { seen: true, ...how }));
      return { logs: logsIn(gameOf(module), receipt), gains: await gains() };
    });
  /** Challenges with a match after some actions, then plays the remaining ones on chain. */
  const goneOn = (module: GameModule, played: Played, count: number, how?: Signing) =>
    inPassing(async () => {
      const game = gameOf(module);
      const logs: RoundLog[] = logsIn(game, await receiptOf(challenge(played, count, how)));
      for (const { data, seat } of played.actions.slice(count))
        logs.push(...logsIn(game, await receiptOf(act(data, seat))));
      return { logs, gains: await gains() };
    });
  const progressAt = (module: GameModule, { match, actions }: Played, count: number): Promise<Progress> =>
    progressOf(channelRecord(match, actions.slice(0, count)), module, w.history);
  /** Plays random matches until one meets the condition. */
  const found = async (
    module: GameModule,
    wanted: (played: Played, end: Progress) => boolean,
    its?: Partial<Terms>,
  ) => {
    for (let seed = 0; seed < MANY_SEEDS; seed++) {
      const played = await playedAt(w, module, "0x", `channel ${seed}`, { terms: its });
      if (wanted(played, await progressAt(module, played, played.actions.length))) return played;
    }
    throw new Error(`no such match of ${module.title}`);
  };

  for (const module of games) {
    describe(module.title, () => {
      it("a match has the same log and the same end when it is settled from the channel as after a challenge at any point", async () => {
        for (const mode of w.modes[module.name]) {
          const played = await playedAt(w, module, mode, `whole ${mode}`);
          const whole = await settled(module, played);
          expect(whole.logs).to.not.be.empty;
          const counts = challengeable(played);
          const [first, middle, last] = [counts[0], counts[counts.length >> 1], counts.at(-1)!];
          for (const count of new Set([first, middle, last]))
            expect(await goneOn(module, played, count), `after ${count}`).to.deep.equal(whole);
        }
      });
    });
  }

  for (const module of [miniGames, autoBattler, guardians]) {
    describe(`${module.title}, a game of one round`, () => {
      it("a reveal makes the end of a match final without an acknowledgement", async () => {
        const played = await playedAt(w, module, w.modes[module.name][0], "one round");
        expect(played.actions.length).to.equal(2);
        const whole = await settled(module, played, { seen: false });
        expect(whole).to.deep.equal(await settled(module, played));
      });
    });
  }

  describe("Modes and games that refuse every action", () => {
    it("a player who answers in an unregistered mode loses", async () => {
      await play(refusing(channelTerms(w, miniGames, "0x0101")), { seen: true });
      expect(await gains()).to.deep.equal([STAKE, -STAKE]);
    });

    it("a player who answers in a game of another arena loses", async () => {
      const foreign = await deployMock("MiniGames", w.stranger);
      const known = channelTerms(w, miniGames, w.modes["mini-games"][0]);
      await play(refusing({ ...known, game: await foreign.getAddress() }), { seen: true });
      expect(await gains()).to.deep.equal([STAKE, -STAKE]);
    });

    const refusing = (terms: Terms): Signed => {
      const { position, actions } = oneRound(w.chainId, terms.game, w.alice.address, ["0x01", "0x00"], "refused");
      return { match: { nonce: FIRST, terms, position }, actions: [{ seat: Seat.Two, data: actions[0] }] };
    };
  });

  for (const [module, tokens, teamIn, refusal] of [
    [autoBattler, "fighters", fightersIn, "NotOwned"],
    [guardians, "cards", cardsIn, "CardNotOwned"],
  ] as const) {
    describe(`${module.title}, a game of tokens`, () => {
      let played: Played;
      let teams: bigint[][];
      beforeEach(async () => {
        played = await playedAt(w, module, "0x", "tokens");
        const [answer, reveal] = played.actions.map(({ data }) => data);
        const { move } = decodeAnswer(answer);
        const length = dataLength(move);
        teams = [teamIn(decodeReveal(reveal, length, length).move), teamIn(move)];
      });
      const sell = async (side: 0 | 1) => {
        const owner = [w.alice, w.bob][side];
        await w[tokens].connect(owner).transferFrom(owner, w.carol, teams[side][0]);
      };

      it("a player who sells a token after answering with it loses by the answer", async () => {
        await sell(1);
        await play({ ...played, actions: played.actions.slice(0, 1) }, { seen: true });
        expect(await gains()).to.deep.equal([STAKE, -STAKE]);
      });

      it("a player who sells a token of its answer after the opponent's reveal loses by the answer, whoever submits the match", async () => {
        await sell(1);
        await play(played);
        expect(await gains()).to.deep.equal([STAKE, -STAKE]);
      });

      it("a player who sells a token after revealing it loses by the reveal once the opponent consents", async () => {
        await sell(0);
        await expectRefused(w, () => play(played), "NotFinal", [FIRST, Seat.None]);
        await play(played, { sender: Seat.Two });
        expect(await gains()).to.deep.equal([-STAKE, STAKE]);
      });

      it("a player who sells a token after a challenge cannot reveal the token, and loses by the clock", async () => {
        await challenge(played, 1);
        await sell(0);
        await expectRefused(w, () => act(played.actions[1].data, Seat.One), refusal);
        await time.increase(HOUR + 1n);
        await w.arena.timeout(w.pair.matchIdOf(FIRST));
        expect(await gains()).to.deep.equal([-STAKE, STAKE]);
      });
    });
  }

  describe("Fighters in a channel", () => {
    it("can fight while they are in another match, and keep their records unchanged", async () => {
      const played = await playedAt(w, autoBattler, "0x", "busy");
      const team2 = fightersIn(decodeAnswer(played.actions[0].data).move);
      const battle = await Battle.create(w, await fightersOf(w, w.carol), { player1: w.carol, player2: w.bob });
      await battle.join(team2);
      const records = () => Promise.all(team2.map((fighter) => w.autoBattler.fighterOf(fighter)));
      const before = await records();
      expect(before.map(({ matchId }) => matchId)).to.deep.equal(team2.map(() => battle.id));
      await challenge(played, 1);
      await act(played.actions[1].data, Seat.One);
      expect(await w.arena.statusOf(w.pair.matchIdOf(FIRST))).to.be.oneOf([Status.P1Win, Status.P2Win]);
      expect(await records()).to.deep.equal(before);
    });
  });

  describe("Pistols in a channel", () => {
    it("a duel of two rounds is final once the opponent has acknowledged its end", async () => {
      const won = await found(pistols, ({ actions }, { taker }) => actions.length === 4 && taker === Seat.One);
      await expectRefused(w, () => play(won), "NotFinal", [FIRST, Seat.None]);
      expect((await settled(pistols, won)).gains).to.deep.equal([STAKE - FEE, -STAKE]);
      const lost = await found(pistols, ({ actions }, { taker }) => actions.length === 4 && taker === Seat.Two);
      expect((await settled(pistols, lost)).gains).to.deep.equal([-STAKE, STAKE - FEE]);
    });

    it("a duel that ends in the pistols round is final with the reveal", async () => {
      const won = await found(pistols, ({ actions }, { taker }) => actions.length === 2 && taker === Seat.One);
      expect((await settled(pistols, won, { seen: false })).gains).to.deep.equal([STAKE - FEE, -STAKE]);
    });

    it("a challenge that replaces an already answered commitment is superseded by the answer", async () => {
      const long = await found(pistols, ({ actions }) => actions.length === 4);
      const reveal = long.actions[1].data;
      const other = { seat: Seat.One, data: concat([dataSlice(reveal, 0, NEXT_AT), id("another commitment")]) };
      const whole = await settled(pistols, long);
      await challenge({ ...long, actions: [long.actions[0], other] }, 2);
      expect((await goneOn(pistols, long, 3)).gains).to.deep.equal(whole.gains);
    });

    it("a duel uses the standings of its offer, and changes neither player's standing even if it is rated", async () => {
      const rated = { rated: true };
      const duels = Pistols__factory.connect(w.history.addresses[pistols.contract], w.owner);
      const duel = await found(pistols, ({ actions }) => actions.length === 4, rated);
      const whole = await inPassing(async () => (await settled(pistols, duel)).logs);
      await Duel.played({ ...w, pistols: duels }, { terms: { rated: true } });
      const standings = () => Promise.all([w.alice, w.bob].map((player) => duels.duelistOf(player)));
      const before = await standings();
      expect(before.map(({ standing }) => standing.strength)).to.not.deep.equal([0n, 0n]);
      expect((await settled(pistols, duel)).logs).to.deep.equal(whole);
      expect(whole).to.not.be.empty;
      expect(await standings()).to.deep.equal(before);
    });

    it("an answer on chain cannot choose the duelists' standings", async () => {
      const duel = await Duel.played(
        { ...w, pistols: Pistols__factory.connect(w.history.addresses[pistols.contract], w.owner) },
        {},
        1,
      );
      const state = encodeState({ duelists: [NOBODY, NOBODY], health: [0, 0], paces: [0, 0], signed: true });
      await expectRefused({ ...w, game: duel.arms.pistols }, () => duel.join({ state }), "WrongRound");
    });
  });

  describe("Tic-tac-toe in a channel", () => {
    /** X wins with its third mark. */
    const ROW = [0, 4, 1, 8, 2];
    const signed = (cells: readonly number[]): Signed => {
      const { position, actions } = marks(cells);
      const terms = channelTerms(w, ticTacToe, "0x");
      const seats = actions.map((data, i) => ({ data, seat: i % 2 === 0 ? Seat.Two : Seat.One }));
      return { match: { nonce: FIRST, terms, position }, actions: seats };
    };

    it("a completed row is final once its loser has acknowledged it", async () => {
      await expectRefused(w, () => play(signed(ROW)), "NotFinal", [FIRST, Seat.None]);
      await play(signed(ROW), { seen: true });
      expect(await gains()).to.deep.equal([STAKE - FEE, -STAKE]);
    });

    it("a mark on chain is irrevocable, even if both players have signed later messages", async () => {
      const whole = signed(ROW);
      await challenge(whole, 2);
      await act(whole.actions[2].data, Seat.Two);
      await expectUnchanged(w, () => play(whole, { seen: true }));
      await expectRefused(w, () => challenge(signed([0, 4, 1, 3, 5, 2]), 5), "WrongNonce", [FIRST, FIRST + 1]);
      await act(whole.actions[3].data, Seat.One);
      expect(await w.arena.statusOf(w.pair.matchIdOf(FIRST))).to.equal(Status.P1Win);
    });

    it("a mark on an occupied cell loses the match in the channel, but is only refused on chain", async () => {
      const occupied = signed([0, 4, 4]);
      await inPassing(async () => {
        await expectRefused(w, () => play(occupied), "NotFinal", [FIRST, Seat.None]);
        await play(occupied, { seen: true });
        expect(await gains()).to.deep.equal([-STAKE, STAKE]);
      });
      await challenge(occupied, 1);
      await expectRefused(
        { ...w, game: gameOf(ticTacToe) },
        () => act(occupied.actions[1].data, Seat.One),
        "OccupiedCell",
      );
    });
  });

  describe("Warmancer in a channel", () => {
    it("a challenge continues a match from a position that both players have signed, followed by the last action", async () => {
      const [quick] = w.modes.warmancer;
      const played = await playedAt(w, warmancer, quick, "from a base");
      const { actions } = played;
      const whole = await goneOn(warmancer, played, challengeable(played)[0]);
      const counts = challengeable(played).filter(
        (count) => count > 2 && actions[count - 1].seat !== actions[count - 2].seat,
      );
      const count = counts[counts.length >> 1];
      const how = await basedOn(played, count - 1, count);
      await inPassing(async () => {
        const transcript = await transcriptOf({ ...played, actions: actions.slice(0, count) }, how);
        expect(transcript.actions).to.equal(encodeActions([actions[count - 1].data]));
        await challenge(played, count, how);
        const { position, turn } = await progressAt(warmancer, played, count);
        expect(await w.arena.positionOf(w.pair.matchIdOf(FIRST))).to.equal(position);
        expect((await w.arena.matchOf(w.pair.matchIdOf(FIRST))).turn).to.equal(turn);
      });
      const gone = await goneOn(warmancer, played, count, how);
      expect(gone.gains).to.deep.equal(whole.gains);
      expect(whole.logs.slice(-gone.logs.length)).to.deep.equal(gone.logs);
    });

    it("a match can be settled from the last position that both players have signed", async () => {
      const [quick] = w.modes.warmancer;
      const played = await playedAt(w, warmancer, quick, "from a base");
      const { length } = played.actions;
      const whole = await settled(warmancer, played);
      const ended = await settled(warmancer, played, await basedOn(played, length - 1, length));
      expect(ended.gains).to.deep.equal(whole.gains);
      expect(ended.logs).to.deep.equal(whole.logs.slice(whole.logs.length - ended.logs.length));
    });

    it("the game refuses a rated casual match, and the player who answers it loses", async () => {
      const [, casual] = w.modes.warmancer;
      const { match, actions } = await playedAt(w, warmancer, casual, "casual");
      const rated = { ...match, terms: { ...match.terms, rated: true } };
      await play({ match: rated, actions: actions.slice(0, 1) }, { seen: true });
      expect(await gains()).to.deep.equal([STAKE, -STAKE]);
    });

    /** Returns how to sign a transcript that starts after action `base`, whose message names the position. */
    const basedOn = async (played: Played, base: number, count: number): Promise<Signing> => {
      const { turn, position } = await progressAt(warmancer, played, base);
      const places = Array.from({ length: count }, (_, i) => (i === base - 1 ? placeOf(turn, position) : NO_PLACE));
      return { places, base: { count: base, turn, position } };
    };
  });
});

/** Deploys all games, and opens a channel of alice and bob. */
async function opened(): Promise<Opened> {
  const world = await channelWorld();
  const pair = await channelPair(world);
  await pair.open(AMOUNT, AMOUNT, Number(await now()) + 100_000);
  return { ...world, pair };
}

/** Lists the numbers of actions after which the player who acted last waits for the opponent. */
function challengeable({ actions }: Played): number[] {
  return actions.slice(1).flatMap(({ seat }, i) => (seat === actions[i].seat ? [] : [i + 1]));
}
