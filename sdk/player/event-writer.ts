import { getAddress, Interface, toBeHex, toUtf8Bytes, ZeroAddress, type InterfaceAbi } from "ethers";
import { Characters__factory } from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { Archive } from "../chain/archive.js";
import type { AnyEvent, EventName, Events } from "../chain/events.js";
import { MemoryProvider } from "../chain/memory-provider.js";
import type { CharacterContract } from "../chain/character-contract.js";
import { mintArgs } from "../chain/characters.js";
import type { MatchRecord } from "../chain/record.js";
import { endingFor, type Ending } from "../chain/settlement.js";
import { contractsWith } from "../games/list.js";
import { modeHash } from "../games/modes.js";
import type { Audit, GameModule } from "../games/module.js";
import { hexOf } from "../protocol/bytes.js";
import { keccak } from "../protocol/hash.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import { OFFER_LIFE, termsHash, type Terms } from "../protocol/terms.js";

const START = 1_700_000_000n;
const SECONDS = 12n;
/** Number of zero bytes that a game's view returns for unused entries. */
const UNTOUCHED_BYTES = 1024;

/** Data of the event that offers a match. */
interface WrittenOffer {
  matchId: bigint;
  player1: string;
  opponent: string;
  terms: Terms;
  data: Hex;
}

/** Deployment whose events are written. */
interface WriterOptions {
  chainId: bigint;
  games: readonly GameModule[];
  /** Addresses of contracts by name; all others get addresses derived from their names. */
  addresses?: Readonly<Record<string, string>>;
  /** True if only a single match is written, without earlier events. */
  isExcerpt?: boolean;
}

/** Contract whose views the writer answers. */
interface Answering {
  abi: Interface;
  answer(view: string, args: readonly unknown[]): readonly unknown[] | undefined;
}

/** Writes the events that the contracts of a deployment would emit into an archive in memory, without a chain. */
export class EventWriter {
  readonly archive: Archive;
  readonly addresses: Addresses;
  readonly chainId: bigint;
  /** Times of all blocks, in seconds since 1970. */
  protected readonly times: [number, bigint][] = [];
  private readonly provider: MemoryProvider;
  private readonly audits: Audit[] = [];
  private readonly answering = new Map<string, Answering>();
  private readonly terms = new Set<Hex>();
  private block = 0;
  private index = 0;

  constructor({ chainId, games, addresses = {}, isExcerpt = false }: WriterOptions) {
    const made = contractsWith(games).map((name) => [name, addressMadeOf(name)]);
    this.addresses = { ...(Object.fromEntries(made) as Addresses), ...addresses };
    this.chainId = chainId;
    this.provider = this.newProvider();
    this.archive = this.archived([], [], { isExcerpt });
    // An audit forgets each match that has ended, so audits use a separate archive.
    const audited = this.archived([], []);
    for (const { contract, abi, kept, characters } of games) {
      const address = this.addresses[contract];
      const audit = isExcerpt ? undefined : kept?.audit(audited, address);
      if (audit) this.audits.push(audit);
      this.answerBy(address, abi, (view, args) => audit?.expectedAnswers().find(isAsked(view, args))?.answer);
      if (!characters) continue;
      const token = this.addresses[characters.contract];
      const last = (id: unknown) => this.archive.find(token, "Transfer", { id: id as bigint }).at(-1);
      this.answerBy(token, Characters__factory.abi, (view, [id]) =>
        view === "ownerOf" ? [last(id)?.args.to ?? ZeroAddress] : undefined,
      );
    }
  }

  /** Time of the current block, in seconds since 1970. */
  get time(): bigint {
    return timeOf(this.block);
  }

  /** Starts a block, for one transaction. */
  mine(): void {
    this.block++;
    this.index = 0;
    this.times.push([this.block, this.time]);
  }

  write<N extends EventName>(address: string, name: N, args: Events[N]): void {
    const { block } = this;
    const transaction = toBeHex(block, 32);
    const event = { address, name, args, block, index: this.index++, transaction } as unknown as AnyEvent;
    this.archive.add([event]);
    for (const audit of this.audits) audit.take(event, this.time);
  }

  /** Registers a mode by its content; the default mode needs no registration. */
  register(game: string, content: Hex): void {
    if (content !== "0x") this.write(game, "ModeRegistered", { mode: modeHash(content), content });
  }

  /** Mints a character. @param traits The character's traits as numbers. @throws InputError for impossible traits */
  mint(kind: CharacterContract, id: bigint, to: string, traits: readonly number[]): void {
    const args = mintArgs(kind, id, to, traits);
    const token = this.addresses[kind.contract];
    this.write(token, "Transfer", { from: ZeroAddress, to, id });
    this.write(token, kind.minted, args);
  }

  create({ matchId, player1, opponent, terms, data }: WrittenOffer): void {
    const { Arena } = this.addresses;
    this.mine();
    const hash = termsHash(terms);
    if (!this.terms.has(hash)) {
      this.terms.add(hash);
      this.write(Arena, "TermsAdded", { termsId: BigInt(this.terms.size), terms });
    }
    const firmUntil = this.time + OFFER_LIFE;
    this.write(Arena, "Created", { matchId, player1, opponent, termsHash: hash, firmUntil, funded: true, data });
  }

  join(matchId: bigint, player2: string, data: Hex): void {
    this.mine();
    this.write(this.addresses.Arena, "Joined", { matchId, player2, data });
  }

  act(matchId: bigint, seat: bigint, data: Hex): void {
    this.mine();
    this.write(this.addresses.Arena, "Acted", { matchId, seat, data });
  }

  /**
   * Writes the logs that result from the players' data, and the settlement if the game is over.
   * @returns the seat in turn once player 2 has joined; None once the game is over.
   */
  async writeOutcome(game: GameModule, matchId: bigint): Promise<bigint> {
    const record = await this.archive.match(matchId);
    const { logs, result, turns } = await game.replay(record, this.archive);
    for (const { round, entries } of logs.slice(record.logs.length)) {
      this.write(record.terms.game, "Log", { matchId, round, logEntries: entries });
    }
    if (result) this.settle(record, endingFor(result, record.terms));
    return turns.at(-1) ?? Seat.None;
  }

  settle(record: MatchRecord, ending: Ending): void {
    const { status, paid1, paid2, house } = ending;
    const [rating1, rating2] = this.ratingsAfter(record, ending);
    const { matchId } = record;
    this.write(this.addresses.Arena, "Settled", { matchId, status, paid1, paid2, house, rating1, rating2 });
  }

  /** Returns the players' new ratings; zero for a match that does not count. */
  protected ratingsAfter(_record: MatchRecord, _ending: Ending): readonly [bigint, bigint] {
    return [0n, 0n];
  }

  /** Creates an archive that answers as of this writer's blocks. */
  protected archived(
    events: readonly AnyEvent[],
    times: Iterable<[number, bigint]>,
    kind: Pick<WriterOptions, "isExcerpt"> = {},
  ): Archive {
    const { provider, addresses, chainId, block } = this;
    return new Archive(provider, addresses, {
      chainId,
      events,
      last: { number: block, hash: "" },
      times,
      ...kind,
    });
  }

  private newProvider(): MemoryProvider {
    const events = () => this.archive.all;
    const block = () => this.block;
    return new MemoryProvider(this.chainId, {
      get block() {
        return block();
      },
      get events() {
        return events();
      },
      timeOf,
      view: (to, data) => this.view(to, data),
    });
  }

  private answerBy(address: string, abi: InterfaceAbi, answer: Answering["answer"]): void {
    this.answering.set(address, { abi: Interface.from(abi), answer });
  }

  /** Returns the answer of a view; zeros for unused entries. */
  private view(to: string, data: Hex): Hex {
    const contract = this.answering.get(getAddress(to));
    const asked = contract?.abi.parseTransaction({ data });
    if (!contract || !asked) throw new Error(`Nothing in memory answers this view of ${to}.`);
    const answer = contract.answer(asked.name, asked.args);
    return answer ? contract.abi.encodeFunctionResult(asked.name, answer) : `0x${"00".repeat(UNTOUCHED_BYTES)}`;
  }
}

/** Derives an address from a name. */
export function addressMadeOf(name: string): string {
  return getAddress(hexOf(keccak(toUtf8Bytes(name)).subarray(12)));
}

function timeOf(block: number): bigint {
  return START + SECONDS * BigInt(block);
}

function isAsked(view: string, asked: readonly unknown[]) {
  return (expected: { view: string; args: readonly unknown[] }) =>
    expected.view === view && expected.args.every((arg, i) => arg === asked[i]);
}
