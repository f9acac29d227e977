import { expect } from "chai";
import { concat, id, keccak256, type Contract } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { explain } from "../../../sdk/player/errors.js";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { judge, play } from "../../../sdk/games/mini-games/engine.js";
import { encodeMode, KindId, modeOfHash, Ties } from "../../../sdk/games/mini-games/mode.js";
import { resultText } from "../../../sdk/games/mini-games/story.js";
import { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { replay } from "../../../sdk/verify/replay.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import {
  encodeAnswer,
  encodeReveal,
  NO_STATE,
  commitmentOf,
  stateHashOf,
} from "../../../sdk/protocol/commit-reveal.js";
import { seedOf } from "../../../sdk/protocol/dice.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { allModes } from "../../support/laws/mini-games.js";
import {
  DAY,
  deployed,
  deployMock,
  ethers,
  HOUR,
  loadFixture,
  receiptOf,
  Status,
  termsFor,
  time,
  UNIT,
  ZERO_HASH,
  type Terms,
  offerHashOf,
} from "../../support/index.js";
import { byte } from "../../../sdk/laws/bytes.js";
import { pursesOf } from "../../support/matches.js";

const [ROCK, PAPER, SCISSORS] = [0, 1, 2];
const SALT1 = id("salt 1");
const modeHash = (kind: number, ties: number) => keccak256(encodeMode({ kind, ties }));

/** Deploys the arena and the game, with all twelve modes registered. */
async function table() {
  const world = await deployed();
  const game = await deployMock("MiniGames", world.arena);
  for (const mode of allModes) await receiptOf(game.getFunction("registerMode")(encodeMode(mode)));
  const addresses = {
    Arena: await world.arena.getAddress(),
    MiniGames: await game.getAddress(),
  } as unknown as Addresses;
  return { ...world, game, addresses, history: new History(ethers.provider, addresses) };
}

type Table = Awaited<ReturnType<typeof table>>;

/** A match of alice against bob: firm, in one mode; by default rated, for 10 against 10 FIGHT. */
class Duel {
  private constructor(
    readonly t: Table,
    readonly matchId: bigint,
    readonly terms: Terms,
    readonly commitment: Hex,
    readonly move1: Hex,
    public salt2 = id("salt 2"),
  ) {}

  static async offer(t: Table, kind: number, ties: number, move: Hex | number, changes: Partial<Terms> = {}) {
    const { MiniGames: game } = t.addresses;
    const terms = await termsFor(t, { game, mode: modeHash(kind, ties), ...changes });
    const move1 = typeof move === "number" ? byte(move) : move;
    const { chainId } = await ethers.provider.getNetwork();
    const commitment = commitmentOf(chainId, game, t.alice.address, move1, SALT1);
    const matchId = (await t.arena.matchCount()) + 1n;
    await t.arena.connect(t.alice).create(terms, t.bob, (await time.latest()) + Number(DAY), commitment);
    return new Duel(t, matchId, terms, commitment, move1);
  }

  async join(move: Hex | number) {
    const answer = {
      round: 1,
      state: NO_STATE,
      commitment: this.commitment,
      move: this.bytesOf(move),
      salt: this.salt2,
    };
    const { arena, bob } = this.t;
    return arena.connect(bob).join(this.matchId, await offerHashOf(arena, this.matchId), encodeAnswer(answer));
  }

  async reveal(answerMove: Hex | number, changes: { move?: Hex; state?: Hex; round?: number } = {}) {
    const head = { round: 1, state: NO_STATE, salt: SALT1, move: this.move1, next: "0x", ...changes };
    const reveal = encodeReveal({ ...head, answerMove: this.bytesOf(answerMove), answerSalt: this.salt2 });
    return this.t.arena.connect(this.t.alice).act(this.matchId, reveal);
  }

  async play(move2: number) {
    await this.join(move2);
    return this.reveal(move2);
  }

  status(): Promise<bigint> {
    return this.t.arena.statusOf(this.matchId);
  }

  private bytesOf(move: Hex | number): Hex {
    return typeof move === "number" ? byte(move) : move;
  }
}

describe("Mini-games: matches", () => {
  let t: Table;
  let game: Contract;
  beforeEach(async () => {
    t = await loadFixture(table);
    ({ game } = t);
  });

  describe("when a match is played", () => {
    const START = 1000n * UNIT;

    it("pays the pot to the winner, less the house fee, and rates both players", async () => {
      const duel = await Duel.offer(t, 0, 1, PAPER);
      await duel.play(ROCK);
      expect(await duel.status()).to.equal(Status.P1Win);
      expect(await pursesOf(t, t.fight)).to.deep.equal([START + 6n * UNIT, START - 10n * UNIT, 4n * UNIT]);
      const ratings = [t.alice, t.bob].map(async (each) => (await t.arena.recordOf(game, each)).rating);
      expect(await Promise.all(ratings)).to.deep.equal([1020n, 980n]);
    });

    it("returns both stakes at a tie that counts as a draw, and pays nothing to the house", async () => {
      const duel = await Duel.offer(t, 0, 1, PAPER, { stake1: 30n * UNIT });
      await duel.play(PAPER);
      expect(await duel.status()).to.equal(Status.Draw);
      expect(await pursesOf(t, t.fight)).to.deep.equal([START, START, 0n]);
      expect((await t.arena.recordOf(game, t.bob)).draws).to.equal(1n);
    });

    it("lets player 1 win ties if the mode requires it, even at uneven stakes", async () => {
      const duel = await Duel.offer(t, 0, 0, PAPER, { stake1: 20n * UNIT });
      await duel.play(PAPER);
      expect(await duel.status()).to.equal(Status.P1Win);
      expect(await pursesOf(t, t.fight)).to.deep.equal([START + 4n * UNIT, START - 10n * UNIT, 6n * UNIT]);
    });

    it("pays player 2 twice its stake at 2 : 1, less the house fee", async () => {
      const duel = await Duel.offer(t, 0, 0, PAPER, { stake1: 20n * UNIT });
      await duel.play(SCISSORS);
      expect(await duel.status()).to.equal(Status.P2Win);
      expect(await pursesOf(t, t.fight)).to.deep.equal([START - 20n * UNIT, START + 14n * UNIT, 6n * UNIT]);
    });

    it("agrees with the preview for a tie in each of the twelve modes, logs one entry in round 1, and can be replayed", async () => {
      for (const mode of allModes) {
        const move = mode.kind === 1 ? 1 : 0;
        const duel = await Duel.offer(t, mode.kind, mode.ties, move);
        const seed = () => seedOf(duel.matchId, 1, SALT1, duel.salt2);
        for (let n = 0; play(seed(), mode, [move, move]).result !== 0; n++) duel.salt2 = id(`salt ${n}`);
        const preview = game.getFunction("preview")(seed(), encodeMode(mode), move, move);
        const [winner, entries] = (await preview) as [bigint, bigint[]];
        expect(winner).to.equal(mode.ties === 0 ? 1n : 0n);
        expect(entries).to.have.length(1);
        await duel.join(move);
        await expect(duel.reveal(move)).to.emit(game, "Log").withArgs(duel.matchId, 1n, entries);
        expect(await duel.status()).to.equal(mode.ties === 0 ? Status.P1Win : Status.Draw);
        const { mismatch, replayed } = await replay(t.history, [miniGames], duel.matchId);
        expect([mismatch, replayed.logs]).to.deep.equal([undefined, [{ round: 1n, entries: [...entries] }]]);
      }
    });

    it("can be played in an unregistered mode, because the hash identifies the mode", async () => {
      const fresh = await deployMock("MiniGames", t.arena);
      const address = await fresh.getAddress();
      for (const mode of allModes) {
        const hash = modeHash(mode.kind, mode.ties);
        await expect(fresh.getFunction("modeOf")(hash)).to.be.revertedWithCustomError(fresh, "UnknownMode");
        const terms = await termsFor(t, { game: address, mode: hash });
        await t.arena.connect(t.alice).create(terms, t.bob, 0, id("a commitment"));
        expect(modeOfHash(hash)).to.deep.equal(mode);
      }
    });

    it("stores one state hash until the match is over", async () => {
      const duel = await Duel.offer(t, 6, 1, 7);
      const position = () => t.arena.positionOf(duel.matchId);
      const head = { round: 1, state: NO_STATE };
      expect(await position()).to.equal(stateHashOf(head, duel.commitment));
      await duel.join(8);
      expect(await position()).to.equal(stateHashOf(head, duel.commitment, { move: byte(8), salt: duel.salt2 }));
      await duel.reveal(8);
      expect(await position()).to.equal(ZERO_HASH);
    });

    it("ends by resignation or by the clock like any other match", async () => {
      const resigned = await Duel.offer(t, 3, 1, 0);
      await resigned.join(1);
      await t.arena.connect(t.bob).resign(resigned.matchId);
      expect(await resigned.status()).to.equal(Status.P1Win);

      const silent = await Duel.offer(t, 3, 1, 0);
      await silent.join(1);
      await time.increase(HOUR + 1n);
      await t.arena.connect(t.stranger).timeout(silent.matchId);
      expect(await silent.status()).to.equal(Status.P2WinInactive);

      const ignored = await Duel.offer(t, 3, 1, 0);
      await time.increase(DAY + 1n);
      await t.arena.connect(t.stranger).timeout(ignored.matchId);
      expect(await ignored.status()).to.equal(Status.P1Canceled);
      for (const { matchId } of [resigned, silent, ignored]) {
        const { mismatch, replayed } = await replay(t.history, [miniGames], matchId);
        expect([mismatch, replayed.logs]).to.deep.equal([undefined, []]);
      }
    });
  });

  describe("when a move or a mode is wrong", () => {
    it("rejects an invalid move of player 2 in the join, and names the bounds", async () => {
      for (const [kind, wrong, min, max] of [
        [0, 3, 0, 2],
        [1, 0, 1, 6],
        [1, 7, 1, 6],
        [2, 10, 0, 9],
        [3, 2, 0, 1],
        [5, 1, 0, 0],
        [6, 10, 0, 9],
        [6, 255, 0, 9],
      ]) {
        const duel = await Duel.offer(t, kind, 0, min);
        await expect(duel.join(wrong), `kind ${kind}`)
          .to.be.revertedWithCustomError(game, "MoveOutOfBounds")
          .withArgs(wrong, min, max);
        await duel.play(max);
      }
    });

    it("rejects an invalid committed move of player 1 on reveal, and player 1 loses by timeout", async () => {
      for (const [kind, wrong, min, max] of [
        [0, 3, 0, 2],
        [1, 0, 1, 6],
        [5, 1, 0, 0],
        [6, 10, 0, 9],
      ]) {
        const duel = await Duel.offer(t, kind, 0, wrong);
        await duel.join(min);
        await expect(duel.reveal(min), `kind ${kind}`)
          .to.be.revertedWithCustomError(game, "MoveOutOfBounds")
          .withArgs(wrong, min, max);
        await expect(duel.reveal(min, { move: byte(min) })).to.be.revertedWithCustomError(game, "WrongRound");
        await time.increase(HOUR + 1n);
        await t.arena.timeout(duel.matchId);
        expect(await duel.status()).to.equal(Status.P2WinInactive);
      }
    });

    it("refuses moves of another length", async () => {
      const duel = await Duel.offer(t, 2, 1, 4);
      for (const move of ["0x", "0x0102"]) {
        await expect(duel.join(move)).to.be.revertedWithCustomError(game, "WrongLength");
      }
      await duel.join(5);
      for (const move of ["0x", "0x0401"]) {
        await expect(duel.reveal(5, { move })).to.be.revertedWithCustomError(game, "WrongLength");
      }
    });

    it("refuses data for a later round or with a state, because one-shot games have neither", async () => {
      const duel = await Duel.offer(t, 2, 1, 4);
      await duel.join(5);
      await expect(duel.reveal(5, { round: 2 })).to.be.revertedWithCustomError(game, "WrongRound");
      await expect(duel.reveal(5, { state: id("a state") })).to.be.revertedWithCustomError(game, "WrongRound");
    });

    it("refuses mode zero, and a hash that belongs to none of the twelve modes", async () => {
      const zero = await Duel.offer(t, 0, 1, ROCK, { mode: ZERO_HASH }).catch((error: unknown) => error);
      expect(explain(zero, { games: [miniGames] })).to.equal(`The game has no mode ${ZERO_HASH}.`);
      const fresh = await deployMock("MiniGames", t.arena);
      for (const mode of [modeHash(4, 0), modeHash(0, 2), id("a mode")]) {
        const terms = await termsFor(t, { game: await fresh.getAddress(), mode });
        const offer = t.arena.connect(t.alice).create(terms, t.bob, 0, id("a commitment"));
        await expect(offer).to.be.revertedWithCustomError(fresh, "UnknownMode").withArgs(mode);
        expect(() => modeOfHash(mode)).to.throw(`mode: the mini-games have no mode ${mode}`);
      }
      await expect(fresh.getFunction("modeOf")(ZERO_HASH)).to.be.revertedWithCustomError(fresh, "UnknownMode");
    });

    it("rejects invalid modes with the reason", async () => {
      const register = game.getFunction("registerMode");
      for (const kind of [4, 7, 255]) {
        const refused = expect(register(concat([byte(kind), "0x00"]))).to.be;
        await refused.revertedWithCustomError(game, "UnknownKind").withArgs(kind);
      }
      for (const ties of [2, 255]) {
        const refused = expect(register(concat(["0x06", byte(ties)]))).to.be;
        await refused.revertedWithCustomError(game, "UnknownTieRule").withArgs(ties);
      }
      for (const content of ["0x", "0x00", "0x000000"]) {
        await expect(register(content)).to.be.revertedWithCustomError(game, "WrongLength");
      }
    });
  });

  describe("given the twelve modes", () => {
    it("registers them under their hashes, and reads them back", async () => {
      const fresh = await deployMock("MiniGames", t.arena);
      for (const mode of allModes) {
        const content = encodeMode(mode);
        await expect(fresh.getFunction("registerMode")(content))
          .to.emit(fresh, "ModeRegistered")
          .withArgs(keccak256(content), content);
        expect(await fresh.getFunction("modeOf")(keccak256(content))).to.equal(content);
      }
    });

    it("publishes them under the expected names", () => {
      const published = Object.entries(miniGames.modes).map(([name, { content }]) => [name, content]);
      expect(published).to.deep.equal([
        ["rock-paper-scissors", "0x0001"],
        ["rock-paper-scissors-challenger", "0x0000"],
        ["coin", "0x0301"],
        ["coin-challenger", "0x0300"],
        ["dice", "0x0101"],
        ["dice-challenger", "0x0100"],
        ["rolled-dice", "0x0501"],
        ["rolled-dice-challenger", "0x0500"],
        ["undercut", "0x0601"],
        ["undercut-challenger", "0x0600"],
        ["strategy", "0x0201"],
        ["strategy-challenger", "0x0200"],
      ]);
    });
  });

  describe("when moves and results are shown as text", () => {
    const paint = (text: string, player: number) => `<${player} ${text}>`;
    const storyOf = async (...[kind, ties, one, two]: [number, number, number, number]) => {
      const duel = await Duel.offer(t, kind, ties, one);
      await duel.play(two);
      return miniGames.story(await t.history.match(duel.matchId), t.history, paint);
    };

    it("formats a result against the computer like the log of the original game", async () => {
      const { Coin, Dice, RockPaperScissors, RolledDice, StrategyBattle, Undercut } = KindId;
      for (const [kind, ties, values, flip, side, text] of [
        [Dice, Ties.Draw, [3, 5], null, 1, "Dice: AI rolled 5, player rolled 3. AI wins, 5 > 3."],
        [Dice, Ties.Draw, [3, 5], null, 0, "Dice: AI rolled 3, player rolled 5. Player wins, 5 > 3."],
        [
          Dice,
          Ties.ToPlayer1,
          [4, 4],
          null,
          1,
          "Dice: AI rolled 4, player rolled 4. Player wins, as ties are the challenger's.",
        ],
        [RolledDice, Ties.Draw, [2, 2], null, 1, "Rolled dice: AI rolled 2, player rolled 2. It is a tie and a draw."],
        [
          StrategyBattle,
          Ties.Draw,
          [9, 0],
          null,
          1,
          "Strategy battle: AI played 0, player played 9. Player wins, 9 > 0.",
        ],
        [Undercut, Ties.Draw, [9, 8], null, 1, "Undercut: AI played 8, player played 9. AI wins, 8 undercuts 9."],
        [Undercut, Ties.Draw, [9, 7], null, 1, "Undercut: AI played 7, player played 9. Player wins, 9 > 7."],
        [
          RockPaperScissors,
          Ties.Draw,
          [PAPER, ROCK],
          null,
          1,
          "Rock-paper-scissors: AI played rock, player played paper. Player wins, paper beats rock.",
        ],
        [
          Coin,
          Ties.Draw,
          [1, 0],
          0,
          1,
          "Coin flip: AI called heads, player called tails. The coin landed on heads. AI wins.",
        ],
      ] as const) {
        const game = { kind, values: [...values] as [number, number], flip, ...judge({ kind, ties }, values, flip) };
        expect(resultText(game, side)).to.equal(text);
      }
      const duel = await Duel.offer(t, Dice, Ties.Draw, 3);
      const told = async () => miniGames.bot!.resultText!(await t.history.match(duel.matchId), t.history, 1);
      expect(await told()).to.equal(undefined);
      await duel.play(5);
      expect(await told()).to.equal("Dice: AI rolled 5, player rolled 3. AI wins, 5 > 3.");
    });

    it("describes a match", async () => {
      expect(await storyOf(0, 1, PAPER, ROCK)).to.deep.equal([
        "Rock-paper-scissors",
        "  <1 Player 1> plays paper",
        "  <2 Player 2> plays rock",
        "  <1 Player 1> wins",
      ]);
      expect(await storyOf(6, 1, 9, 8)).to.include.members(["  <2 Player 2> plays 8", "  <2 Player 2> wins"]);
      expect(await storyOf(2, 1, 5, 5)).to.include("  A tie: a draw");
      expect(await storyOf(1, 0, 5, 5)).to.include("  A tie, and ties are the challenger's: <1 Player 1> wins");
      expect((await storyOf(3, 1, 1, 0)).join("\n")).to.match(
        /calls tails\n.*calls heads\n {2}The coin shows (heads|tails)\n/,
      );
      expect((await storyOf(5, 1, 0, 0)).join("\n")).to.match(
        /^Rolled dice\n {2}<1 Player 1> rolls [1-6]\n {2}<2 Player 2> rolls [1-6]\n/,
      );
    });

    it("describes no move of an unrevealed match, and decodes the logs of a revealed one", async () => {
      const duel = await Duel.offer(t, 2, 0, 5);
      const record = () => t.history.match(duel.matchId);
      expect(await miniGames.story(await record(), t.history, paint)).to.deep.equal([]);
      await duel.play(5);
      expect(await miniGames.decodeLog(await record(), t.history)).to.deep.equal([
        { kind: 2, values: [5, 5], flip: null, result: 0, winner: 1 },
      ]);
    });

    it("parses moves as numbers, or as names if the game has names, and rejects anything else", async () => {
      const read = (kind: number, ...words: string[]) => {
        const turn = { seat: Seat.Two, player: "", game: "", mode: modeHash(kind, 1), history: t.history };
        return miniGames.moves.parse(words, turn).catch(String);
      };
      for (const [kind, word, move] of [
        [0, "rock", 0],
        [0, "scissors", 2],
        [0, "1", 1],
        [1, "6", 6],
        [2, "9", 9],
        [3, "heads", 0],
        [3, "tails", 1],
        [5, "0", 0],
        [6, "7", 7],
      ] as const) {
        expect(await read(kind, word), word).to.equal(move);
      }
      const none = "InputError: move: a move of rock-paper-scissors is one number or rock or paper or scissors";
      for (const words of [[], ["10"], ["-1"], ["lizard"], ["heads"], ["1", "2"], ["1.0"], [""]]) {
        expect(await read(0, ...words), words.join(" ")).to.equal(none);
      }
      expect(await read(0, "3")).to.equal("InputError: move: rock-paper-scissors takes 0 to 2, not 3");
      expect(await read(1, "0")).to.equal("InputError: move: dice takes 1 to 6, not 0");
      expect(await read(5, "1")).to.equal("InputError: move: rolled dice takes only 0, not 1");
    });
  });

  describe("when a match is replayed", () => {
    const doctored = async (change: (record: MatchRecord) => void, kind = 2): Promise<Promise<unknown>> => {
      const duel = await Duel.offer(t, kind, 1, 4);
      await duel.play(3);
      const record = await t.history.match(duel.matchId);
      change(record);
      return miniGames.replay(record, t.history).catch((error: unknown) => error);
    };

    it("refuses moves that the mode does not have", async () => {
      for (const kind of [0, 3, 5]) {
        const error = await doctored((record) => (record.terms.mode = modeHash(kind, 1)));
        expect(error).to.be.instanceOf(RecordError);
        expect((error as RecordError).message).to.match(/4 is no move of (rock-paper-scissors|coin flip|rolled dice)$/);
      }
    });

    it("rejects a state, because these games have no state", async () => {
      const stated = (data: Hex) => data.replace("0x0001" + "00".repeat(32), "0x0001" + "11".repeat(32));
      const error = await doctored((record) => {
        record.joinData = stated(record.joinData!);
        record.actions[0].data = stated(record.actions[0].data);
      });
      expect(error).to.be.instanceOf(RecordError);
      expect((error as RecordError).message).to.match(/keeps no state$/);
    });
  });
});
