import { games } from "../../sdk/games/index.js";
import { firstTurn } from "../../sdk/games/moves.js";
import { customError } from "../../sdk/player/errors.js";
import { modeHash } from "../../sdk/games/modes.js";
import type { ArenaMatch } from "../../sdk/chain/arena.js";
import type { GameModule } from "../../sdk/games/module.js";
import { History } from "../../sdk/chain/history.js";
import { offerHash, type Offer } from "../../sdk/protocol/offer.js";
import { mismatchText } from "../../sdk/protocol/mismatch.js";
import { replay } from "../../sdk/verify/replay.js";
import type { Risk } from "../../sdk/player/risks.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { statusFor } from "../../sdk/chain/settlement.js";
import { isOpen } from "../../sdk/protocol/status.js";
import { otherSide, seatOf } from "../../sdk/protocol/sides.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { Refused } from "./chain.js";
import { dueActionOf, MARGIN } from "./due-action.js";
import { faults } from "./faults.js";
import type { Plan } from "./plan.js";
import type { Player } from "./player.js";
import { expectRefusal } from "./expect-refusal.js";
import type { SeatedMatch } from "./seated-match.js";
import type { World } from "./world.js";

/** Risks that these players accept. */
const ACCEPTED_RISKS: readonly Risk[] = ["foreign-game", "foreign-mode", "short-clock", "worse-odds", "squatters"];

const FAULTS_PERCENT = 25;
const WINS = [Status.P1Win, Status.P2Win, Status.Draw] as const;

/** Two players, their match, and the steps of playing it. */
export class SoakMatch implements Offer, SeatedMatch {
  matchId = 0n;
  terms!: Terms;
  fingerprint!: Hex;
  state!: ArenaMatch;
  /** True if the players no longer act before the deadline. */
  silent = false;
  private steps = 0;

  constructor(
    readonly world: World,
    readonly game: GameModule,
    readonly seats: readonly [Player, Player],
    readonly plan: Plan,
  ) {}

  get over(): boolean {
    return !isOpen(this.state);
  }

  get late(): boolean {
    return BigInt(this.world.chain.now) >= this.state.deadline;
  }

  get player1(): string {
    return this.seats[0].address;
  }

  /** Hash of the offer. */
  get hash(): Hex {
    return offerHash(this);
  }

  /** Offers the match as player 1. */
  async offer(): Promise<void> {
    const { world, game, plan } = this;
    const [one, two] = this.seats;
    const address = world.addresses[game.contract];
    const [mode, secretStore] = [modeHash(plan.mode.content), await one.secretStoreAt(address)];
    const turn = firstTurn({ game: address, mode }, one.address, one.history);
    const data = await game.moves.create(await game.moves.suggest(turn, secretStore), turn, secretStore);
    const { token, stake1, stake2, clock } = plan;
    if (plan.broke) await one.withdrawAll(token);
    const value = plan.broke ? 0n : await one.provide(token, stake1);
    const create = async (rated: boolean) => {
      const terms = { game: address, stake1, token, stake2, mode, clock, rated };
      const opponent = plan.named ? two.address : undefined;
      const firmUntil = plan.firmFor === undefined ? 0 : world.chain.now + plan.firmFor;
      const challenge = { terms, opponent, firmUntil, data };
      return world.chain.take(() => one.client.create(challenge, { value, acceptedRisks: ACCEPTED_RISKS }));
    };
    const { matchId, terms, fingerprint } = await create(plan.rated).catch((error: unknown) => {
      // Only the game can report that a mode cannot be rated.
      if (!plan.rated || !isOf(game, error)) throw error;
      world.count("a mode that is not rated");
      return create(false);
    });
    Object.assign(this, { matchId, terms, fingerprint });
    await this.look();
  }

  /** Takes a random step in the match. */
  async next(): Promise<void> {
    const { random } = this.world;
    await this.look();
    if (this.late) return this.expire();
    if (this.state.deadline - BigInt(this.world.chain.now) < MARGIN) this.silent = true;
    else if (this.comes("silence")) this.silent = true;
    else if (this.comes("cancelled") && this.state.status < Status.AllDeposited && !this.state.firm)
      return this.end(() => this.seats[0].client.cancel(this.matchId), [Status.P1Canceled]);
    else if (this.comes("declined") && this.state.status < Status.AllDeposited && this.plan.named)
      return this.end(() => this.seats[1].client.decline(this.matchId), [Status.P1Canceled]);
    else if (this.comes("resigned") && this.state.status === Status.AllJoined) return this.resign();
    else if (random.likely(FAULTS_PERCENT)) await this.suffer();
    else await this.proceed();
  }

  /** Reads the state of the match. */
  async look(): Promise<void> {
    this.state = await this.world.arena.matchOf(this.matchId);
  }

  private comes(outcome: Plan["outcome"]): boolean {
    return this.plan.outcome === outcome && this.steps >= this.plan.after;
  }

  private async suffer(): Promise<void> {
    const { random } = this.world;
    await random.pick(faults.filter(({ fits }) => fits(this))).strike(this);
    await this.look();
  }

  /** Takes the next step of the match. */
  private async proceed(): Promise<void> {
    const { terms } = this;
    const { chain, random, operator } = this.world;
    const { by, method, args } = await dueActionOf(this);
    const { client } = by;
    const data = args.at(-1) as Hex;
    const byOperator = method === "act" && random.likely(15);
    if (byOperator) {
      await client.allow(operator.address, chain.now + 60);
      this.world.count("an operator acts");
    }
    const pays = method === "fund" || (method === "join" && this.state.status === Status.P1Deposited);
    const stake = by === this.seats[0] ? terms.stake1 : terms.stake2;
    const straight = method === "fund" && terms.token === this.world.addresses.FightToken && random.likely(25);
    const value = pays && !straight ? await by.provide(terms.token, stake) : 0n;
    this.steps++;
    await this.end(
      () => {
        if (straight) return client.transferFund(this, stake, { acceptedRisks: ACCEPTED_RISKS });
        if (method === "fund") return client.fund(this, { value, acceptedRisks: ACCEPTED_RISKS });
        if (method === "join") return client.join(this, data, { value, acceptedRisks: ACCEPTED_RISKS });
        return (byOperator ? operator.client : client).act(this.matchId, data);
      },
      method === "fund" ? [] : WINS,
    );
  }

  private async resign(): Promise<void> {
    const loser = this.world.random.below(2);
    const { client } = this.seats[loser];
    await this.end(() => client.resign(this.matchId), [statusFor({ winner: seatOf(otherSide(loser)) })]);
  }

  /** Ends a match whose deadline has passed; any other transaction must fail. */
  private async expire(): Promise<void> {
    const { random, stranger } = this.world;
    const { status, turn } = this.state;
    if (random.likely(30)) {
      const { by, method, args } = await dueActionOf(this);
      await expectRefusal(this, "too late", by, method, args, "TooLate");
    }
    if (random.likely(20) && status === Status.AllJoined)
      await expectRefusal(this, "resigned too late", random.pick(this.seats), "resign", [this.matchId], "TooLate");
    if (random.likely(20) && status < Status.AllDeposited && this.plan.named)
      await expectRefusal(this, "declined too late", this.seats[1], "decline", [this.matchId], "TooLate");
    const by = random.pick([stranger, ...this.seats]);
    const inPlay = turn === Seat.One ? Status.P2WinInactive : Status.P1WinInactive;
    const end = status < Status.AllDeposited ? Status.P1Canceled : inPlay;
    await this.end(() => by.client.timeout(this.matchId), [end]);
  }

  /**
   * Sends a transaction that may end the match. If it does end, checks the status, and that the replay is identical.
   * @param ends Possible final statuses of the match.
   */
  private async end(send: () => Promise<unknown>, ends: readonly bigint[]): Promise<void> {
    await send();
    await this.look();
    const { status } = this.state;
    if (!this.over && ends !== WINS && ends.length > 0) throw new Error(`match ${this.matchId} goes on`);
    if (!this.over) return;
    if (!ends.includes(status)) throw new Error(`match ${this.matchId} ended with status ${status}`);
    const { chain, addresses } = this.world;
    const history = new History(chain.provider, addresses);
    const { mismatch } = await replay(history, [this.game], this.matchId);
    if (mismatch !== undefined)
      throw new Error(`the replay of match ${this.matchId} differs: ${mismatchText(mismatch)}`);
  }
}

/** Returns whether an error is a custom error of the game. */
function isOf({ errors }: GameModule, thrown: unknown): boolean {
  const error = thrown instanceof Refused ? customError(thrown.reason, games) : undefined;
  return error !== undefined && error.name in errors;
}
