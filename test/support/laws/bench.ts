import { keccak256, type ContractTransactionReceipt, type Overrides } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { games } from "../../../sdk/games/index.js";
import { History } from "../../../sdk/chain/history.js";
import type { MatchRecord, RoundLog } from "../../../sdk/chain/record.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import {
  deployed,
  ethers,
  receiptOf,
  Seat,
  termsFor,
  time,
  ZERO_HASH,
  type Terms,
  type World,
  offerHashOf,
} from "../index.js";
import type { LawGame, Script, Seats, Table } from "./game.js";
import type { Random } from "../random.js";

type Signer = Seats["player1"];

const LAPSE = 86_400;
const LONG_CLOCK = 30n * 86_400n;

/** A match that is written and not sent yet. */
export interface Draft extends Script, Seats {
  terms: Terms;
}

/** The outcome of a match. */
export interface Outcome {
  logs: RoundLog[];
  status?: bigint;
  paid: bigint[];
}

/** A game on the chain, with everything that plays its matches. */
export class Bench {
  private constructor(
    readonly world: World,
    readonly table: Table,
    readonly address: string,
    readonly history: History,
  ) {}

  /** Deploys a fresh arena with the game, and registers its modes. */
  static async open(subject: LawGame): Promise<Bench> {
    const world = await deployed();
    const table = await subject.deploy(world);
    const { arena, fight, fighters, cards, alice } = world;
    const modes = [...table.modes, ...(table.worstMode ? [table.worstMode] : [])].filter((mode) => mode !== "0x");
    for (const mode of modes) await receiptOf(table.game.connect(alice).getFunction("registerMode")(mode));
    const addresses = { Arena: await arena.getAddress(), FightToken: await fight.getAddress() };
    const tokens = { Fighters: await fighters.getAddress(), GuardianCards: await cards.getAddress() };
    const game = await table.game.getAddress();
    // Whatever is not one of the stock games has no name in a deployment.
    const stock = games.find(({ name }) => name === subject.name);
    const all = { ...addresses, ...tokens, [stock?.contract ?? subject.name]: game } as Addresses;
    return new Bench(world, table, game, new History(ethers.provider, all));
  }

  /** Drafts a random match of alice against bob: the next to be created, or the n-th next. */
  async draft(
    random: Random,
    { ahead = 1n, mode = random.pick(this.table.modes), earlier, ...changes }: Drafting = {},
  ) {
    return this.written((seats) => this.table.script(seats, random, earlier), mode, ahead, changes);
  }

  /** Drafts the match that costs most. */
  async draftWorst(random: Random): Promise<Draft> {
    const { script, worst = script, worstMode = this.table.modes[0] } = this.table;
    return this.written((seats) => worst(seats, random), worstMode, 1n, {});
  }

  /** Sends the next piece of a match: creates it, joins it or acts. */
  async send(draft: Draft, index: number, { sender, ...overrides }: Sending = {}): Promise<ContractTransactionReceipt> {
    const { matchId, terms, pieces } = draft;
    const arena = this.world.arena.connect(sender ?? this.senderOf(draft, index));
    const { data } = pieces[index];
    if (index === 0) return receiptOf(arena.create(terms, draft.player2, await lapse(), data, overrides));
    if (index === 1) return receiptOf(arena.join(matchId, await offerHashOf(arena, matchId), data, overrides));
    return receiptOf(arena.act(matchId, data, overrides));
  }

  /** Tries the next piece with other bytes. @returns the name of the error; undefined if they are taken. */
  async refusal(draft: Draft, index: number, data: Hex): Promise<string | undefined> {
    const { matchId, terms } = draft;
    const arena = this.world.arena.connect(this.senderOf(draft, index));
    try {
      if (index === 0) await arena.create.staticCall(terms, draft.player2, await lapse(), data);
      else if (index === 1) await arena.join.staticCall(matchId, await offerHashOf(arena, matchId), data);
      else await arena.act.staticCall(matchId, data);
      return undefined;
    } catch (error) {
      return this.errorName(error);
    }
  }

  /** Sends all pieces, or those from one index up to another. */
  async play(draft: Draft, from = 0, to = draft.pieces.length): Promise<ContractTransactionReceipt[]> {
    const receipts: ContractTransactionReceipt[] = [];
    for (let index = from; index < to; index++) receipts.push(await this.send(draft, index));
    return receipts;
  }

  record(matchId: bigint): Promise<MatchRecord> {
    return this.history.match(matchId);
  }

  async outcome(matchId: bigint): Promise<Outcome> {
    const { logs, settlement } = await this.record(matchId);
    const { status, paid1, paid2, house } = settlement ?? {};
    return { logs, status, paid: [paid1, paid2, house].filter((paid) => paid !== undefined) };
  }

  private async written(
    script: (seats: Seats) => Promise<Script>,
    mode: Hex,
    ahead: bigint,
    changes: Partial<Terms> & { players?: [Signer, Signer] },
  ): Promise<Draft> {
    const { alice, bob, arena } = this.world;
    const { players: [player1, player2] = [alice, bob], ...others } = changes;
    const seats = { matchId: (await arena.matchCount()) + ahead, mode, player1, player2 };
    const hash = mode === "0x" ? ZERO_HASH : keccak256(mode);
    const rated = !this.table.unrated?.includes(mode);
    const terms = await termsFor(this.world, { game: this.address, mode: hash, clock: LONG_CLOCK, rated, ...others });
    return { ...(await script(seats)), ...seats, terms };
  }

  private senderOf({ pieces, player1, player2 }: Draft, index: number): Signer {
    return pieces[index].seat === Seat.One ? player1 : player2;
  }

  /** @throws what was thrown if it is not an error that a contract of ours names. */
  private errorName(thrown: unknown): string {
    const { data } = thrown as { data?: Hex };
    const { arena, fight, fighters } = this.world;
    for (const { interface: known } of [this.table.game, arena, fight, fighters]) {
      const name = data && known.parseError(data)?.name;
      if (name && !["Error", "Panic"].includes(name)) return name;
    }
    throw thrown;
  }
}

type Drafting = Partial<Terms> & { ahead?: bigint; mode?: Hex; earlier?: Script; players?: [Signer, Signer] };
type Sending = Overrides & { sender?: Signer };

async function lapse(): Promise<number> {
  return (await time.latest()) + LAPSE;
}
