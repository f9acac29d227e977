import { expect } from "chai";
import { concat, id, toBeHex, ZeroHash, type BaseWallet, type Contract, type Signer } from "ethers";
import { IChannelArena__factory } from "../../typechain-types/index.js";
import { openRequest, placeOf } from "../../sdk/protocol/channels/messages.js";
import { encodeActions } from "../../sdk/protocol/channels/actions.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { ANSWERS_RAW, LOCK, TOKENS } from "../support/attacked.js";
import {
  channelled,
  expectChannelMoney,
  FIRST,
  keyOf,
  Pair,
  type ChannelWorld,
  type Signing,
} from "../support/channels.js";
import {
  COIN,
  DAY,
  deployMock,
  ethers,
  fieldsOf,
  HOUR,
  inPassing,
  loadFixture,
  networkHelpers,
  now,
  Seat,
  Status,
  step,
  termsFor,
  time,
  UNIT,
  type Player,
  type Terms,
} from "../support/index.js";
import { expectRefused, expectReverted, expectUnchanged } from "../support/refusals.js";

const STAKE = 10n * UNIT;
const AMOUNT = 100n * UNIT;
/** Position of each offer; the scripted game accepts any. */
const OFFERED = id("offered");
const FEE = (2n * STAKE * 2000n) / 10_000n;
/** Answer of seat Two, after which seat One acts. */
const ANSWER = concat([step(Seat.One), id("answered")]);
const OTHER_ANSWER = concat([step(Seat.One), id("another answer")]);
const WIN = step(Seat.None, Seat.One);
const LOSS = step(Seat.None, Seat.Two);
const DRAW = step(Seat.None, Seat.None);

describe("Channels: known attacks", () => {
  let w: ChannelWorld;
  let pair: Pair;
  let terms: Terms;
  beforeEach(async () => {
    w = await loadFixture(channelled);
    pair = w.pair;
    terms = await termsFor(w, { rated: false });
  });
  afterEach(() => expectChannelMoney(w));

  const matchOf = (actions: readonly Hex[], how: Signing = {}, nonce = FIRST, its = terms) =>
    pair.transcript(nonce, its, { position: OFFERED, actions }, how);
  const play = async (sender: Player, actions: readonly Hex[], how: Signing = {}, nonce = FIRST, its = terms) =>
    w.channels.connect(sender).play(pair.channel, nonce, its, [await matchOf(actions, how, nonce, its)]);
  const challenge = async (sender: Signer, actions: readonly Hex[], how: Signing = {}, nonce = FIRST, its = terms) =>
    w.channels.connect(sender).challenge(pair.channel, nonce, its, await matchOf(actions, how, nonce, its));
  const checkpoint = async (...args: Parameters<Pair["balance"]>) =>
    w.channels.checkpoint(...(await pair.balance(...args)));
  const matchId = (nonce = FIRST) => pair.matchIdOf(nonce);
  const amounts = async () => {
    const { amount1, amount2 } = await pair.state();
    return [amount1, amount2];
  };
  const statusOf = (nonce = FIRST) => w.arena.statusOf(matchId(nonce));

  /** Opens a channel in a misbehaving token, with 50 of each player. Each player has 50 more in its purse. */
  const withOddToken = async () => {
    const odd = await deployMock("OddToken");
    for (const player of [w.alice, w.bob]) {
      await odd.mint(player, 100n);
      await (odd.connect(player) as Contract).approve(w.arena, 100n);
      await w.arena.connect(player).deposit(odd, 100n, player);
    }
    const token = await odd.getAddress();
    const other = await Pair.of(w.channels, 31337, [w.alice, w.bob], { token });
    await other.open(50n, 50n, w.times.until);
    return { odd, other, its: { ...terms, token, stake1: 10n, stake2: 10n } };
  };

  describe("given the offer of a match", () => {
    it("an answer that is sent only after the end of the offer is refused", async () => {
      const until = Number(await now()) + 100;
      const held = await matchOf([ANSWER, LOSS], { until });
      await time.increase(101);
      await expectRefused(w, () => w.channels.play(pair.channel, FIRST, terms, [held]), "Expired");
      await expectRefused(w, async () => challenge(w.bob, [ANSWER], { until }), "Expired");
    });

    it("an offer that lacks its signature or an answer starts no match and locks no stake", async () => {
      const transcript = await matchOf([ANSWER]);
      const unanswered = { ...transcript, actions: "0x" };
      const withheld = { ...transcript, signature1: transcript.signature2 };
      const challengeBy = (player: Player, brought: typeof transcript) =>
        w.channels.connect(player).challenge(pair.channel, FIRST, terms, brought);
      await expectRefused(w, () => challengeBy(w.alice, unanswered), "BadTranscript", [FIRST]);
      await expectRefused(w, () => challengeBy(w.bob, withheld), "NotSignedBy", [pair.keys[0].address]);
    });

    it("if two offers have the same number, only the match that is submitted first counts", async () => {
      await play(w.stranger, [ANSWER, WIN], { until: 4_000_000_001 });
      await expectUnchanged(w, () => play(w.stranger, [ANSWER, LOSS], { until: 4_000_000_002 }));
    });

    it("a player who signs two answers to one offer lets the opponent choose between them", async () => {
      for (const answer of [ANSWER, OTHER_ANSWER])
        await inPassing(async () => {
          await play(w.alice, [answer, WIN], { sender: Seat.One });
          expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
        });
    });

    it("a player who answers both of two offers that share a number can lose the first match, even after the first offer has expired", async () => {
      const until = Number(await now()) + 100;
      const first = await matchOf([ANSWER, WIN], { until });
      await time.increase(101);
      await expectRefused(w, () => w.channels.play(pair.channel, FIRST, terms, [first]), "Expired");
      await challenge(w.bob, [OTHER_ANSWER]);
      await w.channels.play(pair.channel, FIRST, terms, [first]);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
    });

    it("a match whose clock is out of bounds can be played to its end, but cannot be used for a challenge", async () => {
      const its = { ...terms, clock: 59n };
      const refused = () => challenge(w.bob, [ANSWER], {}, FIRST, its);
      await expectRefused(w, refused, "ClockOutOfBounds", [59, 60, 30n * DAY]);
      await play(w.stranger, [ANSWER, WIN], {}, FIRST, its);
    });

    it("a match whose stakes exceed a player's amount can neither be played nor used for a challenge", async () => {
      for (const high of [{ stake1: AMOUNT + 1n }, { stake2: AMOUNT + 1n }]) {
        const its = { ...terms, ...high };
        await expectRefused(w, () => play(w.stranger, [ANSWER, WIN], {}, FIRST, its), "StakesTooHigh");
        await expectRefused(w, () => challenge(w.bob, [ANSWER], {}, FIRST, its), "StakesTooHigh");
      }
    });

    it("terms with another token or fee are refused", async () => {
      for (const [its, values] of [
        [{ ...terms, token: COIN }, [COIN, 2000n]],
        [{ ...terms, feeBps: 0n }, [terms.token, 0n]],
      ] as const)
        await expectRefused(w, () => play(w.stranger, [ANSWER, WIN], {}, FIRST, its), "WrongChannelTerms", values);
    });
  });

  describe("given messages that were signed for something else", () => {
    const forged = async (changes: object, its = terms) => {
      const transcript = { ...(await matchOf([ANSWER, WIN])), ...changes };
      return w.channels.connect(w.stranger).play(pair.channel, FIRST, its, [transcript], { gasLimit: 10_000_000 });
    };

    it("a transcript with another position, end, seat order or terms is refused", async () => {
      for (const changes of [{ position: id("other") }, { until: 1_999_999_999 }, { swapped: true }])
        await expectRefused(w, () => forged(changes), "NotSignedBy");
      await expectRefused(w, () => forged({}, { ...terms, stake2: 0n }), "NotSignedBy");
    });

    it("a transcript with another action is refused", async () => {
      const [one, other] = [await matchOf([ANSWER, WIN]), await matchOf([ANSWER, DRAW])];
      const changes = { actions: other.actions, signature2: one.signature2 };
      await expectRefused(w, () => forged(changes), "NotSignedBy", [pair.keys[0].address]);
    });

    it("messages of another channel are refused", async () => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      await other.open(STAKE, STAKE, w.times.until);
      const transcript = await matchOf([ANSWER, WIN]);
      await expectRefused(w, () => w.channels.play(other.channel, FIRST, terms, [transcript]), "NotSignedBy");
      await w.channels.checkpoint(...(await other.balance(FIRST, STAKE, STAKE, { close: true })));
    });

    it("messages of another chain or another channels contract are refused", async () => {
      const { chainId, channels } = pair.at;
      for (const at of [
        { chainId: chainId + 1n, channels },
        { chainId, channels: w.stranger.address },
      ]) {
        const elsewhere = Object.assign(Object.create(pair) as Pair, { at });
        const transcript = await elsewhere.transcript(FIRST, terms, { position: OFFERED, actions: [ANSWER, WIN] });
        await expectRefused(w, () => w.channels.play(pair.channel, FIRST, terms, [transcript]), "NotSignedBy");
      }
    });

    it("a match is not settled twice", async () => {
      await play(w.stranger, [ANSWER, WIN]);
      await expectUnchanged(w, () => play(w.stranger, [ANSWER, WIN]));
    });

    it("a call that plays one match and challenges with the next succeeds even if somebody has already played the first match", async () => {
      const { interface: abi } = w.channels;
      const won = await matchOf([ANSWER, WIN]);
      const next = await matchOf([ANSWER], {}, FIRST + 1);
      await play(w.stranger, [ANSWER, WIN]);
      await w.channels
        .connect(w.bob)
        .multicall([
          abi.encodeFunctionData("play", [pair.channel, FIRST, terms, [won]]),
          abi.encodeFunctionData("challenge", [pair.channel, FIRST + 1, terms, next]),
        ]);
      expect(await statusOf(FIRST + 1)).to.equal(Status.AllJoined);
    });

    it("a transcript without a player's signature is accepted only from that player or its session key", async () => {
      const transcript = await matchOf([ANSWER, WIN], { sender: Seat.One });
      for (const sender of [w.stranger, w.bob]) {
        const send = () => w.channels.connect(sender).play(pair.channel, FIRST, terms, [transcript]);
        await expectRefused(w, send, "NotSignedBy", [pair.keys[0].address]);
      }
      const key = await fundedKey(pair.keys[0]);
      await w.channels.connect(key).play(pair.channel, FIRST, terms, [transcript]);
    });

    it("an operator can challenge and act, but cannot replace the player's signature", async () => {
      for (const player of [w.alice, w.bob]) await w.arena.connect(player).allow(w.carol, w.times.until);
      const transcript = await matchOf([ANSWER, WIN], { sender: Seat.One });
      const send = () => w.channels.connect(w.carol).play(pair.channel, FIRST, terms, [transcript]);
      await expectRefused(w, send, "NotSignedBy", [pair.keys[0].address]);
      await challenge(w.carol, [ANSWER]);
      await w.arena.connect(w.carol).act(matchId(), WIN);
      expect(await statusOf()).to.equal(Status.P1Win);
    });
  });

  describe("given a match that a player does not end", () => {
    it("a player who withholds its reveal loses by the clock", async () => {
      await challenge(w.bob, [ANSWER]);
      await expectRefused(w, () => w.arena.timeout(matchId()), "TooEarly");
      await time.increase(Number(HOUR) + 1);
      await w.arena.timeout(matchId());
      expect(await statusOf()).to.equal(Status.P2WinInactive);
      expect(await amounts()).to.deep.equal([AMOUNT - STAKE, AMOUNT - STAKE]);
    });

    it("every challenge gives both players their full clocks, even if it supersedes another challenge", async () => {
      const opening = [ANSWER, step(Seat.Two), step(Seat.One)];
      for (const [count, sender] of [
        [1, w.bob],
        [2, w.alice],
        [3, w.bob],
      ] as const) {
        await challenge(sender, opening.slice(0, count));
        const { deadline, reserve } = await w.arena.matchOf(matchId());
        expect([deadline, reserve]).to.deep.equal([(await now()) + HOUR, HOUR]);
        await time.increase(1000);
      }
    });

    it("only the player who acted last, or that player's key or operator, can challenge", async () => {
      const refused = (sender: Player) => expectRefused(w, () => challenge(sender, [ANSWER]), "NotTheMover");
      await refused(w.alice);
      await refused(w.stranger);
      await w.arena.connect(w.bob).allow(w.carol, w.times.until);
      await inPassing(async () => challenge(w.carol, [ANSWER]));
      await challenge(await fundedKey(pair.keys[1]), [ANSWER]);
    });

    it("a challenged match whose clock has run out cannot be taken back, and ends only by a timeout", async () => {
      await challenge(w.bob, [ANSWER]);
      const { deadline } = await w.arena.matchOf(matchId());
      await time.increaseTo(deadline);
      for (const send of [
        () => play(w.stranger, [ANSWER, WIN]),
        () => challenge(w.alice, [ANSWER, step(Seat.Two)]),
        () => checkpoint(FIRST + 1, AMOUNT, AMOUNT),
      ])
        await expectRefused(w, send, "TooLate");
      await w.arena.timeout(matchId());
      await play(w.stranger, [ANSWER, WIN], {}, FIRST + 1);
      expect(await amounts()).to.deep.equal([AMOUNT - FEE, AMOUNT - 2n * STAKE]);
    });

    it("a challenge can be taken back with newer messages even after the end of the offer", async () => {
      const until = Number(await now()) + 100;
      await challenge(w.bob, [ANSWER], { until });
      await time.increase(101);
      await play(w.stranger, [ANSWER, WIN], { until });
      expect(await statusOf()).to.equal(Status.P1Canceled);
    });

    it("a player cannot challenge when it is the player's own turn", async () => {
      const actions = [ANSWER, step(Seat.One)];
      await expectRefused(w, () => challenge(w.alice, actions, { seats: [Seat.Two, Seat.One] }), "StillInTurn");
    });

    it("a challenge that omits the opponent's reveal is taken back by playing the whole match", async () => {
      await challenge(w.bob, [ANSWER]);
      await play(w.stranger, [ANSWER, WIN]);
      expect(await statusOf()).to.equal(Status.P1Canceled);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
    });

    it("a player can answer a challenge with an ordinary action, which is irrevocable", async () => {
      await challenge(w.bob, [ANSWER]);
      await w.arena.connect(w.alice).act(matchId(), WIN);
      expect(await statusOf()).to.equal(Status.P1Win);
      await expectUnchanged(w, () => play(w.stranger, [ANSWER, WIN]));
      await expectRefused(w, () => challenge(w.bob, [ANSWER]), "WrongNonce");
    });

    it("an action on chain is irrevocable even if it does not end the match", async () => {
      const actions = [ANSWER, step(Seat.Two), step(Seat.One)];
      await challenge(w.alice, actions.slice(0, 2));
      await w.arena.connect(w.bob).act(matchId(), step(Seat.One));
      expect(await w.arena.postedOf(matchId())).to.deep.equal([false, 0n]);
      await expectRefused(w, () => challenge(w.bob, [...actions, WIN].slice(0, 3)), "WrongNonce");
      await expectUnchanged(w, () => play(w.stranger, [...actions, WIN], { seen: true }));
      // The channel continues with the next match; a later balance does not take back the match on chain.
      await checkpoint(FIRST + 2, AMOUNT - STAKE, AMOUNT - STAKE);
      await w.arena.connect(w.alice).act(matchId(), WIN);
      expect(await statusOf()).to.equal(Status.P1Win);
    });

    it("a challenge that replaces an already answered move is superseded by the longer transcript", async () => {
      const opening = [ANSWER, step(Seat.Two), step(Seat.One)];
      await challenge(w.alice, [ANSWER, concat([step(Seat.Two), id("another move")])]);
      await challenge(w.bob, opening);
      expect((await w.arena.matchOf(matchId())).turn).to.equal(Seat.One);
      const again = () => challenge(w.alice, [ANSWER, concat([step(Seat.Two), id("another move")])]);
      await expectRefused(w, again, "NotNewer", [FIRST, 2, 1, 3]);
      await expectRefused(w, () => challenge(w.bob, opening), "NotNewer", [FIRST, 3, 3, 3]);
    });

    it("a player who may act several times in a row cannot replace a move that was already answered", async () => {
      const other = [ANSWER, step(Seat.One), step(Seat.One), step(Seat.Two)];
      for (const swapped of [false, true])
        await inPassing(async () => {
          const [one, two] = swapped ? [w.bob, w.alice] : [w.alice, w.bob];
          await challenge(two, [ANSWER, step(Seat.Two), step(Seat.One)], { swapped });
          await expectRefused(w, () => challenge(one, other, { swapped }), "NotNewer", [FIRST, 4, 1, 3]);
        });
    });

    it("in a game without alternating turns, a player who posts a longer row of other moves cannot be stopped", async () => {
      const row = [concat([step(Seat.Two), id("other")]), step(Seat.Two), step(Seat.One)];
      await challenge(w.bob, row, { seats: [Seat.Two, Seat.Two, Seat.Two] });
      await expectRefused(w, () => challenge(w.alice, [ANSWER, step(Seat.Two)]), "NotNewer", [FIRST, 2, 1, 3]);
    });
  });

  describe("given a match whose last move was a free choice", () => {
    const game = [ANSWER, step(Seat.Two), step(Seat.One), WIN];

    it("an end signed only by its winner is not final, but a silent opponent loses", async () => {
      await expectRefused(w, () => play(w.alice, game, { sender: Seat.One }), "NotFinal", [FIRST, Seat.None]);
      await challenge(w.alice, game);
      await expectRefused(w, () => w.arena.connect(w.bob).act(matchId(), LOSS), "MatchIsOver", [matchId()]);
      await time.increase(Number(HOUR) + 1);
      await w.arena.timeout(matchId());
      expect(await statusOf()).to.equal(Status.P1WinInactive);
    });

    it("given a move that the opponent has answered, a winning move in its place is superseded by the answer", async () => {
      await challenge(w.alice, game);
      const other = concat([step(Seat.Two), id("another last move")]);
      await challenge(w.bob, [...game.slice(0, 3), other, step(Seat.One)]);
      expect((await w.arena.matchOf(matchId())).turn).to.equal(Seat.One);
      await expectRefused(w, () => challenge(w.alice, game), "NotNewer", [FIRST, 4, 3, 5]);
      await expectRefused(w, () => play(w.stranger, game, { seen: true }), "NotNewer", [FIRST, 5, 5, 5]);
    });

    it("a player can resign instead of consenting to the end of a match", async () => {
      await challenge(w.alice, game);
      await w.arena.connect(w.bob).resign(matchId());
      expect(await statusOf()).to.equal(Status.P1Win);
      await expectUnchanged(w, () => play(w.stranger, game, { seen: true }));
    });

    it("an empty message that acknowledges a move cannot be submitted as an action that loses the match", async () => {
      const transcript = await matchOf(game.slice(0, 2), { seen: true });
      const actions = concat([transcript.actions, "0x0000"]);
      const nothing = { ...transcript, seen: false, actions, signature1: "0x" };
      const send = () => w.channels.connect(w.alice).play(pair.channel, FIRST, terms, [nothing]);
      await expectRefused(w, send, "BadTranscript", [FIRST]);
    });

    it("a challenge with the last move publishes the signature of that move, so that the opponent can consent to the end", async () => {
      const drawn = [...game.slice(0, 3), DRAW];
      await expectRefused(w, () => challenge(w.alice, drawn, { sender: Seat.One }), "NotSignedBy", [w.alice.address]);
      await challenge(w.alice, drawn);
      await play(w.bob, drawn, { seen: true });
      expect(await amounts()).to.deep.equal([AMOUNT, AMOUNT]);
    });

    it("an end is final once the opponent acknowledges it, by signing it or by submitting it", async () => {
      await inPassing(() => play(w.stranger, game, { seen: true }));
      await inPassing(() => play(w.bob, game, { sender: Seat.Two }));
      await challenge(w.alice, game);
      await play(w.stranger, game, { seen: true });
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
    });

    it("a player in either seat cannot make the end final by submitting the player's own last move", async () => {
      for (const swapped of [false, true]) {
        const [mover, other] = swapped ? [w.bob, w.alice] : [w.alice, w.bob];
        await expectRefused(w, () => play(mover, game, { swapped, sender: Seat.One }), "NotFinal");
        await inPassing(() => play(other, game, { swapped, sender: Seat.Two }));
      }
    });

    it("an end that makes the mover lose can be submitted only by the opponent, or with the opponent's consent", async () => {
      const lost = [...game.slice(0, 3), LOSS];
      await expectRefused(w, () => play(w.stranger, [...game.slice(0, 3), DRAW]), "NotFinal");
      for (const sender of [w.stranger, w.bob]) await expectRefused(w, () => play(sender, lost), "NotFinal");
      await inPassing(() => play(w.stranger, lost, { seen: true }));
      await play(w.bob, lost, { sender: Seat.Two });
      expect(await amounts()).to.deep.equal([AMOUNT - STAKE, AMOUNT + STAKE - FEE]);
    });

    it("a player cannot lose an old match on purpose so that the house fee makes a newer balance too high", async () => {
      const lost = [...game.slice(0, 3), LOSS];
      const balance = await pair.balance(FIRST + 9, 0n, 2n * AMOUNT);
      for (const how of [{}, { sender: Seat.One }])
        await expectRefused(w, () => play(w.alice, lost, how), "NotFinal", [FIRST, Seat.None]);
      await expectRefused(w, () => challenge(w.alice, lost), "IsFinal", [FIRST]);
      await w.channels.checkpoint(...balance);
      expect(await amounts()).to.deep.equal([0n, 2n * AMOUNT]);
    });

    it("a player who challenges with an old match cannot resign it, so that a newer balance can take it back", async () => {
      const balance = await pair.balance(FIRST + 9, 0n, 2n * AMOUNT);
      await challenge(w.alice, game.slice(0, 2));
      await expectRefused(w, () => w.arena.connect(w.alice).resign(matchId()), "MatchWaits", [matchId()]);
      await inPassing(() => w.arena.connect(w.bob).resign(matchId()));
      await w.channels.checkpoint(...balance);
      expect(await amounts()).to.deep.equal([0n, 2n * AMOUNT]);
    });

    it("a final match cannot be used for a challenge", async () => {
      await expectRefused(w, () => challenge(w.alice, [ANSWER, WIN]), "IsFinal", [FIRST]);
      await expectRefused(w, () => challenge(w.alice, game, { seen: true }), "IsFinal", [FIRST]);
      await expectRefused(w, () => challenge(w.alice, [...game.slice(0, 3), LOSS]), "IsFinal", [FIRST]);
    });
  });

  describe("given a transcript that starts from a base", () => {
    const actions = [ANSWER, concat([step(Seat.Two), id("base")]), concat([step(Seat.One), id("after")])];
    const places = [ZeroHash, placeOf(Seat.Two, id("base")), ZeroHash];
    const base = { count: 2, turn: Seat.Two, position: id("base") };

    it("a base is accepted if each player has signed that message or a later one", async () => {
      await challenge(w.bob, actions, { places, base });
      expect(await w.arena.positionOf(matchId())).to.equal(id("after"));
      await play(w.stranger, [...actions, WIN], { places: [...places, ZeroHash], base, seen: true });
    });

    it("a base is refused if its turn, position or number was changed", async () => {
      const transcript = await matchOf(actions, { places, base });
      const [own] = transcript.base;
      for (const changes of [{ position: id("forged") }, { turn: Seat.One }, { count: 3 }, { prev: id("forged") }]) {
        const forged = { ...transcript, base: [{ ...own, ...changes }] };
        const send = () =>
          w.channels.connect(w.bob).challenge(pair.channel, FIRST, terms, forged, { gasLimit: 10_000_000 });
        await expectRefused(w, send, "NotSignedBy");
      }
    });

    it("a message without a `place` cannot be a base", async () => {
      const transcript = await matchOf(actions);
      const { base: forged } = await matchOf(actions, { places, base });
      const send = () =>
        w.channels.connect(w.bob).challenge(pair.channel, FIRST, terms, {
          ...transcript,
          base: forged,
          actions: encodeActions(actions.slice(2)),
        });
      await expectRefused(w, send, "NotSignedBy", [pair.keys[0].address]);
    });

    it("a move with a made-up `place` can be a base once the opponent has acted after that move", async () => {
      const made = { count: 2, turn: Seat.Two, position: id("made up") };
      const signed = { places: [ZeroHash, placeOf(Seat.Two, id("made up")), ZeroHash], base: made };
      await challenge(w.bob, actions, signed);
      const [{ args }] = await w.channels.queryFilter(w.channels.filters.Challenged());
      expect(args.position).to.equal(id("made up"));
    });
  });

  describe("given an old match or an old balance", () => {
    it("a challenge with an old match in the channel's last second is taken back by the newest balance", async () => {
      await networkHelpers.time.setNextBlockTimestamp(w.times.until);
      await challenge(w.bob, [ANSWER]);
      await expectRefused(w, () => w.channels.expire(pair.channel), "MatchPosted", [matchId()]);
      await checkpoint(FIRST + 50, AMOUNT + STAKE, AMOUNT - STAKE);
      expect(await statusOf()).to.equal(Status.P1Canceled);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE, AMOUNT - STAKE]);
      await w.channels.connect(w.stranger).expire(pair.channel);
      expect(await w.arena.purseOf(w.alice, terms.token)).to.equal(1000n * UNIT + STAKE);
      await expectRefused(w, () => w.channels.expire(pair.channel), "NotOpen", [pair.id]);
    });

    it("while a challenge with an old match is pending, no other match starts, so that the old match can be taken back", async () => {
      await challenge(w.bob, [ANSWER]);
      await expectRefused(w, () => challenge(w.bob, [ANSWER], {}, FIRST + 1), "MatchPosted", [matchId()]);
      await expectRefused(w, () => play(w.bob, [ANSWER, WIN], {}, FIRST + 1), "MatchPosted", [matchId()]);
      const calls = [
        w.channels.interface.encodeFunctionData("checkpoint", [...(await pair.balance(FIRST + 1, AMOUNT, AMOUNT))]),
        w.channels.interface.encodeFunctionData("challenge", [
          pair.channel,
          FIRST + 1,
          terms,
          await matchOf([ANSWER], {}, FIRST + 1),
        ]),
      ];
      await w.channels.connect(w.bob).multicall(calls);
      expect([await statusOf(), await statusOf(FIRST + 1)]).to.deep.equal([Status.P1Canceled, Status.AllJoined]);
      await w.arena.connect(w.alice).act(matchId(FIRST + 1), WIN);
    });

    it("an old balance changes nothing", async () => {
      await checkpoint(FIRST + 5, AMOUNT + 1n, AMOUNT - 1n);
      for (const nonce of [FIRST + 5, FIRST + 4]) await checkpoint(nonce, AMOUNT - 1n, AMOUNT + 1n);
      expect(await amounts()).to.deep.equal([AMOUNT + 1n, AMOUNT - 1n]);
      await expectRefused(w, () => checkpoint(FIRST + 4, 0n, 2n * AMOUNT, { close: true }), "WrongNonce");
    });

    it("balances and matches of an earlier opening have no effect in a later opening", async () => {
      const late = await pair.balance(FIRST + 500, 2n * AMOUNT, 0n);
      const offered = await matchOf([ANSWER, WIN], {}, FIRST + 1);
      await checkpoint(FIRST + 1, AMOUNT, AMOUNT, { close: true });
      await pair.open(AMOUNT, AMOUNT, w.times.until);
      expect((await pair.state()).nonce).to.equal(2 * FIRST);
      await expectRefused(w, () => w.channels.checkpoint(...late), "WrongNonce", [FIRST + 500, 2 * FIRST]);
      await expectUnchanged(w, () => w.channels.play(pair.channel, FIRST + 1, terms, [offered]));
    });

    it("an opening has 16,383 match numbers, and refuses the numbers of the next opening", async () => {
      const last = 2 * FIRST - 1;
      await checkpoint(last - 1, AMOUNT, AMOUNT);
      await play(w.stranger, [ANSWER, DRAW], {}, last - 1);
      expect(await pair.state()).to.include({ amount1: AMOUNT, amount2: AMOUNT, nonce: last });
      await expectRefused(w, () => play(w.stranger, [ANSWER, WIN], {}, last), "NoncesUsedUp", [pair.id, last]);
      await expectRefused(w, () => challenge(w.bob, [ANSWER], {}, last), "NoncesUsedUp", [pair.id, last]);
      await expectRefused(w, () => checkpoint(last + 1, AMOUNT, AMOUNT), "WrongNonce");
      await checkpoint(last, AMOUNT, AMOUNT, { close: true });
    });
  });

  describe("given an opponent who is faster", () => {
    it("a batch in which one match is already settled settles the others", async () => {
      const transcripts = await Promise.all([0, 1, 2].map((i) => matchOf([ANSWER, WIN], {}, FIRST + i)));
      await w.channels.connect(w.bob).play(pair.channel, FIRST, terms, transcripts.slice(0, 1));
      await w.channels.connect(w.alice).play(pair.channel, FIRST, terms, transcripts);
      expect((await pair.state()).nonce).to.equal(FIRST + 3);
      expect(await amounts()).to.deep.equal([AMOUNT + 3n * (STAKE - FEE), AMOUNT - 3n * STAKE]);
    });

    it("a batch supersedes a challenge with its first match, but skips that match if the match has ended on chain", async () => {
      const transcripts = await Promise.all([0, 1].map((i) => matchOf([ANSWER, WIN], {}, FIRST + i)));
      const batch = () => w.channels.connect(w.alice).play(pair.channel, FIRST, terms, transcripts);
      await challenge(w.bob, [ANSWER]);
      await inPassing(async () => {
        await batch();
        expect(await amounts()).to.deep.equal([AMOUNT + 2n * (STAKE - FEE), AMOUNT - 2n * STAKE]);
      });
      await w.arena.connect(w.alice).act(matchId(), WIN);
      await batch();
      expect(await amounts()).to.deep.equal([AMOUNT - STAKE + STAKE - FEE, AMOUNT - 2n * STAKE]);
    });

    it("a match that is not final makes the whole batch fail", async () => {
      const transcripts = [
        await matchOf([ANSWER, WIN]),
        await matchOf([ANSWER], {}, FIRST + 1),
        await matchOf([ANSWER, WIN], {}, FIRST + 2),
      ];
      const send = () => w.channels.play(pair.channel, FIRST, terms, transcripts);
      await expectRefused(w, send, "NotFinal", [FIRST + 1, Seat.One]);
    });

    it("a call with `checkpoint` and `play` succeeds even if the opponent first sends the checkpoint and a newer challenge", async () => {
      const balance = await pair.balance(FIRST + 3, AMOUNT + 7n, AMOUNT - 7n);
      const over = await matchOf([ANSWER, WIN], {}, FIRST + 3);
      const calls = [
        w.channels.interface.encodeFunctionData("checkpoint", [...balance]),
        w.channels.interface.encodeFunctionData("play", [pair.channel, FIRST + 3, terms, [over]]),
      ];
      await w.channels.checkpoint(...balance);
      await challenge(w.bob, [ANSWER], {}, FIRST + 3);
      await w.channels.connect(w.alice).multicall(calls);
      expect(await amounts()).to.deep.equal([AMOUNT + 7n + STAKE - FEE, AMOUNT - 7n - STAKE]);
    });
  });

  describe("given an action that the game refuses", () => {
    const refused = "0x09";

    it("the player of the action loses the pot and gets a forfeit, and no fee is charged", async () => {
      const its = { ...terms, rated: true };
      await play(w.stranger, [refused], { seen: true }, FIRST, its);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE, AMOUNT - STAKE]);
      const record = await fieldsOf(w.arena, "recordOf", terms.game, w.bob.address);
      expect([record.losses, record.forfeits]).to.deep.equal([1n, 1n]);
    });

    it("each refused action in a batch loses its match", async () => {
      const its = { ...terms, rated: true };
      const batch = await Promise.all(
        [[refused], [ANSWER, refused], [refused], [ANSWER, WIN]].map((actions, i) =>
          matchOf(actions, { seen: actions.at(-1) === refused }, FIRST + i, its),
        ),
      );
      await w.channels.connect(w.stranger).play(pair.channel, FIRST, its, batch);
      expect(await amounts()).to.deep.equal([AMOUNT + 2n * STAKE - FEE, AMOUNT - 2n * STAKE]);
      const forfeits = await Promise.all(
        [w.alice, w.bob].map(
          async (player) => (await fieldsOf(w.arena, "recordOf", terms.game, player.address)).forfeits,
        ),
      );
      expect(forfeits).to.deep.equal([1n, 2n]);
    });

    it("too little gas does not count as a refusal by the game, not even in a batch", async () => {
      const transcripts = [await matchOf([ANSWER, WIN]), await matchOf([refused], { seen: true }, FIRST + 1)];
      const send = (gasLimit: number) => w.channels.play(pair.channel, FIRST, terms, transcripts, { gasLimit });
      for (const gasLimit of [300_000, 1_000_000, 4_500_000])
        await expectRefused(w, () => send(gasLimit), "TooLittleGas");
      await send(6_000_000);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE + STAKE, AMOUNT - 2n * STAKE]);
    });

    it("a step with both a winner and a next turn is refused, and nobody loses", async () => {
      await expectRefused(w, () => play(w.stranger, [step(Seat.One, Seat.One)]), "BadChannelStep");
    });
  });

  describe("given the opening", () => {
    it("a signed opening can be used only once, and only while the channel is closed", async () => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      const args = await other.opening(STAKE, STAKE, w.times.until, 0);
      await w.channels.connect(w.stranger).open(...args);
      await expectRefused(w, () => w.channels.open(...args), "AlreadyOpen", [other.id]);
      await w.channels.checkpoint(...(await other.balance(FIRST, STAKE, STAKE, { close: true })));
      await expectRefused(w, () => w.channels.open(...args), "NotSignedBy", [w.alice.address]);
    });

    it("if a reorganisation undoes the opening, messages of that opening are refused", async () => {
      const other = await w.pairOf(w.alice, w.bob, ["other 1", "other 2"]);
      await inPassing(() => other.open(STAKE, STAKE, w.times.until));
      const transcript = await other.transcript(FIRST, terms, { position: OFFERED, actions: [ANSWER, WIN] });
      const send = () => w.channels.play(other.channel, FIRST, terms, [transcript]);
      await expectRefused(w, send, "NotOpen", [other.id]);
    });

    it("a contract wallet is queried only at the opening, and afterwards its session key signs for it", async () => {
      const wallet = await deployMock("Wallet1271", w.carol);
      await w.arena.connect(w.carol).deposit(w.fight, STAKE, wallet);
      const other = await Pair.of(w.channels, 31337, [w.carol, w.bob], {
        keys: [keyOf("wallet 1"), keyOf("wallet 2")],
        token: terms.token,
        player1: await wallet.getAddress(),
      });
      const args = await other.opening(STAKE, STAKE, w.times.until, 2);
      await wallet.answer(false);
      await expectRefused(w, () => w.channels.connect(w.bob).open(...args), "NotSignedBy", [await wallet.getAddress()]);
      await wallet.answer(true);
      await w.channels.connect(w.bob).open(...args);
      await wallet.answer(false);
      await w.channels.checkpoint(...(await other.balance(FIRST, 0n, 2n * STAKE, { close: true })));
      expect(await w.arena.purseOf(w.bob, terms.token)).to.equal(1000n * UNIT - AMOUNT + STAKE);
    });

    it("a change of the fee does not affect open channels", async () => {
      await w.arena.setFeeBps(100);
      await play(w.stranger, [ANSWER, WIN]);
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
      await challenge(w.bob, [ANSWER], {}, FIRST + 1);
      await w.arena.connect(w.alice).act(matchId(FIRST + 1), LOSS);
      expect(await w.arena.purseOf(w.bob, terms.token)).to.equal(1000n * UNIT - AMOUNT + 2n * STAKE - FEE);
    });
  });

  describe("given the end of the channel", () => {
    it("no player can close the channel alone before its end, but anyone can afterwards", async () => {
      await expectRefused(w, () => w.channels.connect(w.alice).expire(pair.channel), "StillOpen");
      await time.increaseTo(w.times.until);
      await networkHelpers.time.setNextBlockTimestamp(w.times.until + 1);
      await w.channels.connect(w.stranger).expire(pair.channel);
      expect(await w.arena.purseOf(w.bob, terms.token)).to.equal(1000n * UNIT);
      await expectRefused(w, () => play(w.stranger, [ANSWER, WIN]), "NotOpen", [pair.id]);
    });

    it("a stolen session key can lose no more than the channel holds", async () => {
      await checkpoint(FIRST + 1, 0n, 2n * AMOUNT, { close: true });
      expect(await w.arena.purseOf(w.alice, terms.token)).to.equal(1000n * UNIT - AMOUNT);
      const other = await w.pairOf(w.alice, w.bob, ["stolen", "other 2"]);
      const nonce = Number(await w.channels.firstNonceOf(other.id));
      const stolen = keyOf("stolen");
      const request = { channel: other.id, nonce, amount1: STAKE, amount2: STAKE, until: w.times.until };
      const { domain, types, value } = openRequest(other.at, request);
      const signature = await stolen.signTypedData(domain, types, value);
      const send = () => w.channels.connect(w.bob).open(other.channel, STAKE, STAKE, w.times.until, signature, "0x");
      await expectRefused(w, send, "NotSignedBy", [w.alice.address]);
    });

    it("the house's shares stay in the purse of the channels until somebody collects them for the treasury", async () => {
      await play(w.stranger, [ANSWER, WIN]);
      expect(await w.channels.sharesOf(terms.token)).to.equal(FEE);
      await w.channels.connect(w.stranger).collect(terms.token);
      expect(await w.arena.purseOf(w.treasury, terms.token)).to.equal(FEE);
      await checkpoint(FIRST + 2, AMOUNT - STAKE, AMOUNT - STAKE);
      expect(await w.channels.sharesOf(terms.token)).to.equal(2n * STAKE - FEE);
      await w.channels.collect(terms.token);
    });
  });

  describe("given strangers, both seats and hostile contracts", () => {
    it("only the channels contract can call the arena's hooks", async () => {
      const hooks = IChannelArena__factory.createInterface();
      const people = [w.alice.address, w.bob.address] as const;
      const calls: Record<string, readonly unknown[]> = {
        lock: [people[0], 1n, people[1], 1n, terms.token],
        release: [people[0], 1n, people[1], 1n, terms.token, 1n],
        rate: [terms, ...people, Seat.One, false, 1n, 1n],
        start: [1n, terms, ...people, Seat.One, ZeroHash, 1n],
        void: [1n],
      };
      const names: string[] = [];
      hooks.forEachFunction(({ name, stateMutability }) => {
        if (stateMutability !== "view") names.push(name);
      });
      expect(Object.keys(calls).sort()).to.deep.equal(names.sort());
      for (const [name, args] of Object.entries(calls)) {
        const data = hooks.encodeFunctionData(name as "lock", args as never);
        const send = () => w.stranger.sendTransaction({ to: w.arena, data });
        await expectRefused(w, send, "NotTheChannels", [w.stranger.address]);
      }
    });

    it("both players can take either seat, with unequal stakes, in a batch and in a challenge that is taken back", async () => {
      const its = { ...terms, stake1: STAKE, stake2: 3n * STAKE };
      const pot = 4n * STAKE;
      const won = pot - (pot * 2000n) / 10_000n;
      const batch = await Promise.all(
        [false, true].map((swapped, i) => matchOf([ANSWER, WIN], { swapped }, FIRST + i, its)),
      );
      await w.channels.connect(w.stranger).play(pair.channel, FIRST, its, batch);
      expect(await amounts()).to.deep.equal([AMOUNT + won - 4n * STAKE, AMOUNT + won - 4n * STAKE]);
      await challenge(w.alice, [ANSWER], { swapped: true }, FIRST + 2, its);
      expect(await amounts()).to.deep.equal([AMOUNT + won - 7n * STAKE, AMOUNT + won - 5n * STAKE]);
      const { player1, player2, turn } = await w.arena.matchOf(matchId(FIRST + 2));
      expect([player1, player2, turn]).to.deep.equal([w.bob.address, w.alice.address, Seat.One]);
      await inPassing(async () => {
        await play(w.stranger, [ANSWER, WIN], { swapped: true }, FIRST + 2, its);
        expect(await amounts()).to.deep.equal([AMOUNT + won - 7n * STAKE, AMOUNT + 2n * won - 5n * STAKE]);
      });
      await checkpoint(FIRST + 3, AMOUNT, AMOUNT - 8n * STAKE);
      expect(await amounts()).to.deep.equal([AMOUNT, AMOUNT - 8n * STAKE]);
    });

    it("a game that calls back is refused, and its match is settled as usual", async () => {
      const wild = await deployMock("WildGame");
      const its = { ...terms, game: await wild.getAddress() };
      const close = w.channels.interface.encodeFunctionData("checkpoint", [
        ...(await pair.balance(FIRST + 9, 0n, 2n * AMOUNT, { close: true })),
      ]);
      const other = await matchOf([ANSWER, WIN], {}, FIRST + 1);
      const calls = [
        close,
        w.channels.interface.encodeFunctionData("play", [pair.channel, FIRST + 1, terms, [other]]),
        w.channels.interface.encodeFunctionData("expire", [pair.channel]),
        w.channels.interface.encodeFunctionData("collect", [terms.token]),
        w.channels.interface.encodeFunctionData("multicall", [[close]]),
      ];
      await wild.arm("act", w.channels, calls, LOCK);
      await play(w.stranger, ["0x00", "0x00"], {}, FIRST, its);
      const answers = async () => ((await wild.answers()) as [boolean, string][]).map(([ok, data]) => [ok, data]);
      expect(await answers()).to.deep.equal(calls.map(() => [false, LOCK]));
      expect(await amounts()).to.deep.equal([AMOUNT + STAKE - FEE, AMOUNT - STAKE]);
    });

    it("a game that returns garbage makes its match revert, and nobody loses", async () => {
      const wild = await deployMock("WildGame");
      const its = { ...terms, game: await wild.getAddress() };
      for (const raw of ["0x", concat([toBeHex(4, 32), ZeroHash, ZeroHash, ZeroHash])]) {
        await wild.behave(ANSWERS_RAW, raw);
        await expectReverted(w, () => play(w.stranger, ["0x00", "0x00"], {}, FIRST, its));
      }
    });

    it("a token that refuses every transfer does not stop a match or the closing of a channel", async () => {
      const { odd, other, its } = await withOddToken();
      await odd.adopt(TOKENS.reverts);
      const transcript = await other.transcript(FIRST, its, { position: OFFERED, actions: [ANSWER, WIN] });
      await w.channels.play(other.channel, FIRST, its, [transcript]);
      await w.channels.checkpoint(...(await other.balance(FIRST + 1, 60n, 30n, { close: true })));
      await w.channels.collect(odd);
      const purses = await Promise.all([w.alice, w.bob, w.treasury].map((each) => w.arena.purseOf(each, odd)));
      expect(purses).to.deep.equal([110n, 80n, 10n]);
    });

    it("a token that calls back can play an unrated match, as anyone can, but cannot rate a match, close the channel or collect", async () => {
      const { odd, other, its } = await withOddToken();
      const encoded = w.channels.interface;
      const playing = async (of: Terms) => {
        const transcript = await other.transcript(FIRST, of, { position: OFFERED, actions: [ANSWER, WIN] });
        return encoded.encodeFunctionData("play", [other.channel, FIRST, of, [transcript]]);
      };
      const close = await other.balance(FIRST + 1, 60n, 30n, { close: true });
      const calls = [
        await playing({ ...its, rated: true }),
        await playing(its),
        encoded.encodeFunctionData("checkpoint", [...close]),
        encoded.encodeFunctionData("collect", [its.token]),
      ];
      await odd.arm("transfer", w.channels, calls, LOCK);
      await w.arena.connect(w.alice).withdraw(odd, 1n, w.alice);
      const answers = (await odd.answers()) as [boolean, string][];
      expect(answers.map(([ok, data]) => (ok ? "accepted" : data))).to.deep.equal([LOCK, "accepted", LOCK, LOCK]);
      expect(await other.state()).to.include({ amount1: 56n, amount2: 40n, nonce: FIRST + 1 });
    });
  });
});

/** Returns a signer of a key that can pay for gas. */
async function fundedKey(key: BaseWallet) {
  await networkHelpers.setBalance(key.address, UNIT);
  return key.connect(ethers.provider);
}
