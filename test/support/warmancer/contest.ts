import { expect } from "chai";
import { keccak256, type BaseContract } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { encodeMode, QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { readMove, readSetup } from "../../../sdk/games/warmancer/notation.js";
import { stateHashIn } from "../../../sdk/games/warmancer/state.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import type { Setup } from "../../../sdk/games/warmancer/setup.js";
import { maskOf } from "../../../sdk/games/warmancer/tiles.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Random } from "../../../sdk/laws/random.js";
import { deployed, ethers, loadFixture, Seat, Status, termsFor, time, type Terms, offerHashOf } from "../index.js";
import { EngineDriver } from "../warmancer.js";
import { expectRefused } from "../refusals.js";

/** Quick with two empty columns between the armies: player 1 on a1 b1 a2 b2, player 2 on e1 f1 e2 f2, by slot. */
export const WIDER: Mode = { ...QUICK, ...columns() };

/**
 * A match in writing: setups in letters, honest or not, and turns as `b1-c1 e1-d1`, player 1's move first.
 */
export interface Plot {
  mode?: Mode;
  setups?: readonly [string, string];
  turns: readonly string[];
  /** Replaces the root of a setup. */
  roots?: (players: readonly string[], setups: readonly Setup[]) => Hex[];
}

/** A written match of alice against bob through the arena, with the engine in parallel. */
export class Contest {
  private constructor(
    readonly world: Awaited<ReturnType<typeof withGame>>,
    readonly driver: EngineDriver,
    readonly terms: Terms,
  ) {}

  /** Creates and joins the match. */
  static async open({ mode = WIDER, setups = ["TL/SG", "LT/GS"], turns, roots }: Plot): Promise<Contest> {
    const world = await loadFixture(withGame);
    const { arena, alice, bob, warmancer } = world;
    await warmancer.getFunction("registerMode")(encodeMode(mode));
    const game = await warmancer.getAddress();
    const random = new Random("contest");
    const armies = setups.map((text) => ({ secret: random.word(), ranks: readSetup([text]) }));
    const players = [alice.address, bob.address] as const;
    const match = { chainId: 31337, matchId: 1n, game, rated: !mode.casual, mode, players };
    const moves = turns.map((turn) => turn.split(" ").map(readMove));
    const driver = new EngineDriver(match, [armies[0], armies[1]], random, (_, { turn }, side) => {
      return moves[turn - 1][moves[turn - 1].length === 1 ? 0 : side];
    });
    driver.roots.push(...(roots?.(players, armies) ?? []));
    driver.start();
    const terms = await termsFor(world, { game, mode: keccak256(encodeMode(mode)), rated: match.rated });
    await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, driver.sent[0].data);
    await arena.connect(bob).join(1n, await offerHashOf(arena, 1n), driver.sent[1].data);
    return new Contest(world, driver, terms);
  }

  /** Sends the next actions, up to a number. */
  async play(actions: number): Promise<this> {
    for (let i = 0; i < actions; i++) await this.send(this.driver.next().data);
    return this;
  }

  /** Sends an action of the player in turn, which must be accepted. */
  async send(data: Hex): Promise<void> {
    const { state } = this.driver;
    await this.by(state.turn).act(1n, data);
    this.driver.send(state.turn, data);
    expect(await this.world.arena.positionOf(1n)).to.equal(stateHashIn(this.driver.state));
  }

  /** Returns the action with this body, as the player in turn would send it. */
  action(kind: number, body: Hex, setup?: EngineDriver["setups"][number]): Hex {
    return encodeAction(kind, this.driver.position, body, setup);
  }

  /** Expects both engines to refuse an action with this error, and nothing to change. */
  async expectRefused(data: Hex, error: string): Promise<void> {
    const outcome = this.driver.attempt(data);
    if (!(outcome instanceof ContractError)) expect.fail(`taken instead of ${error}`);
    expect(outcome.error).to.equal(error);
    const send = () => this.by(this.driver.state.turn).act(1n, data);
    await expectRefused(this.world, send, error, Object.values(outcome.values));
  }

  /** Expects the arena to refuse an action out of turn, and nothing to change. */
  async expectRefusedOutOfTurn(seat: bigint, data: Hex): Promise<void> {
    const told = seat === Seat.One ? "NotYourTurn(1, bob, alice)" : "NotYourTurn(1, alice, bob)";
    await expectRefused(this.world, () => this.by(seat).act(1n, data), told);
  }

  /** Expects the loser to be in turn, and lets its clock run out. */
  async expectLostByTheClock(loser: bigint): Promise<void> {
    const { arena, stranger } = this.world;
    const { turn, deadline } = await arena.matchOf(1n);
    expect(turn).to.equal(loser);
    await time.increaseTo(deadline);
    await arena.connect(stranger).timeout(1n);
    await this.expectStatus(loser === Seat.One ? Status.P2WinInactive : Status.P1WinInactive);
  }

  async expectStatus(status: bigint): Promise<void> {
    expect(await this.world.arena.statusOf(1n)).to.equal(status);
  }

  private by(seat: bigint) {
    const { arena, alice, bob } = this.world;
    return arena.connect(seat === Seat.One ? alice : bob);
  }
}

/** Deploys a world with Warmancer. */
export async function withGame() {
  const world = await deployed();
  const warmancer = (await ethers.deployContract("Warmancer", [world.arena])) as unknown as BaseContract;
  return { ...world, warmancer };
}

function columns(): Pick<Mode, "passable" | "setup1" | "setup2"> {
  const from = (x: number, width: number) =>
    maskOf(Array.from({ length: 2 * width }, (_, i) => x + (i % width) + 16 * Math.floor(i / width)));
  return { passable: from(0, 6), setup1: from(0, 2), setup2: from(4, 2) };
}
