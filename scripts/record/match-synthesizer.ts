import type { Archive } from "../../sdk/chain/archive.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { Ending } from "../../sdk/chain/settlement.js";
import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import type { Chooser } from "../../sdk/games/assessment.js";
import { fighterContract } from "../../sdk/games/auto-battler/fighters.js";
import { cardContract } from "../../sdk/games/guardians/cards.js";
import { games } from "../../sdk/games/index.js";
import { modeHash, modesToRegister } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { firstTurn, turnOf, type SecretStore } from "../../sdk/games/moves.js";
import { addressMadeOf, EventWriter } from "../../sdk/player/event-writer.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { MAX_CLOCK, MAX_FEE_BPS, OFFER_LIFE, type Terms } from "../../sdk/protocol/terms.js";
import { Ledger } from "../../sdk/verify/ledger.js";

const PLAYERS = 20;
/** Smallest distance between the two players of a match in the list of players, and number of different distances. */
const OPPONENT_DISTANCE = 7;
const OPPONENT_DISTANCES = 5;
const TEAM = 5;
const RICHES = 10n ** 30n;
const STAKE = 10n ** 18n;

/** A player in a seat, with its secrets. */
interface Participant {
  seat: bigint;
  player: string;
  secretStore: SecretStore;
}

/**
 * Plays whole matches without a chain, with the TypeScript engines, and writes the events of a deployment with all
 * games, fully equipped players, and these matches.
 */
export class MatchSynthesizer extends EventWriter {
  /** Players; each has money, golden fighters, and cards. */
  readonly players: readonly string[];
  private readonly ledger = new Ledger();
  private matches = 0n;

  /** @param players Number of players, who each meet up to ten others. */
  constructor(players = PLAYERS) {
    super({ chainId: TEST_CHAIN, games });
    this.players = Array.from({ length: players }, (_, i) => addressMadeOf(`player ${i}`));
    const { Arena } = this.addresses;
    this.write(Arena, "TreasuryChanged", { treasury: addressMadeOf("treasury") });
    this.write(Arena, "FeeChanged", { feeBps: MAX_FEE_BPS });
    for (const game of games) {
      for (const { content } of modesToRegister(game)) this.register(this.addresses[game.contract], content);
    }
    for (const [i, player] of this.players.entries()) this.provide(player, TEAM * i + 1);
  }

  /** Returns all events so far, with the times of all blocks. */
  done(): Archive {
    return this.archived(this.archive.all, this.times);
  }

  /** Plays a rated match, by default with suggested moves. @returns the number of the match. */
  async play(game: GameModule, mode: Hex, choose: Chooser = (...turn) => game.moves.suggest(...turn)): Promise<bigint> {
    const { matchId, player1, player2 } = await this.begin(game, mode, choose);

    const joining = await this.turnOf(player2, matchId);
    const move2 = await choose(joining, player2.secretStore);
    this.join(matchId, player2.player, await game.moves.join(move2, joining, player2.secretStore));

    for (;;) {
      const seat = await this.writeOutcome(game, matchId);
      if (seat === Seat.None) return matchId;
      const participant = seat === Seat.One ? player1 : player2;
      const turn = await this.turnOf(participant, matchId);
      const move = await choose(turn, participant.secretStore);
      this.act(matchId, seat, await game.moves.act(move, turn, participant.secretStore));
    }
  }

  /** Offers a rated match in the first mode of a game to a player who does not answer. */
  async offer(game: GameModule): Promise<void> {
    const [mode] = Object.values(game.modes);
    await this.begin(game, mode.content, (...turn) => game.moves.suggest(...turn));
  }

  /** Plays a number of matches, equally many in each mode of each game. */
  async playEach(played: readonly GameModule[], count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const game = played[n % played.length];
      const modes = Object.values(game.modes);
      await this.play(game, modes[n % modes.length].content);
    }
  }

  /** Writes a copy of a match without dice, with the same events under a new match number. */
  async repeat(matchId: bigint): Promise<void> {
    const copy = ++this.matches;
    const { settlement: _, ...record } = await this.archive.match(matchId);
    let last = 0;
    for (const event of this.archive.all.filter(({ args }) => "matchId" in args && args.matchId === matchId)) {
      const { address, name, args, block } = event;
      if (block !== last) this.mine();
      last = block;
      const own = { ...args, matchId: copy };
      if (name === "Settled") this.settle({ ...record, matchId: copy }, args);
      else if (name === "Created") this.write(address, name, { ...args, ...own, firmUntil: this.time + OFFER_LIFE });
      else this.write(address, name, own);
    }
  }

  protected override ratingsAfter({ terms, player1, player2 }: MatchRecord, ending: Ending): readonly [bigint, bigint] {
    const [rating1, rating2] = this.ledger.rate(terms, [player1, player2!], ending, this.time);
    return [rating1, rating2];
  }

  /** Offers a match. @returns the number of the match, and its players. */
  private async begin(
    game: GameModule,
    mode: Hex,
    choose: Chooser,
  ): Promise<{ matchId: bigint; player1: Participant; player2: Participant }> {
    const { archive, addresses, players } = this;
    const matchId = ++this.matches;
    const terms = this.termsOf(addresses[game.contract], modeHash(mode));
    const first = Number(matchId) % players.length;
    const distance = OPPONENT_DISTANCE + (Math.floor(Number(matchId) / players.length) % OPPONENT_DISTANCES);
    const player1 = this.participant(Seat.One, players[first], terms);
    const player2 = this.participant(Seat.Two, players[(first + distance) % players.length], terms);

    const created = firstTurn(terms, player1.player, archive);
    const move = await choose(created, player1.secretStore);
    const data = await game.moves.create(move, created, player1.secretStore);
    this.create({ matchId, player1: player1.player, opponent: player2.player, terms, data });
    await this.writeOutcome(game, matchId);
    return { matchId, player1, player2 };
  }

  /** Gives a player money, and fighters and cards with consecutive ids that start at `first`. */
  private provide(player: string, first: number): void {
    const { Arena, FightToken } = this.addresses;
    this.mine();
    this.write(Arena, "Deposited", { token: FightToken, player, amount: RICHES });
    for (let id = first; id < first + TEAM; id++) {
      const tiers = [0, 1, 2, 3, 4, 5].map((stat) => 1 + ((id + stat) % 3));
      this.mint(fighterContract, BigInt(id), player, [id, ...tiers, 1]);
      this.mint(cardContract, BigInt(id), player, [350, 250, 900, id, 100, 100, id % 8]);
    }
  }

  private participant(seat: bigint, player: string, { game }: Terms): Participant {
    return { seat, player, secretStore: new MemorySecretStore({ chainId: TEST_CHAIN, game, player }) };
  }

  private async turnOf({ seat, player }: Participant, matchId: bigint) {
    return turnOf(await this.archive.match(matchId), seat, player, this.archive);
  }

  private termsOf(game: string, mode: Hex): Terms {
    const token = this.addresses.FightToken;
    return { game, stake1: STAKE, token, stake2: STAKE, mode, clock: MAX_CLOCK, feeBps: MAX_FEE_BPS, rated: true };
  }
}
