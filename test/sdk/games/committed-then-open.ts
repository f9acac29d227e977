import { expect } from "chai";
import { concat, id, ZeroHash, type BaseContract } from "ethers";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { strategyOf } from "../../../sdk/games/assessment.js";
import { measureOdds } from "../../../sdk/games/calculator.js";
import { committedThenOpen } from "../../../sdk/games/committed-then-open.js";
import { firstTurn, turnOf, type SecretStore, type Turn } from "../../../sdk/games/moves.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import {
  deployed,
  deployMock,
  ethers,
  HOUR,
  loadFixture,
  offerHashOf,
  Seat,
  Status,
  termsFor,
  time,
} from "../../support/index.js";
import { sticks } from "../../support/sticks.js";

const MATCHES = 12;
const plain = (text: string) => text;

/** Deploys an arena with the game of sticks. */
async function withSticks() {
  const world = await deployed();
  const game = await deployMock("Sticks", world.arena);
  const addresses = { Arena: await world.arena.getAddress(), Sticks: await game.getAddress() };
  const history = new History(ethers.provider, addresses as unknown as Addresses);
  return { ...world, game, address: addresses.Sticks, history };
}

type Table = Awaited<ReturnType<typeof withSticks>>;

/** A match of alice against bob, whose data the module composes. */
class SticksMatch {
  private constructor(
    private readonly table: Table,
    readonly matchId: bigint,
    private readonly stores: readonly SecretStore[],
  ) {}

  static async created(table: Table, choose = strategyOf(sticks)): Promise<SticksMatch> {
    const { arena, alice, bob, address: game, history } = table;
    const { chainId } = await ethers.provider.getNetwork();
    const stores = [alice, bob].map(({ address: player }) => secretStoreWith(randomKey(), { chainId, game, player }));
    const terms = await termsFor(table, { game, rated: false, stake1: 0n, stake2: 0n });
    const turn = firstTurn(terms, alice.address, history);
    const data = await sticks.moves.create(await choose(turn, stores[0]), turn, stores[0]);
    await arena.connect(alice).create(terms, bob, (await time.latest()) + Number(HOUR), data);
    return new SticksMatch(table, await arena.matchCount(), stores);
  }

  record(): Promise<MatchRecord> {
    return this.table.history.match(this.matchId);
  }

  /** Returns the turn of the seat to move, and its secret store; undefined once the match is over. */
  async turn() {
    const { arena, alice, bob, history } = this.table;
    const { status, turn } = await arena.matchOf(this.matchId);
    if (status > Status.AllJoined) return undefined;
    const seat = status === Status.AllJoined ? turn : Seat.Two;
    const player = seat === Seat.One ? alice : bob;
    const open = turnOf(await this.record(), seat, player.address, history);
    return { turn: open, player, store: this.stores[seat === Seat.One ? 0 : 1], joins: status !== Status.AllJoined };
  }

  /** Sends the next move. @returns false once the match is over. */
  async next(choose = strategyOf(sticks)): Promise<boolean> {
    const { arena } = this.table;
    const due = await this.turn();
    if (!due) return false;
    const { turn, player, store, joins } = due;
    const move = await choose(turn, store);
    const own = arena.connect(player);
    if (joins) {
      await own.join(this.matchId, await offerHashOf(arena, this.matchId), await sticks.moves.join(move, turn, store));
    } else {
      await own.act(this.matchId, await sticks.moves.act(move, turn, store));
    }
    return true;
  }
}

describe("A game with a committed round and then open turns", () => {
  let table: Table;
  const suggest = (turn: Turn, store: SecretStore) => sticks.moves.suggest(turn, store);

  beforeEach(async () => (table = await loadFixture(withSticks)));

  for (const [how, choose] of [
    ["by its strategy", strategyOf(sticks)],
    ["at random", suggest],
  ] as const) {
    it(`given players who play ${how}, it is played to its end, and its engine agrees with the contract at every step`, async () => {
      for (let n = 0; n < MATCHES; n++) {
        const match = await SticksMatch.created(table, choose);
        do {
          const record = await match.record();
          const { logs, turns, result, position } = await sticks.replay(record, table.history);
          expect(logs).to.deep.equal(record.logs);
          const { status, turn } = await table.arena.matchOf(match.matchId);
          expect(turns.at(-1) ?? Seat.None).to.equal(turn);
          expect(turns).to.have.length(record.joinData === undefined ? 0 : 1 + record.actions.length);
          expect(result === undefined).to.equal(status <= Status.AllJoined);
          expect(await table.arena.positionOf(match.matchId)).to.equal(position);
        } while (await match.next(choose));
        const record = await match.record();
        const { result } = await sticks.replay(record, table.history);
        expect([Status.Draw, Status.P1Win, Status.P2Win][Number(result!.winner)]).to.equal(record.settlement!.status);
      }
    });
  }

  it("given a match, it describes the data, the events and the heap", async () => {
    const match = await SticksMatch.created(table);
    expect(await sticks.actionTexts!(await match.record(), table.history)).to.deep.equal(["commits to some sticks"]);
    expect(await sticks.view!(await match.record(), table.history, plain)).to.deep.equal([]);
    while (await match.next());
    const record = await match.record();
    const positions = await sticks.decodeLog(record, table.history);
    const [{ left }] = positions as { left: number }[];
    expect(left).to.be.within(19, 24);
    const texts = await sticks.actionTexts!(record, table.history);
    expect(texts.slice(0, 3)).to.deep.equal(["commits to some sticks", "answers with 9", "reveals 9"]);
    expect(texts[3]).to.match(/^takes [123]$/);
    const story = await sticks.story(record, table.history, plain);
    expect(story[0]).to.equal(`A heap of ${left} sticks`);
    expect(story[1]).to.equal(`Player 2 ${texts[3]}`);
    expect(story).to.have.length(texts.length - 3 + 2);
    expect(await sticks.story(record, table.history, plain, { turns: true })).to.include(`  ${"|".repeat(left)}`);
    expect(await sticks.view!(record, table.history, plain)).to.deep.equal(["  "]);
    const frames = await sticks.frames!(record, table.history);
    const { winner } = (await sticks.replay(record, table.history)).result!;
    expect(frames[0]).to.deep.equal({ text: story[0], move: null, position: positions[0], result: null });
    expect(frames.slice(1).map(({ text }) => text)).to.deep.equal(story.slice(1, -1));
    expect(frames.at(-1)!.result).to.deep.equal({ winner: Number(winner), taker: Number(winner) });
    const { startText: _, ...rules } = sticks.rules;
    const untold = committedThenOpen({ name: "untold", contract: "Sticks", abi: [], modes: sticks.modes, rules });
    const [start] = await untold.frames!(record, table.history);
    expect(start.text).to.equal("Player 2 answers with 9. Player 1 reveals 9");
  });

  it("given a turn, it requires a number, no argument for a reveal, or a number of the remaining sticks", async () => {
    const match = await SticksMatch.created(table);
    const due = async () => (await match.turn())!;
    const refusal = async (...moveArgs: string[]) => {
      const { turn, store } = await due();
      return sticks.moves.parse(moveArgs, turn, store).then(String, (error: unknown) => (error as Error).message);
    };
    expect(await refusal()).to.equal("move: 0 arguments instead of 1: STICKS");
    expect(await refusal("10")).to.equal("move: 10 is above 9");
    expect(await refusal("x")).to.equal('move: "x" is not an integer');
    await match.next();
    const reveal = await due();
    expect(await sticks.moves.pendingCommitments!(reveal.turn.record, Seat.One, table.history)).to.have.length(1);
    expect(await sticks.moves.parse([], reveal.turn, reveal.store)).to.equal(undefined);
    expect(await sticks.moves.choices!(reveal.turn, reveal.store)).to.deep.equal([]);
    await match.next();
    const open = await due();
    expect(await sticks.moves.pendingCommitments!(open.turn.record, Seat.One, table.history)).to.deep.equal([]);
    expect(await sticks.moves.answeredCommitment!(open.turn)).to.equal(undefined);
    expect(await sticks.moves.choices!(open.turn, open.store)).to.deep.equal(["1", "2", "3"]);
    expect(await refusal("4")).to.equal("move: 4 is above 3");
    expect(await sticks.moves.act(2, open.turn, open.store)).to.equal("0x000102");
  });

  it("given data that no contract can have accepted, it refuses the replay", async () => {
    const match = await SticksMatch.created(table);
    while (await match.next());
    const record = await match.record();
    const told = (changes: Partial<MatchRecord>) =>
      sticks.replay({ ...record, ...changes }, table.history).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );
    const { actions, joinData, matchId } = record;
    const [reveal, first, second] = actions;
    const join = (move: string) => `${joinData!.slice(0, 134)}${move}${joinData!.slice(136)}`;
    expect(await told({})).to.equal(undefined);
    const rows: [Partial<MatchRecord>, string][] = [
      [{ actions: [first] }, "somebody acted before the reveal"],
      [{ actions: [], joinData: join("0a") }, "10 is no move of sticks"],
      [{ actions: [reveal, second] }, "turn 1 was sent as turn 2"],
      [{ actions: [reveal, { ...first, seat: Seat.One }] }, "turn 1 out of turn"],
      [
        { actions: [...actions, { ...first, data: concat(["0x", hexOf(actions.length), "0x01"]) }] },
        "the game is over",
      ],
      [{ actions: [reveal, { ...first, data: "0x000104" }] }, "4 is no legal turn"],
      [{ actions: [reveal, { ...first, data: "0x0001" }] }, "2 bytes instead of 3"],
    ];
    for (const [changes, why] of rows) {
      expect(await told(changes), why).to.match(new RegExp(`^(match ${matchId}: |data: ).*${why}$`));
    }
  });

  it("given random matches, its engine and its contract compute the same results", async () => {
    const contract = table.game as unknown as BaseContract;
    for (let n = 0; n < 100; n++) {
      const input = sticks.odds!.atRandom("0x", new SeededRandom(id(`sticks ${n}`)));
      const output = await sticks.simulate(input);
      expect(await sticks.simulate(input, contract)).to.deep.equal(output);
      expect(output).to.include({ finished: true, left: 0 });
      expect(output.winner).to.be.oneOf([1, 2]);
    }
  });

  it("given input for a simulation, it names the field that is wrong", async () => {
    const good = { seed: ZeroHash, committed: [9, 9], moves: [1] };
    const refusal = (input: object) =>
      sticks.simulate(input).then(String, (error: unknown) => (error as Error).message);
    expect(await refusal({ ...good, committed: [9, 0] })).to.equal("committed[1]: 0 is below 1");
    expect(await refusal({ ...good, moves: [1, 4] })).to.equal("moves[1]: 4 is above 3");
    expect(await refusal({ ...good, mode: { sticks: 1 } })).to.equal("mode.sticks: unknown field");
    expect(await refusal({ ...good, more: 1 })).to.equal("more: unknown field");
    const { left } = await sticks.simulate({ ...good, moves: [] });
    const moves = Array<number>(left - 1).fill(1);
    expect(await refusal({ ...good, moves: [...moves, 2] })).to.match(/^moves\[\d+\]: 2 sticks of 1 cannot be taken$/);
    const { winner, finished } = await sticks.simulate({ ...good, moves });
    expect([winner, finished]).to.deep.equal([null, false]);
  });

  it("given the same moves and many seeds, it returns the odds", async () => {
    const { measured } = await measureOdds(sticks, { seed: ZeroHash, committed: [1, 1], moves: [] }, 50, ZeroHash);
    expect(measured.rest).to.include({ min: 3, max: 8 });
  });
});

/** Returns the turn's number, as an action contains it. */
function hexOf(number: number): Hex {
  return `0x${number.toString(16).padStart(4, "0")}`;
}
