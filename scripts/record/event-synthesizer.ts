import { getAddress, toUtf8Bytes, ZeroAddress } from "ethers";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { Archive } from "../../sdk/chain/archive.js";
import { hexOf } from "../../sdk/protocol/bytes.js";
import type { AnyEvent, EventName, Events } from "../../sdk/chain/events.js";
import { contractsWith } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
import { modeHash, modesToRegister } from "../../sdk/games/modes.js";
import type { Audit } from "../../sdk/games/module.js";
import { keccak } from "../../sdk/protocol/hash.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Ending } from "../../sdk/chain/settlement.js";
import { MAX_FEE_BPS, OFFER_LIFE, termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { Ledger } from "../../sdk/verify/ledger.js";
import { SyntheticProvider } from "./synthetic-provider.js";

const START = 1_700_000_000n;
const SECONDS = 12n;
const PLAYERS = 20;
const TEAM = 5;
const RICHES = 10n ** 30n;

/** A match as its creation offers it. */
export interface Offer {
  matchId: bigint;
  player1: string;
  opponent: string;
  terms: Terms;
  data: Hex;
}

/** Writes the events that the contracts of a deployment would emit, without a chain. */
export class EventSynthesizer {
  readonly archive: Archive;
  readonly addresses: Addresses;
  /** Players; all of them have money, golden fighters, and cards. */
  readonly players = Array.from({ length: PLAYERS }, (_, i) => addressOf(`player ${i}`));
  private readonly provider = new SyntheticProvider(TEST_CHAIN, () => ({ number: this.block, time: this.time }));
  private readonly audits: Audit[] = [];
  private readonly ledger = new Ledger();
  private readonly terms = new Set<Hex>();
  private readonly times: [number, bigint][] = [];
  private block = 0;
  private index = 0;

  constructor() {
    this.addresses = Object.fromEntries(
      contractsWith(games).map((name) => [name, addressOf(name)]),
    ) as unknown as Addresses;
    this.archive = this.archived([], []);
    for (const { contract, abi, audit: auditOf } of games) {
      const audit = auditOf?.(this.archive, this.addresses[contract]);
      if (!audit) continue;
      this.audits.push(audit);
      this.provider.add({ address: this.addresses[contract], abi, audit });
    }
    const { Arena } = this.addresses;
    this.write(Arena, "TreasuryChanged", { treasury: addressOf("treasury") });
    this.write(Arena, "FeeChanged", { feeBps: MAX_FEE_BPS });
    for (const game of games) {
      for (const { content } of modesToRegister(game)) {
        this.write(this.addresses[game.contract], "ModeRegistered", { mode: modeHash(content), content });
      }
    }
    for (const player of this.players) this.provide(player);
  }

  /** Returns all events so far, with the times of all blocks. */
  done(): Archive {
    return this.archived(this.archive.all, this.times);
  }

  /** Time of the current block, in seconds since 1970. */
  get time(): bigint {
    return START + SECONDS * BigInt(this.block);
  }

  /** Begins a block, for one transaction. */
  mine(): void {
    this.block++;
    this.index = 0;
    this.times.push([this.block, this.time]);
  }

  write<N extends EventName>(address: string, name: N, args: Events[N]): void {
    const { block } = this;
    const transaction = `0x${block.toString(16).padStart(64, "0")}`;
    const event = { address, name, args, block, index: this.index++, transaction } as unknown as AnyEvent;
    this.archive.add([event]);
    for (const audit of this.audits) audit.take(event, this.time);
  }

  create({ matchId, player1, opponent, terms, data }: Offer): void {
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

  join(matchId: bigint, player2: string, answer: Hex): void {
    const { Arena } = this.addresses;
    this.mine();
    this.write(Arena, "Joined", { matchId, player2, data: answer });
  }

  settle(matchId: bigint, terms: Terms, players: readonly string[], ending: Ending): void {
    const [rating1, rating2] = this.ledger.rate(terms, players, ending, this.time);
    const { status, paid1, paid2, house } = ending;
    this.write(this.addresses.Arena, "Settled", { matchId, status, paid1, paid2, house, rating1, rating2 });
  }

  /** Returns the ids of a player's fighters and cards. */
  private ownedBy(player: string): bigint[] {
    const first = TEAM * this.players.indexOf(player);
    return Array.from({ length: TEAM }, (_, i) => BigInt(first + i + 1));
  }

  private provide(player: string): void {
    const { Arena, FightToken, Fighters, GuardianCards } = this.addresses;
    this.mine();
    this.write(Arena, "Deposited", { token: FightToken, player, amount: RICHES });
    for (const id of this.ownedBy(player)) {
      const made = { from: ZeroAddress, to: player, id };
      const tiers = [0n, 1n, 2n, 3n, 4n, 5n].map((stat) => 1n + ((id + stat) % 3n));
      this.write(Fighters, "Transfer", made);
      this.write(Fighters, "FighterMinted", { id, to: player, character: id, tiers, golden: true });
      const stats = { power: 350n, defense: 250n, hp: 900n, speed: id, critical: 100n, luck: 100n, cardType: id % 8n };
      this.write(GuardianCards, "Transfer", made);
      this.write(GuardianCards, "CardMinted", { id, to: player, stats });
    }
  }

  private archived(events: readonly AnyEvent[], times: Iterable<[number, bigint]>): Archive {
    const last = { number: this.block, hash: "" };
    return new Archive(this.provider, this.addresses, { chainId: TEST_CHAIN, events, last, times });
  }
}

function addressOf(name: string): string {
  return getAddress(hexOf(keccak(toUtf8Bytes(name)).subarray(12)));
}
