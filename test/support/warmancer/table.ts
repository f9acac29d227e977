import { getAddress, keccak256, toBeHex, ZeroAddress } from "ethers";
import { encodeMode, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { replayMatch, type ReplayedMatch } from "../../../sdk/games/warmancer/replay.js";
import { playerIn, warmancerMoves as moves, type WarmancerMove } from "../../../sdk/games/warmancer/moves.js";
import type { History } from "../../../sdk/chain/history.js";
import { firstTurn, turnOf, type SecretStore, type OpenTurn } from "../../../sdk/games/moves.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { secretStoreWith, randomKey } from "../../../sdk/player/secrets.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Chooser } from "../../../sdk/games/assessment.js";

const GAME = addressAt(1);
const PLAYERS = [addressAt(2), addressAt(3)] as const;

/** Choosers of both players' moves. */
type Choosers = readonly [Chooser<WarmancerMove>, Chooser<WarmancerMove>];

/**
 * A match between two strategies, as on chain but without a chain. Each strategy sees only what its seat sees, and no
 * check is skipped.
 */
export class Table {
  readonly record: MatchRecord;
  private readonly content: string;
  private readonly history: History;
  private readonly secretStores: readonly SecretStore[];

  constructor(mode: Mode) {
    this.content = encodeMode(mode);
    const terms = { game: GAME, stake1: 0n, token: ZeroAddress, stake2: 0n, mode: keccak256(this.content), clock: 60n };
    this.record = {
      chainId: 31337n,
      matchId: 1n,
      player1: PLAYERS[0],
      player2: PLAYERS[1],
      createData: "0x",
      funded: [],
      actions: [],
      logs: [],
      terms: { ...terms, feeBps: 0n, rated: !mode.casual },
    };
    this.history = { addresses: { Warmancer: GAME }, mode: async () => this.content } as unknown as History;
    this.secretStores = PLAYERS.map((player) => secretStoreWith(randomKey(), { chainId: 31337n, game: GAME, player }));
  }

  /** Returns the seat that must act next. */
  async turn(): Promise<bigint> {
    return (await this.past()).state.turn;
  }

  past(): Promise<ReplayedMatch> {
    return replayMatch(this.record, this.history);
  }

  /** Lets both players set up, then play until the game is over or a number of actions have been made. */
  async play(strategies: Choosers, max = Infinity): Promise<bigint> {
    await this.begin(strategies);
    for (let i = 0; i < max; i++) {
      const seat = await this.turn();
      if (seat === Seat.None) break;
      await this.act(seat, await this.chosen(seat, strategies[Number(seat) - 1]));
    }
    return (await this.past()).state.winner;
  }

  async begin(strategies: Choosers): Promise<void> {
    const { record, secretStores } = this;
    const first = firstTurn(record.terms, PLAYERS[0], this.history);
    const setup1 = (await strategies[0](first, secretStores[0]))!;
    record.createData = await moves.create(setup1, first, secretStores[0]);
    const second = this.turnOf(Seat.Two);
    const setup2 = (await strategies[1](second, secretStores[1]))!;
    record.joinData = await moves.join(setup2, second, secretStores[1]);
  }

  /** Returns the move that a strategy chooses for a seat whose turn it is. */
  chosen(seat: bigint, strategy: Chooser<WarmancerMove>): Promise<WarmancerMove | undefined> {
    return strategy(this.turnOf(seat), this.secretStores[Number(seat) - 1]);
  }

  /** @throws RecordError for data that the contract would reject. */
  async act(seat: bigint, move: WarmancerMove | undefined): Promise<void> {
    const [turn, secretStore] = [this.turnOf(seat), this.secretStores[Number(seat) - 1]];
    const data = await moves.act(move, turn, secretStore);
    this.record.actions.push({ seat, data });
    await this.past();
  }

  /** Returns the view of the player whose turn it is. */
  async player(seat: bigint) {
    return playerIn(await this.past(), seat, this.secretStores[Number(seat) - 1]);
  }

  private turnOf(seat: bigint): OpenTurn {
    return turnOf(this.record, seat, PLAYERS[Number(seat) - 1], this.history);
  }
}

function addressAt(number: number): string {
  return getAddress(toBeHex(number, 20));
}
