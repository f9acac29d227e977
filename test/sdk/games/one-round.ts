import { expect } from "chai";
import { concat, dataSlice, id, ZeroAddress, ZeroHash, type BaseContract } from "ethers";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { byteMove, encodeMove } from "../../../sdk/games/move-codec.js";
import { turnOf, type SecretStore } from "../../../sdk/games/moves.js";
import { oneRound } from "../../../sdk/games/one-round.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { answerTo, commitMove, revealFor } from "../../../sdk/protocol/commitment.js";
import { InputError, integer } from "../../../sdk/protocol/input.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { definition, HIGHEST, highPair } from "../../support/high-pair.js";

const BY = { chainId: 1n, game: ZeroAddress, player: ZeroAddress };
/** The default mode is known without a chain. */
const NO_HISTORY = undefined as unknown as History;
const paint = (text: string, player: number) => `<${player} ${text}>`;

/** Makes the record of a match, up to the reveal. */
function played(move1: string, move2: string): MatchRecord {
  const { secret, committed } = commitMove(BY, move1);
  const joinData = answerTo(committed, move2);
  return {
    chainId: BY.chainId,
    matchId: 7n,
    terms: { mode: ZeroHash, game: BY.game },
    player1: BY.player,
    player2: BY.player,
    createData: committed,
    joinData,
    actions: [{ seat: Seat.One, data: revealFor(secret, joinData) }],
    logs: [],
  } as unknown as MatchRecord;
}

/** Returns the error of a rejected promise. */
const refusal = (run: Promise<unknown>) => run.then(String, (error: unknown) => error as Error);

describe("A game in which each player commits one move", () => {
  it("given two moves, it prints the winner, the decoded log and its description", async () => {
    const input = {
      seed: ZeroHash,
      moves: [
        [20, 20],
        [3, 4],
      ],
    };
    const { winner, entries, words } = await highPair.simulate(input);
    expect([winner, entries[0].sum1, entries[0].sum2]).to.deep.equal([1, 40, 7]);
    expect(entries.map(({ sum1, sum2, die }) => BigInt(sum1 + 256 * sum2 + 65_536 * die))).to.deep.equal(
      words.map(BigInt),
    );
  });

  it("given a contract, it calls its preview with the seed, the mode and both encoded moves, and prints the result", async () => {
    const asked: unknown[][] = [];
    const staticCall = async (...args: unknown[]) => {
      asked.push(args);
      return [2n, [0x10203n]];
    };
    const contract = { getFunction: () => ({ staticCall }) } as unknown as BaseContract;
    const output = await highPair.simulate(
      {
        seed: ZeroHash,
        moves: [
          [1, 2],
          [3, 4],
        ],
      },
      contract,
    );
    expect(asked).to.deep.equal([[ZeroHash, "0x", "0x0102", "0x0304"]]);
    expect(output.winner).to.equal(2);
    expect(output.entries).to.deep.equal([{ sum1: 3, sum2: 2, die: 1 }]);
  });

  it("given input that breaks a rule, it names the field", async () => {
    const good = {
      seed: ZeroHash,
      moves: [
        [1, 2],
        [3, 4],
      ],
    };
    for (const [changes, message] of [
      [
        {
          moves: [
            [1, 2],
            [3, 21],
          ],
        },
        "moves[1][1]: 21 is above 20",
      ],
      [{ moves: [[1, 2]] }, "moves: 1 items instead of 2"],
      [{ mode: { a: 1 } }, "mode.a: unknown field"],
      [{ seed: undefined }, "seed: left out"],
    ] as const) {
      const error = await refusal(highPair.simulate({ ...good, ...changes }));
      expect(error).to.be.instanceOf(InputError).and.include({ message });
    }
  });

  it("given a seed, it draws the same random match, which is playable", async () => {
    const input = highPair.odds!.atRandom("0x", new SeededRandom(id("pairs")));
    expect(input).to.deep.equal(highPair.odds!.atRandom("0x", new SeededRandom(id("pairs"))));
    expect(await highPair.simulate(input))
      .to.have.property("words")
      .of.length(1);
  });

  it("given a match, it replays and describes it", async () => {
    const record = played("0x0a05", "0x0a06");
    const { logs, result, turns } = await highPair.replay(record, NO_HISTORY);
    expect([result, turns]).to.deep.equal([{ winner: 2n, taker: 2n }, [Seat.One, Seat.None]]);
    expect(logs[0].entries[0] & 0xffffn).to.equal(15n + 256n * 16n);
    expect(await highPair.story(record, NO_HISTORY, paint)).to.deep.equal([
      "<1 Player 1> plays 10 5",
      "<2 Player 2> plays 10 6",
      "<2 Player 2> wins",
    ]);
    expect((await highPair.story(played("0x0102", "0x0201"), NO_HISTORY, paint)).at(-1)).to.equal("A draw");
    expect(await highPair.story({ ...record, actions: [] }, NO_HISTORY, paint)).to.deep.equal([]);
    expect(await highPair.actionTexts!(record, NO_HISTORY)).to.deep.equal([
      "commits to a move",
      "answers with 10 6",
      "reveals 10 5",
    ]);
    expect(await highPair.decodeLog({ ...record, logs }, NO_HISTORY)).to.have.length(1);
  });

  it("given a match, it draws one frame with both moves, and with the decoded log or what the game makes of it", async () => {
    const record = played("0x0a05", "0x0a06");
    const [entry] = await highPair.decodeLog({ ...record, ...(await highPair.replay(record, NO_HISTORY)) }, NO_HISTORY);
    const frame = {
      text: "Player 1 plays 10 5. Player 2 plays 10 6. Player 2 wins",
      moves: ["10 5", "10 6"],
      result: { winner: 2, taker: 2 },
    };
    expect(await highPair.frames!(record, NO_HISTORY)).to.deep.equal([{ ...frame, entries: [entry] }]);
    const rules = { ...definition.rules, frame: (entries: readonly { sum1: number }[]) => ({ sum: entries[0].sum1 }) };
    const drawn = oneRound({ ...definition, rules });
    expect(await drawn.frames!(record, NO_HISTORY)).to.deep.equal([{ ...frame, sum: 15 }]);
    expect(await highPair.frames!({ ...record, actions: [] }, NO_HISTORY)).to.deep.equal([]);
  });

  it("given an illegal move of either player, it refuses the replay", async () => {
    for (const record of [played("0x1500", "0x0101"), { ...played("0x0101", "0x1500"), actions: [] }]) {
      const error = await refusal(highPair.replay(record, NO_HISTORY));
      expect(error).to.be.instanceOf(RecordError);
      expect(error).to.have.property("message", "match 7: 21 0 is no move of high-pair");
    }
  });

  it("given arguments, it reads the numbers that its usage names, and expects no arguments for a reveal", async () => {
    const { actions: _, ...offered } = played("0x0102", "0x0304");
    const open = { ...offered, actions: [] };
    const turn = turnOf({ ...open, joinData: undefined }, Seat.Two, BY.player, NO_HISTORY);
    const read = (...moveArgs: string[]) => highPair.moves.parse(moveArgs, turn);
    expect(await read("12", "3")).to.deep.equal([12, 3]);
    expect(await highPair.moves.args([12, 3], turn)).to.deep.equal(["12", "3"]);
    expect(await refusal(read("12"))).to.have.property("message", "move: 1 arguments instead of 2: CARD CARD");
    expect(await refusal(read("12", "x"))).to.have.property("message", 'move[1]: "x" is not an integer');
    expect(await refusal(read("12", "99"))).to.have.property("message", "move[1]: 99 is above 20");
    const reveal = turnOf(open, Seat.One, BY.player, NO_HISTORY);
    expect(await highPair.moves.parse([], reveal)).to.equal(undefined);
    expect(await highPair.moves.args(undefined, reveal)).to.deep.equal([]);
    for (const record of [open, played("0x0102", "0x0304")]) {
      expect(await highPair.moves.commitments!(record, Seat.One, NO_HISTORY)).to.deep.equal([record.createData]);
      expect(await highPair.moves.commitments!(record, Seat.Two, NO_HISTORY)).to.deep.equal([]);
    }
  });

  it("given a store of secrets, it commits, answers with a fresh salt or the salt that it has already shown, and reveals", async () => {
    const store: SecretStore = secretStoreWith(randomKey(), BY);
    const base = { ...played("0x0102", "0x0304"), joinData: undefined, actions: [] };
    const createData = await highPair.moves.create([5, 6], turnOf(base, Seat.One, BY.player, NO_HISTORY), store);
    const answering = turnOf({ ...base, createData }, Seat.Two, BY.player, NO_HISTORY);
    const joinData = await highPair.moves.join([3, 4], answering, store);
    expect(await highPair.moves.join([3, 4], answering, store)).not.to.equal(joinData);
    expect(await highPair.moves.join([3, 4], answering, store, joinData)).to.equal(joinData);
    const revealing = turnOf({ ...base, createData, joinData }, Seat.One, BY.player, NO_HISTORY);
    const data = await highPair.moves.act(undefined, revealing, store);
    const record = { ...revealing.record, actions: [{ seat: Seat.One, data }] };
    expect((await highPair.replay(record, NO_HISTORY)).result).to.deep.equal({ winner: 1n, taker: 1n });
    const tampered = {
      ...record,
      actions: [{ seat: Seat.One, data: concat([dataSlice(data, 0, 34), id("salt"), dataSlice(data, 66)]) }],
    };
    expect(await refusal(highPair.replay(tampered, NO_HISTORY))).to.be.instanceOf(RecordError);
  });

  it("given a custom part of a module, it uses that part", async () => {
    const own = oneRound({ ...definition, title: "Pairs", story: async () => ["once upon a time"] });
    expect(own.title).to.equal("Pairs");
    expect(await own.story(played("0x0102", "0x0304"), NO_HISTORY, paint)).to.deep.equal(["once upon a time"]);
    expect(own.replay).not.to.equal(undefined);
    expect([own.bot, own.odds!.calculator, own.modeFormat, own.decoder]).to.deep.equal(Array(4).fill(undefined));
  });

  it("given a strategy, its bot plays the moves of the strategy, and chooses no move for a reveal", async () => {
    const { rules } = definition;
    const own = oneRound({ ...definition, rules: { ...rules, choose: () => [HIGHEST, HIGHEST] } });
    const record = { ...played("0x0102", "0x0304"), actions: [] };
    const store = secretStoreWith(randomKey(), BY);
    const turn = turnOf({ ...record, joinData: undefined }, Seat.Two, BY.player, NO_HISTORY);
    expect(await own.bot!.strategy(turn, store)).to.deep.equal([HIGHEST, HIGHEST]);
    expect(await own.bot!.strategy(turnOf(record, Seat.One, BY.player, NO_HISTORY), store)).to.equal(undefined);
  });

  it("given a move that its codec encodes with the wrong length, it refuses to send it", () => {
    const codec = { ...byteMove("CELL"), length: () => 2, read: () => integer(0, 9) };
    expect(() => encodeMove(codec, 3, undefined)).to.throw(InputError, "move: 1 bytes instead of 2");
  });
});
