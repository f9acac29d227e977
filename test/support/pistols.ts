import { concat, toBeHex, type ContractTransactionReceipt } from "ethers";
import { Dice, seedOf } from "../../sdk/protocol/dice.js";
import { fight, shoot, type Fought } from "../../sdk/games/pistols/engine.js";
import { standingAfter, type Duelist } from "../../sdk/games/pistols/honour.js";
import type { Blades } from "../../sdk/games/pistols/legal-moves.js";
import { encodeState, type State } from "../../sdk/games/pistols/state.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  encodeAnswer,
  encodeReveal,
  commitmentOf,
  type Answer,
  type Reveal,
} from "../../sdk/protocol/commit-reveal.js";
import { Pistols__factory } from "../../typechain-types/index.js";
import {
  DAY,
  deployed,
  deployMock,
  ethers,
  receiptOf,
  termsFor,
  time,
  type Terms,
  type Player,
  offerHashOf,
} from "./index.js";

export type Arms = Awaited<ReturnType<typeof armed>>;
type Two<T> = readonly [T, T];

export const [IDLE, LIGHT, HEAVY, BLOCK, FLEE, STEAL, SEPPUKU] = [0, 1, 2, 3, 4, 5, 6];
export const LIGHTS: Blades = [LIGHT, LIGHT];
const MAX_SALTS = 5000;
export const NOBODY: Duelist = { archetype: 0, strength: 0 };

/** Deploys an arena with pistols. */
export async function armed() {
  const world = await deployed();
  const game = await deployMock("Pistols", world.arena);
  return { ...world, pistols: Pistols__factory.connect(await game.getAddress(), world.owner) };
}

export interface Plan {
  paces?: Two<number>;
  blades?: Two<Blades>;
  players?: Two<Player>;
  /** Honour of each player's earlier duels; defaults to no duels. */
  honours?: Two<number[]>;
  terms?: Partial<Terms>;
  /** The condition that the duel must meet; defaults to no condition. */
  wanted?: (first: Fought, second: Fought) => boolean;
}

/** True if both survive the pistols. */
export const goesOn = (first: Fought) => !first.over;
/** True if the pistols kill a player. */
export const endsAtOnce = (first: Fought) => first.over;

/**
 * Plays one duel through the arena, step by step. Salts are fixed. Those of player 2 are the first ones of a series
 * that lead to the wanted outcome.
 */
export class MatchDriver {
  readonly duelists: Two<Duelist>;
  readonly salts!: Record<"one1" | "two1" | "one2" | "two2", Hex>;
  readonly first!: Fought;
  readonly second!: Fought;

  private constructor(
    readonly arms: Arms,
    readonly id: bigint,
    readonly terms: Terms,
    readonly players: Two<Player>,
    readonly paces: Two<number>,
    readonly blades: Two<Blades>,
    honours: Two<number[]>,
    private readonly game: string,
    wanted: NonNullable<Plan["wanted"]>,
  ) {
    this.duelists = [standingAfter(honours[0]), standingAfter(honours[1])];
    for (let i = 0; i < MAX_SALTS; i++) {
      const salts = { one1: salt(id, 1), two1: salt(id, 2, i), one2: salt(id, 3), two2: salt(id, 4, i) };
      const dice = [1, 2].map((round) => new Dice(seedOf(id, round, ...pairOf(salts, round))));
      const first = shoot(this.duelists, paces, dice[0].roll(0));
      const second = crossed(this.stateAfter(first), blades, dice[1]);
      [this.salts, this.first, this.second] = [salts, first, second];
      if (wanted(first, second)) return;
    }
    throw new Error("no such duel");
  }

  /** Plans the next duel of the arena, by default of alice against bob. */
  static async plan(arms: Arms, plan: Plan = {}): Promise<MatchDriver> {
    const { alice, bob, arena } = arms;
    const { players = [alice, bob], paces = [10, 10], blades: moves = [LIGHTS, LIGHTS], honours = [[], []] } = plan;
    const game = await arms.pistols.getAddress();
    const terms = await termsFor(arms, { game, clock: DAY, ...plan.terms });
    const id = (await arena.matchCount()) + 1n;
    return new MatchDriver(arms, id, terms, players, paces, moves, honours, game, plan.wanted ?? (() => true));
  }

  /** Plans a duel and plays it up to a step: 1 created, 2 joined, 3 revealed, 4 answered again, 5 over. */
  static async played(arms: Arms, plan: Plan = {}, steps = 5): Promise<MatchDriver> {
    const driver = await MatchDriver.plan(arms, plan);
    const all = [
      () => driver.create(),
      () => driver.join(),
      () => driver.reveal(),
      () => driver.answer(),
      () => driver.finish(),
    ];
    for (const step of all.slice(0, driver.first.over ? Math.min(3, steps) : steps)) await step();
    return driver;
  }

  /** State before player 2 joins. */
  get state1(): Hex {
    return encodeState({ duelists: [this.duelists[0], NOBODY], health: [0, 0], paces: [0, 0] });
  }

  /** State of round 1 once player 2 has joined. */
  get joinedState(): Hex {
    return encodeState({ duelists: this.duelists, health: [0, 0], paces: [0, 0] });
  }

  get state2(): Hex {
    return encodeState(this.stateAfter(this.first));
  }

  moves(round: 1 | 2): Two<Hex> {
    const bytes = (numbers: readonly number[]) => concat(numbers.map((number) => toBeHex(number, 1)));
    if (round === 2) return [bytes(this.blades[0]), bytes(this.blades[1])];
    return [bytes([this.paces[0]]), bytes([this.paces[1]])];
  }

  commitment(round: 1 | 2): Hex {
    const own = round === 1 ? this.salts.one1 : this.salts.one2;
    return commitmentOf(31337, this.game, this.players[0].address, this.moves(round)[0], own);
  }

  answerData(round: 1 | 2, changes: Partial<Answer> = {}): Hex {
    const [, own] = pairOf(this.salts, round);
    const state = round === 1 ? this.state1 : this.state2;
    return encodeAnswer({
      round,
      state,
      commitment: this.commitment(round),
      move: this.moves(round)[1],
      salt: own,
      ...changes,
    });
  }

  revealData(round: 1 | 2, changes: Partial<Reveal> = {}): Hex {
    const [own, answerSalt] = pairOf(this.salts, round);
    const [move, answerMove] = this.moves(round);
    const next = round === 1 && !this.first.over ? this.commitment(2) : "0x";
    const state = round === 1 ? this.joinedState : this.state2;
    return encodeReveal({ round, state, salt: own, move, answerMove, answerSalt, next, ...changes });
  }

  async create(): Promise<ContractTransactionReceipt> {
    const firm = (await time.latest()) + Number(DAY);
    return receiptOf(this.arena(0).create(this.terms, this.players[1], firm, this.commitment(1)));
  }

  async join(changes: Partial<Answer> = {}): Promise<ContractTransactionReceipt> {
    const hash = await offerHashOf(this.arms.arena, this.id);
    return receiptOf(this.arena(1).join(this.id, hash, this.answerData(1, changes)));
  }

  reveal(changes: Partial<Reveal> = {}): Promise<ContractTransactionReceipt> {
    return receiptOf(this.arena(0).act(this.id, this.revealData(1, changes)));
  }

  answer(changes: Partial<Answer> = {}): Promise<ContractTransactionReceipt> {
    return receiptOf(this.arena(1).act(this.id, this.answerData(2, changes)));
  }

  finish(changes: Partial<Reveal> = {}): Promise<ContractTransactionReceipt> {
    return receiptOf(this.arena(0).act(this.id, this.revealData(2, changes)));
  }

  /** Honour that each player earns in the duel. */
  get honour(): Two<number> {
    return (this.first.over ? this.first : this.second).honour;
  }

  arena(side: 0 | 1) {
    return this.arms.arena.connect(this.players[side]);
  }

  private stateAfter({ health }: Fought): State {
    return { duelists: this.duelists, health, paces: this.paces };
  }
}

const salt = (...of: (bigint | number)[]) => ethers.id(`salt ${of.join()}`);
const pairOf = ({ one1, two1, one2, two2 }: MatchDriver["salts"], round: number): [Hex, Hex] =>
  round === 1 ? [one1, two1] : [one2, two2];
const crossed = (state: State, moves: Two<Blades>, dice: Dice) => fight(state, moves, (n) => dice.roll(n));
