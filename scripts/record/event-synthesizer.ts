import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import type { Archive } from "../../sdk/chain/archive.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { Ending } from "../../sdk/chain/settlement.js";
import { games } from "../../sdk/games/index.js";
import { modesToRegister } from "../../sdk/games/modes.js";
import { addressMadeOf, EventWriter } from "../../sdk/player/event-writer.js";
import { MAX_FEE_BPS } from "../../sdk/protocol/terms.js";
import { Ledger } from "../../sdk/verify/ledger.js";
import { fighterContract } from "../../sdk/games/auto-battler/fighters.js";
import { cardContract } from "../../sdk/games/guardians/cards.js";

const PLAYERS = 20;
const TEAM = 5;
const RICHES = 10n ** 30n;

/** Writes the events of a deployment with all games, and with fully equipped players. */
export class EventSynthesizer extends EventWriter {
  /** Players; each has money, golden fighters, and cards. */
  readonly players = Array.from({ length: PLAYERS }, (_, i) => addressMadeOf(`player ${i}`));
  private readonly ledger = new Ledger();

  constructor() {
    super({ chainId: TEST_CHAIN, games });
    const { Arena } = this.addresses;
    this.write(Arena, "TreasuryChanged", { treasury: addressMadeOf("treasury") });
    this.write(Arena, "FeeChanged", { feeBps: MAX_FEE_BPS });
    for (const game of games) {
      for (const { content } of modesToRegister(game)) this.register(this.addresses[game.contract], content);
    }
    for (const player of this.players) this.provide(player);
  }

  /** Returns all events so far, with the times of all blocks. */
  done(): Archive {
    return this.archived(this.archive.all, this.times);
  }

  protected override ratingsAfter({ terms, player1, player2 }: MatchRecord, ending: Ending): readonly [bigint, bigint] {
    const [rating1, rating2] = this.ledger.rate(terms, [player1, player2!], ending, this.time);
    return [rating1, rating2];
  }

  /** Returns the ids of a player's fighters and cards. */
  private ownedBy(player: string): number[] {
    const first = TEAM * this.players.indexOf(player);
    return Array.from({ length: TEAM }, (_, i) => first + i + 1);
  }

  private provide(player: string): void {
    const { Arena, FightToken } = this.addresses;
    this.mine();
    this.write(Arena, "Deposited", { token: FightToken, player, amount: RICHES });
    for (const id of this.ownedBy(player)) {
      const tiers = [0, 1, 2, 3, 4, 5].map((stat) => 1 + ((id + stat) % 3));
      this.mint(fighterContract, BigInt(id), player, [id, ...tiers, 1]);
      this.mint(cardContract, BigInt(id), player, [350, 250, 900, id, 100, 100, id % 8]);
    }
  }
}
