import type { ContractTransactionResponse } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { seedOf } from "../../sdk/protocol/dice.js";
import { encodeTeam } from "../../sdk/games/guardians/moves.js";
import type { CardStats } from "../../sdk/games/guardians/cards.js";
import { History } from "../../sdk/chain/history.js";
import {
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
  NO_STATE,
  commitmentOf,
} from "../../sdk/protocol/commit-reveal.js";
import { chainStats } from "./cards.js";
import { DAY, ethers, receiptOf, type Terms, termsFor, time, type Player, type World, offerHashOf } from "./index.js";

export const CARD: CardStats = { power: 500, defense: 200, hp: 1000, speed: 100, critical: 250, luck: 150, type: 0 };

/** Cards that differ from each other, none of them much stronger. */
export const statsOf = (n: number): CardStats => ({
  power: 400 + 13 * (n % 15),
  defense: 200 + 7 * (n % 13),
  hp: 900 + 31 * (n % 17),
  speed: 100 + (n % 3),
  critical: 20 * (n % 11),
  luck: 15 * (n % 13),
  type: n % 8,
});

export async function mint(w: World, player: Player, stats: CardStats): Promise<bigint> {
  const { logs } = await receiptOf(w.cards.mint(player, chainStats(stats)));
  return BigInt(logs[0].topics[3]);
}

export async function teamOf(w: World, player: Player, team: readonly CardStats[]): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (const stats of team) ids.push(await mint(w, player, stats));
  return ids;
}

/** The events of a world with guardians. */
export async function historyOf({ arena, cards, guardians }: World): Promise<History> {
  const [Arena, GuardianCards, Guardians] = await Promise.all(
    [arena, cards, guardians].map((contract) => contract.getAddress()),
  );
  return new History(ethers.provider, { Arena, GuardianCards, Guardians } as unknown as Addresses);
}

/** The players of a match, by default alice and bob; all other fields change the terms. */
interface MatchOptions extends Partial<Terms> {
  player1?: Player;
  player2?: Player;
  /** Distinguishes this match's salts from those of other matches. */
  salt?: string;
}

/** Plays one match of alice against bob through the arena, step by step. */
export class MatchDriver {
  id = 0n;
  team2: bigint[] = [];

  private constructor(
    readonly w: World,
    readonly game: string,
    readonly team1: bigint[],
    readonly terms: Terms,
    readonly player1: Player,
    readonly player2: Player,
    readonly salt1: string,
    readonly salt2: string,
  ) {}

  static async create(w: World, team1: bigint[], options: MatchOptions = {}): Promise<MatchDriver> {
    const { player1 = w.alice, player2 = w.bob, salt = "", ...changes } = options;
    const game = await w.guardians.getAddress();
    const terms = await termsFor(w, { game, clock: DAY, ...changes });
    const [salt1, salt2] = [1, 2].map((seat) => ethers.id(`salt ${seat} ${salt}`));
    const driver = new MatchDriver(w, game, team1, terms, player1, player2, salt1, salt2);
    const data = encodeCommitment({ commitment: driver.commitment, note: "0x" });
    await w.arena.connect(player1).create(terms, player2, (await time.latest()) + 86_400, data);
    driver.id = await w.arena.matchCount();
    return driver;
  }

  get commitment(): string {
    return commitmentOf(31337, this.game, this.player1.address, encodeTeam(this.team1), this.salt1);
  }

  get seed(): string {
    return seedOf(this.id, 1, this.salt1, this.salt2);
  }

  async join(team2: bigint[]): Promise<ContractTransactionResponse> {
    const head = { round: 1, state: NO_STATE, commitment: this.commitment };
    const answer = encodeAnswer({ ...head, move: encodeTeam(team2), salt: this.salt2 });
    const { arena } = this.w;
    const sent = await arena.connect(this.player2).join(this.id, await offerHashOf(arena, this.id), answer);
    this.team2 = team2;
    return sent;
  }

  reveal(): Promise<ContractTransactionResponse> {
    const [move, answerMove] = [encodeTeam(this.team1), encodeTeam(this.team2)];
    const head = { round: 1, state: NO_STATE, salt: this.salt1, answerSalt: this.salt2, next: "0x" };
    return this.w.arena.connect(this.player1).act(this.id, encodeReveal({ ...head, move, answerMove }));
  }
}
