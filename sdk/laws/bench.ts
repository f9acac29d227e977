import { isError, type ContractTransactionReceipt, type ErrorDescription, type Overrides } from "ethers";
import { Game__factory } from "../../typechain-types/index.js";
import { History } from "../chain/history.js";
import type { MatchRecord, RoundLog } from "../chain/record.js";
import { revertData } from "../chain/revert.js";
import { modeHash } from "../games/modes.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import type { Deployed, LawGame, Played, Script, Seats, Table } from "./game.js";
import type { Random } from "./random.js";
import {
  addressesIn,
  addressesOf,
  offerHashOf,
  openWorld,
  receiptOf,
  termsOf,
  type Account,
  type Artifacts,
  type Connection,
  type World,
} from "./world.js";

const LAPSE = 86_400;

/** A match that is prepared but not sent yet. */
export interface Draft extends Script, Seats {
  terms: Terms;
}

/** The outcome of a match. */
export interface Outcome {
  logs: RoundLog[];
  status?: bigint;
  paid: bigint[];
}

/** Chain and contracts for a bench. */
export interface BenchOptions {
  /** Connection to a chain in memory: `await hre.network.create()`. */
  connection: Connection;
  /** Artifacts of the arena and the tokens; defaults to those of the package `duello-contracts`. */
  artifacts?: Artifacts;
}

/**
 * A game on the chain, with everything needed to play its matches.
 * @example
 * ```ts
 * import { Bench, Random } from "duello/laws";
 *
 * const bench = await Bench.open(lawGame, { connection });
 * const draft = await bench.draft(new Random("a match"));
 * await bench.play(draft);
 * const { status } = await bench.outcome(draft.matchId);
 * ```
 */
export class Bench {
  /** Cache of errors by revert data: a lookup is slow, and most reverts are the same. */
  private readonly errors = new Map<Hex, ErrorDescription>();

  private constructor(
    private readonly subject: LawGame,
    readonly world: World,
    readonly table: Table,
    readonly address: string,
    readonly history: History,
  ) {}

  /** Deploys a fresh arena with the game, and registers its modes. */
  static async open(subject: LawGame, { connection, artifacts }: BenchOptions): Promise<Bench> {
    const world = await openWorld(connection, artifacts);
    const table = await subject.deploy(world);
    const modes = [...table.modes, ...(table.worstMode ? [table.worstMode] : [])].filter((mode) => mode !== "0x");
    const address = await table.game.getAddress();
    const game = Game__factory.connect(address, world.alice);
    for (const mode of modes) await receiptOf(game.registerMode(mode));
    const name = subject.module?.contract ?? subject.name;
    const own = await addressesOf({ ...table.contracts, [name]: table.game });
    const history = new History(connection.ethers.provider, { ...(await addressesIn(world)), ...own });
    return new Bench(subject, world, table, address, history);
  }

  /** Contracts of the bench by name. */
  get contracts(): Record<string, Deployed> {
    const { arena, fight, fighters, cards } = this.world;
    // Most errors are errors of the game, and a lookup takes time.
    return { game: this.table.game, arena, fight, fighters, cards, ...this.table.contracts };
  }

  /** Prepares a random match of alice against bob, which must be the next match to be created, or the n-th from now. */
  async draft(
    random: Random,
    { ahead = 1n, mode = random.pick(this.table.modes), earlier, ...changes }: Drafting = {},
  ): Promise<Draft> {
    return this.written((seats) => this.table.script(seats, random, earlier), mode, ahead, changes);
  }

  /** Prepares the most expensive match. */
  async draftWorst(random: Random): Promise<Draft> {
    const { script, worst = script, worstMode = this.table.modes[0] } = this.table;
    return this.written((seats) => worst(seats, random), worstMode, 1n, {});
  }

  /** Sends the next piece of data of a match: creates it, joins it or acts. */
  async send(draft: Draft, index: number, { sender, ...overrides }: Sending = {}): Promise<ContractTransactionReceipt> {
    const { matchId, terms, pieces } = draft;
    const arena = this.world.arena.connect(sender ?? senderOf(draft, index));
    const { data } = pieces[index];
    if (index === 0) return receiptOf(arena.create(terms, draft.player2, await this.lapse(), data, overrides));
    if (index === 1) return receiptOf(arena.join(matchId, await offerHashOf(arena, matchId), data, overrides));
    return receiptOf(arena.act(matchId, data, overrides));
  }

  /**
   * Tries to send other bytes in place of the next piece. @returns the name of the error; undefined if the bytes are
   * accepted.
   */
  async refusal(draft: Draft, index: number, data: Hex): Promise<string | undefined> {
    return (await this.trial(draft, index))(data);
  }

  /**
   * Prepares to try many replacements for the next piece, each on the current state.
   * @returns a function that gives the result of `refusal` for bytes.
   */
  async trial(draft: Draft, index: number): Promise<(data: Hex) => Promise<string | undefined>> {
    const { matchId, terms, player2 } = draft;
    const arena = this.world.arena.connect(senderOf(draft, index));
    const [lapse, hash] = [index === 0 && (await this.lapse()), index === 1 && (await offerHashOf(arena, matchId))];
    const tried = (data: Hex): Promise<unknown> => {
      if (lapse !== false) return arena.create.staticCall(terms, player2, lapse, data);
      if (hash !== false) return arena.join.staticCall(matchId, hash, data);
      return arena.act.staticCall(matchId, data);
    };
    return async (data) => (await this.errorOf(tried(data)))?.name;
  }

  /**
   * Waits for a call.
   * @returns the error that rejected it; undefined if it succeeded.
   * @throws the error itself if it is not a named error of the bench's contracts.
   */
  async errorOf(sent: Promise<unknown>): Promise<ErrorDescription | undefined> {
    try {
      await sent;
      return undefined;
    } catch (thrown) {
      const data = revertData(thrown);
      const error = data === undefined ? undefined : (this.errors.get(data) ?? this.named(data));
      if (data === undefined || error === undefined) throw thrown;
      this.errors.set(data, error);
      return error;
    }
  }

  /** Sends all pieces, or the pieces from one index up to another. */
  async play(draft: Draft, from = 0, to = draft.pieces.length): Promise<ContractTransactionReceipt[]> {
    const receipts: ContractTransactionReceipt[] = [];
    for (let index = from; index < to; index++) receipts.push(await this.send(draft, index));
    return receipts;
  }

  /** Runs a function, then restores the state of the chain. */
  async inPassing<T>(run: () => Promise<T>): Promise<T> {
    const snapshot = await this.world.connection.networkHelpers.takeSnapshot();
    try {
      return await run();
    } finally {
      await snapshot.restore();
    }
  }

  record(matchId: bigint): Promise<MatchRecord> {
    return this.history.match(matchId);
  }

  /** Replays a match with the engine of the game. @throws Error for a game without module and engine. */
  async replay(record: MatchRecord): Promise<Played> {
    const { name, module } = this.subject;
    if (this.table.replay) return this.table.replay(record, this.history);
    if (!module) throw new Error(`${name}: there is neither a module nor a replay.`);
    return module.replay(record, this.history);
  }

  async outcome(matchId: bigint): Promise<Outcome> {
    const { logs, settlement } = await this.record(matchId);
    const { status, paid1, paid2, house } = settlement ?? {};
    return { logs, status, paid: [paid1, paid2, house].filter((paid) => paid !== undefined) };
  }

  /** Finds the error of the bench's contracts in revert data. */
  private named(data: Hex): ErrorDescription | undefined {
    for (const { interface: known } of Object.values(this.contracts)) {
      const error = known.parseError(data);
      if (error && !["Error", "Panic"].includes(error.name)) return error;
    }
    return undefined;
  }

  private async written(
    script: (seats: Seats) => Promise<Script>,
    mode: Hex,
    ahead: bigint,
    changes: Partial<Terms> & { players?: [Account, Account] },
  ): Promise<Draft> {
    const { alice, bob, arena } = this.world;
    const { players: [player1, player2] = [alice, bob], ...others } = changes;
    const seats = { matchId: (await arena.matchCount()) + ahead, mode, player1, player2 };
    const rated = !this.table.unrated?.includes(mode);
    const terms = await termsOf(this.world, { game: this.address, mode: modeHash(mode), rated, ...others });
    return { ...(await script(seats)), ...seats, terms };
  }

  private async lapse(): Promise<number> {
    return (await this.world.connection.networkHelpers.time.latest()) + LAPSE;
  }
}

type Drafting = Partial<Terms> & { ahead?: bigint; mode?: Hex; earlier?: Script; players?: [Account, Account] };
type Sending = Overrides & { sender?: Account };

function senderOf({ pieces, player1, player2 }: Draft, index: number): Account {
  return pieces[index].seat === Seat.One ? player1 : player2;
}

/**
 * Returns whether a call was rejected, with or without a named error.
 * @throws the error of the call if it is not a rejection.
 */
export async function isRefused(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return false;
  } catch (thrown) {
    const isRevert = revertData(thrown) !== undefined || (thrown as { data?: unknown }).data === "0x";
    if (isRevert || isError(thrown, "CALL_EXCEPTION")) return true;
    throw thrown;
  }
}
