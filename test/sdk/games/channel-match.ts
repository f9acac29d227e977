import { expect } from "chai";
import { channelIn } from "../../../sdk/chain/channel-record.js";
import { unpackCode, type TranscriptCode } from "../../../sdk/chain/channels.js";
import { NeverMinted } from "../../../sdk/chain/characters.js";
import type { Events } from "../../../sdk/chain/events.js";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord, ShownMatch } from "../../../sdk/chain/record.js";
import {
  channelRecord,
  contractStep,
  hasMoverLost,
  isFinal,
  isRefusal,
  offeredPosition,
  progressOf,
  replayUnfolded,
  unfolded,
  type OfferedMatch,
  type Progress,
  type SeatAction,
} from "../../../sdk/games/channel-match.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { Game__factory } from "../../../typechain-types/index.js";
import {
  ALICE,
  BOB,
  CHANNEL,
  CHANNELS,
  codeOf,
  FIRST,
  GAME,
  matchIdOf,
  opened,
  POSITION,
  TERMS,
  wordOf,
} from "../../support/made-up-events.js";
import {
  finish,
  logOf,
  MadeUpGame,
  offeredBy,
  offerOf,
  pass,
  positionAfter,
  REFUSED,
} from "../../support/made-up-game.js";

const { One, Two, None } = Seat;
const history = {} as History;
const channel = channelIn(opened().args as Events["Opened"]);
const ANSWER = pass(One, "0xaa");
const OFFER = offerOf(ANSWER);
const OFFERED = offeredBy(OFFER);
const offered: OfferedMatch = {
  chainId: 31_337n,
  channelId: CHANNEL,
  channel,
  nonce: FIRST,
  terms: TERMS,
  swapped: false,
  data: OFFER,
  position: OFFERED,
};
const act = (seat: bigint, data: Hex): SeatAction => ({ seat, data });
const messageOf = (error: unknown) => (error as Error).message;

/** Record of a match as a channel shows it. */
function shown(code: Partial<TranscriptCode>, brought: Hex[], changes: Partial<ShownMatch> = {}): MatchRecord {
  const record = channelRecord(offered);
  const match = { channel, code: unpackCode(codeOf(code)), position: OFFERED, brought, ...changes };
  return {
    ...record,
    createData: "0x",
    channel: { ...((code.turn ?? None) === None && { offered: match.position }), shown: match },
  };
}

describe("Matches in channels", () => {
  const { module } = new MadeUpGame();

  it("have records with the players by their seats, the answer and the actions", () => {
    const common = {
      chainId: 31_337n,
      matchId: matchIdOf(),
      terms: TERMS,
      createData: OFFER,
      logs: [],
      channel: { offered: OFFERED },
    };
    expect(channelRecord(offered)).to.deep.equal({
      ...common,
      player1: ALICE,
      player2: BOB,
      funded: [
        { seat: One, player: ALICE },
        { seat: Two, player: BOB },
      ],
      joinData: undefined,
      actions: [],
    });
    const actions = [act(Two, ANSWER), act(One, finish(One))];
    expect(channelRecord({ ...offered, swapped: true }, actions)).to.deep.equal({
      ...common,
      player1: BOB,
      player2: ALICE,
      funded: [
        { seat: One, player: BOB },
        { seat: Two, player: ALICE },
      ],
      joinData: ANSWER,
      actions: actions.slice(1),
    });
  });

  it("are offered with the position that their data makes", async () => {
    const making = channelRecord({ ...offered, position: undefined });
    expect(await offeredPosition(making, module, history)).to.equal(OFFERED);
    expect(await offeredPosition({ ...making, channel: undefined }, module, history)).to.equal(OFFERED);
    expect(await offeredPosition(channelRecord(offered), module, history)).to.equal(OFFERED);
    const other = offeredPosition(channelRecord({ ...offered, position: POSITION }), module, history);
    expect(await other.catch(messageOf)).to.equal(
      `the data makes the position ${OFFERED}, not the one offered, ${POSITION}`,
    );
  });

  describe("have a state after each action, which", () => {
    const stateOf = (...actions: SeatAction[]) => progressOf(channelRecord(offered, actions), module, history);
    const going = { winner: None, taker: None };

    it("is the offered position and player 2's turn before the answer", async () => {
      expect(await stateOf()).to.deep.equal({ ...going, count: 0, turn: Two, position: OFFERED, mover: None });
    });

    it("has the engine's turn and position while the match continues", async () => {
      const [first, second] = [positionAfter(OFFERED, ANSWER), pass(One)];
      expect(await stateOf(act(Two, ANSWER))).to.deep.equal({
        ...going,
        count: 1,
        turn: One,
        position: first,
        mover: Two,
      });
      expect(await stateOf(act(Two, ANSWER), act(One, second))).to.deep.equal({
        ...going,
        count: 2,
        turn: One,
        position: positionAfter(first, second),
        mover: One,
      });
    });

    it("has the engine's result at the end", async () => {
      const over = { count: 2, turn: None, position: NO_STATE, mover: One };
      expect(await stateOf(act(Two, ANSWER), act(One, finish(Two, None)))).to.deep.equal({
        ...over,
        winner: Two,
        taker: None,
      });
    });

    it("is a lost match of the seat whose action the game refuses", async () => {
      const over = { turn: None, position: NO_STATE, refusal: "it is refused" };
      expect(await stateOf(act(Two, REFUSED))).to.deep.equal({
        ...over,
        count: 1,
        mover: Two,
        winner: One,
        taker: One,
      });
      expect(await stateOf(act(Two, ANSWER), act(One, REFUSED))).to.deep.equal({
        ...over,
        count: 2,
        mover: One,
        winner: Two,
        taker: Two,
      });
    });

    it("is unknown if the engine fails, or does not know the turn", async () => {
      const record = channelRecord(offered, [act(Two, ANSWER)]);
      const failing = { ...module, replay: () => Promise.reject(new Error("broken")) };
      expect(await progressOf(record, failing, history).catch(messageOf)).to.equal("broken");
      for (const turns of [[], [undefined]]) {
        const vague = { ...module, replay: async () => ({ logs: [], turns, position: POSITION }) };
        expect(await progressOf(record, vague, history).catch(messageOf)).to.equal(
          "The engine of Pass does not know whose turn it is.",
        );
      }
    });
  });

  describe("can be unfolded from what the chain shows:", () => {
    const game = () => new MadeUpGame();
    const unfold = async (record: MatchRecord, { module } = game()) => unfolded(record, module, history);
    const begun = { createData: OFFER, joinData: ANSWER };

    it("the offer's data, the answer, and the seats of the actions", async () => {
      const actions = [pass(Two, "0x01"), pass(One, "0x02"), finish(One)];
      const record = { ...shown({}, [ANSWER, ...actions]), logs: [logOf(ANSWER)] };
      const made = game();
      const { record: whole, ...rest } = await unfold(record, made);
      expect(rest).to.deep.equal({});
      expect(whole).to.deep.equal({
        ...record,
        ...begun,
        actions: [act(One, actions[0]), act(Two, actions[1]), act(One, actions[2])],
        logs: [logOf(OFFER), logOf(ANSWER)],
      });
      // One replay of the offer, and one of the match with alternating seats.
      expect(made.replayed).to.have.length(2);
      expect(made.replayed[0]).to.deep.include({
        createData: OFFER,
        actions: [],
        logs: [],
        settlement: undefined,
        channel: { ...record.channel, answer: ANSWER },
      });
      expect(made.replayed[1]).to.deep.include({ logs: [], settlement: undefined });
    });

    it("the seats of actions that do not alternate, whether the game checks them or not", async () => {
      const actions = [pass(One, "0x01"), pass(One, "0x02"), pass(Two, "0x03"), finish(One)];
      for (const isStrict of [true, false]) {
        const made = new MadeUpGame({ isStrict });
        const { record } = await unfold(shown({}, [ANSWER, ...actions]), made);
        expect(record.actions.map(({ seat }) => seat)).to.deep.equal([One, One, One, Two]);
        expect(record.actions.map(({ data }) => data)).to.deep.equal(actions);
      }
    });

    it("the actions in the arena, after those in the channel", async () => {
      const later = [act(One, finish(Two))];
      const { record } = await unfold({ ...shown({ winner: None }, [ANSWER, pass(One)]), actions: later });
      expect(record.actions).to.deep.equal([act(One, pass(One)), ...later]);
      // The replays that find the seats do not contain the actions in the arena.
      const alone = await unfold({ ...shown({ winner: None }, [ANSWER]), actions: later });
      expect(alone.record.actions).to.deep.equal(later);
    });

    it("the actions after a base", async () => {
      const brought = [pass(Two, "0x01"), pass(Two, "0x02"), finish(Two)];
      for (const [turn, seats] of [
        [One, [One, Two, Two]],
        [Two, [Two, Two, Two]],
      ] as const) {
        const { record } = await unfold(shown({ turn }, brought, { position: POSITION }));
        expect(record.actions).to.deep.equal(brought.map((data, i) => act(seats[i], data)));
        expect(record).to.not.have.property("joinData", ANSWER);
        expect(record.createData).to.equal("0x");
      }
    });

    it("alternating actions after a base by one replay", async () => {
      const made = game();
      const { record } = await unfold(shown({ turn: One }, [pass(Two), finish(One)]), made);
      expect(record.actions.map(({ seat }) => seat)).to.deep.equal([One, Two]);
      expect(made.replayed).to.have.length(1);
    });

    it("nothing after a base if the game cannot resume", async () => {
      const record = shown({ turn: One }, [pass(Two), finish(One)]);
      expect(await unfold(record, new MadeUpGame({ hasResume: false }))).to.deep.equal({ record });
      const rules = { ...module, channels: undefined };
      expect(await unfolded(record, rules, history)).to.deep.equal({ record });
      const whole = await unfold(shown({}, [ANSWER, finish(One)]), new MadeUpGame({ hasResume: false }));
      expect(whole.record.actions).to.deep.equal([act(One, finish(One))]);
    });

    it("the seat whose action was refused, without a message after that action", async () => {
      for (const after of [[], ["0x"]]) {
        const record = shown({ winner: Two, forfeit: true }, [ANSWER, pass(Two), pass(One), REFUSED, ...after]);
        const actions = [act(One, pass(Two)), act(Two, pass(One))];
        const { record: whole, refused, attempt } = await unfold(record);
        expect(whole).to.deep.equal({ ...record, ...begun, actions, logs: [logOf(OFFER)] });
        expect(refused).to.equal(One);
        expect(attempt).to.deep.equal({ ...whole, actions: [...actions, act(One, REFUSED)] });
      }
    });

    it("the refused action after a base", async () => {
      const record = shown({ winner: One, forfeit: true, turn: Two }, [REFUSED]);
      const { refused, attempt } = await unfold(record);
      expect(refused).to.equal(Two);
      expect(attempt?.actions).to.deep.equal([act(Two, REFUSED)]);
    });

    it("an answer that the game refused", async () => {
      const record = shown({ winner: One, forfeit: true }, [ANSWER]);
      const attempt = { ...record, ...begun, logs: [logOf(OFFER)] };
      expect(await unfold(record)).to.deep.equal({ record, refused: Two, attempt });
    });

    it("an answer that was refused because it answers no offer, or another one", async () => {
      for (const record of [
        shown({ winner: One, forfeit: true }, ["0x"]),
        shown({ winner: One, forfeit: true }, [ANSWER], { position: POSITION }),
        shown({ winner: One, forfeit: true }, ["0x", "0x01"]),
      ])
        expect(await unfold(record)).to.deep.equal({ record, refused: Two });
    });

    it("no match whose answer answers no offer, unless that answer was refused", async () => {
      const failed = (code: Partial<TranscriptCode>, brought: Hex[], made = game()) =>
        unfold(shown(code, brought), made).then(() => "unfolded", messageOf);
      expect(await failed({}, ["0x"])).to.equal("it answers no offer");
      expect(await failed({ winner: Two, forfeit: true }, ["0x", "0x01"])).to.equal("it answers no offer");
      const broken = game();
      broken.module.channels!.createdBy = () => {
        throw new Error("broken");
      };
      expect(await failed({ winner: One, forfeit: true }, [ANSWER], broken)).to.equal("broken");
    });

    it("no match whose action the game refuses without a forfeit", async () => {
      for (const brought of [[REFUSED], [ANSWER, REFUSED], [ANSWER, pass(One), REFUSED, pass(Two)]]) {
        const record = shown({}, brought, { position: offeredBy(offerOf(brought[0])) });
        expect(await unfold(record).then(() => "unfolded", messageOf)).to.equal("it is refused");
      }
    });
  });

  it("are replayed from the offer, or from a base without an answer", async () => {
    const record = channelRecord(offered, [act(Two, ANSWER)]);
    const replay = (changes: Partial<MatchRecord>, turn: bigint) => {
      const { channel } = shown({ turn }, [], { position: POSITION });
      return replayUnfolded({ ...record, channel, ...changes }, module, history);
    };
    const fromOffer = [positionAfter(OFFERED, ANSWER), positionAfter(POSITION, ANSWER)];
    expect((await replay({}, None)).position).to.equal(fromOffer[0]);
    // A shown beginning gives the record an answer.
    expect((await replay({}, One)).position).to.equal(fromOffer[0]);
    const base = { joinData: undefined, actions: [act(One, ANSWER)] };
    expect((await replay(base, One)).position).to.equal(fromOffer[1]);
    expect((await replay({ joinData: undefined, actions: [] }, None)).position).to.equal(OFFERED);
  });

  describe("once they are over,", () => {
    const over: Progress = { count: 3, turn: None, position: NO_STATE, winner: One, taker: One, mover: One };

    it("are final if the other player has confirmed the end, or if the last mover had no choice", () => {
      const oneRound = { ...over, count: 2 };
      const refused = { ...oneRound, refusal: "refused" };
      const open = { ...oneRound, turn: One };
      const finals = [over, oneRound, refused, open].map((each) => [isFinal(each, false), isFinal(each, true)]);
      expect(finals).to.deep.equal([
        [false, true],
        [true, true],
        [false, true],
        [false, false],
      ]);
    });

    it("are lost for the last mover only if the other player takes the pot", () => {
      expect(hasMoverLost(over)).to.equal(false);
      expect(hasMoverLost({ ...over, taker: Two })).to.equal(true);
      expect(hasMoverLost({ ...over, taker: None })).to.equal(false);
      expect(hasMoverLost({ ...over, taker: Two, turn: One })).to.equal(false);
    });
  });

  describe("can be tried in the game's contract, which", () => {
    const contract = Game__factory.createInterface();
    const step = { turn: Two, winner: None, taker: None, position: wordOf(0x61) };
    const answer = contract.encodeFunctionResult("act", [step]);
    const record = channelRecord(offered, [act(Two, ANSWER)]);

    /** Calls the contract. @returns the step, and the call. */
    async function stepOf(tried: MatchRecord, action: SeatAction, answered: () => Promise<string>) {
      const calls: { from?: string; to?: string; data: string }[] = [];
      const provider = { call: (asked: (typeof calls)[number]) => (calls.push(asked), answered()) };
      const made = await contractStep({ provider } as unknown as History, CHANNELS, tried, POSITION, action);
      return { made, call: calls[0] };
    }

    const duel = [matchIdOf(), TERMS.mode, true, ALICE, BOB, POSITION];

    it("is called as by the channels contract, with an action of a seat", async () => {
      const { made, call } = await stepOf(record, act(One, "0x0102"), async () => answer);
      expect(made).to.deep.equal(step);
      expect(call).to.include({ from: CHANNELS, to: GAME });
      expect(contract.decodeFunctionData("act", call.data).toArray(true)).to.deep.equal([duel, One, "0x0102"]);
    });

    it("is called with the answer if there is none yet", async () => {
      const { call } = await stepOf(channelRecord(offered), act(Two, ANSWER), async () => answer);
      expect(contract.decodeFunctionData("join", call.data).toArray(true)).to.deep.equal([duel, ANSWER]);
    });

    it("refuses an action by a revert, which differs from a node that fails", async () => {
      const revert = Object.assign(new Error("execution reverted"), { code: "CALL_EXCEPTION" });
      expect((await stepOf(record, act(One, REFUSED), () => Promise.reject(revert))).made).to.equal(undefined);
      const failed = stepOf(record, act(One, REFUSED), () => Promise.reject(new Error("gone")));
      expect(await failed.catch(messageOf)).to.equal("gone");
    });
  });

  it("can be refused for reasons of the record, the input or the characters only", () => {
    const refusals = [new RecordError("x"), new InputError("x", "y"), new NeverMinted("fighter", 1n)];
    for (const error of refusals) expect(isRefusal(error), error.name).to.equal(true);
    for (const error of [new Error("x"), "x", undefined]) expect(isRefusal(error)).to.equal(false);
  });
});
