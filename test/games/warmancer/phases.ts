import { expect } from "chai";
import { concat, dataSlice, getBytes, hexlify, keccak256, ZeroHash } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { encodeMode, QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { STUCK } from "../../../sdk/games/warmancer/legal-moves.js";
import { KINDS, PHASES, phaseOf, verdictOf } from "../../support/warmancer/phases.js";
import { Phase, positionLength } from "../../../sdk/games/warmancer/position.js";
import { Kind, stateHashIn } from "../../../sdk/games/warmancer/state.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import { encodeSetup } from "../../../sdk/games/warmancer/setup.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Random } from "../../../sdk/laws/random.js";
import { deployed, ethers, loadFixture, Seat, Status, termsFor, time, offerHashOf } from "../../support/index.js";
import { EngineDriver } from "../../support/warmancer.js";
import { SWITCHES } from "../../support/warmancer/boards.js";
import { triedIn, verdictOf as told, Walkthrough, type Tried } from "../../support/warmancer/walkthrough.js";
import { outcomeOf } from "../../support/refusals.js";

const STEPS = 10_000;
const QUICK_PAWNS = 4;
const MODES: Mode[] = [3, 50].flatMap((maxTurns) => SWITCHES.map((switches) => ({ ...QUICK, ...switches, maxTurns })));

/** A kind of action, with or without a setup: a cell in the row of a phase. */
interface Cell {
  kind: number;
  riding: boolean;
}

const CELLS: Cell[] = [...KINDS.keys()].flatMap((kind) => [false, true].map((riding) => ({ kind, riding })));
const nameOf = ({ kind, riding }: Cell) => `${KINDS[kind]}${riding ? " with a setup" : ""}`;

/** Returns a body for an action of any kind, which is valid if the kind is expected. */
function bodyOf(driver: EngineDriver, kind: number): Hex {
  const { setups, random, side } = driver;
  if (kind === Kind.Setup) return encodeSetup(setups[side]);
  if (kind === Kind.Concede) return driver.concession();
  return kind === driver.due() ? driver.body(kind) : random.note(random.below(40));
}

/** Returns true if an action ends the game so that its sender must show its setup first. */
function endsWell(driver: EngineDriver, action: Hex): boolean {
  const outcome = driver.attempt(action);
  if (outcome instanceof ContractError) return false;
  return outcome.step.turn === driver.state.turn && outcome.state.position!.phase >= Phase.Won;
}

/** Makes an action for a cell of the table, with the expected outcome. */
function actionIn(driver: EngineDriver, { kind, riding }: Cell): { action: Hex; expected: string } {
  const { state, position, setups, side } = driver;
  const body = bodyOf(driver, kind);
  const plain = encodeAction(kind, position, body);
  const action = riding ? encodeAction(kind, position, body, setups[side]) : plain;
  const ends = riding && kind !== Kind.Setup && endsWell(driver, plain);
  return { action, expected: verdictOf(phaseOf({ ...state, position }), kind, riding, ends) };
}

/** Cuts, extends or changes an action, usually so that it is invalid. */
function spoilt(action: Hex, random: Random): Hex {
  const bytes = getBytes(action);
  const head = random.below(4) === 0 ? 0 : Math.min(bytes.length - 1, 1 + positionLength(QUICK_PAWNS));
  const at = head + random.below(bytes.length - head);
  if (random.below(8) === 0) return dataSlice(action, 0, at);
  if (random.below(8) === 0) return concat([action, random.note(1 + random.below(40))]);
  if (random.below(2) === 0) bytes[at] ^= 1 << random.below(8);
  else bytes.set(getBytes(random.note(Math.min(2, bytes.length - at))), at);
  return hexlify(bytes);
}

describe("Warmancer: phases", () => {
  const seen = new Set<string>();

  /** Tries valid and invalid actions of all kinds in a match, until it is over or an altered action is accepted. */
  function walk(driver: EngineDriver, random: Random): Tried[] {
    const tried = triedIn(driver.start());
    while (!driver.over) {
      const { state, position } = driver;
      const due = { kind: driver.due(), riding: random.below(4) === 0 };
      const cell = random.below(3) === 0 && position.phase < Phase.Won ? due : random.pick(CELLS);
      const { action, expected } = actionIn(driver, cell);
      const data = random.below(3) === 0 ? spoilt(action, random) : action;
      const outcome = driver.attempt(data);
      const refused = outcome instanceof ContractError;
      if (data === action) {
        const what = `${phaseOf({ ...state, position })}: ${nameOf(cell)}`;
        expect(refused ? outcome.error : "taken", what).to.equal(expected);
        seen.add(`${what}: ${expected}`);
      }
      tried.push({ entry: "act", seat: state.turn, data, engine: told(outcome, stateHashIn(state)) });
      if (refused) continue;
      // A driver whose setup or moves differ from those of the match cannot continue.
      if (data !== action) break;
      driver.take(state.turn, data, outcome);
    }
    return tried;
  }

  it("accepts and rejects 10,000 actions of all kinds identically in both engines, as documented", async () => {
    const walkthrough = await Walkthrough.open();
    for (const mode of MODES) await walkthrough.register(mode);
    const random = new Random("walk");
    const choice = (moves: number[]) => (random.below(8) ? random.pick(moves) : STUCK);
    for (let [n, steps] = [0, 0]; steps < STEPS; n++) {
      const driver = EngineDriver.of(MODES[n % MODES.length], random, choice, walkthrough.place());
      const tried = walk(driver, random);
      await walkthrough.expectAlike(driver.match, tried);
      steps += tried.length;
    }
    for (const phase of PHASES.filter((each) => each !== "over")) {
      for (const cell of CELLS) {
        for (const ends of [false, true]) {
          const what = `${phase}: ${nameOf(cell)}: ${verdictOf(phase, cell.kind, cell.riding, ends)}`;
          expect([...seen]).to.include(what);
        }
      }
    }
  });

  it("rejects every action once a match is over, and the arena reports the end", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    const warmancer = await ethers.deployContract("Warmancer", [arena]);
    const mode = { ...QUICK, casual: true, sequential: true, maxTurns: 1 };
    await warmancer.getFunction("registerMode")(encodeMode(mode));
    const changes = { game: await warmancer.getAddress(), mode: keccak256(encodeMode(mode)), rated: false };
    const terms = await termsFor(world, changes);
    const place = { matchId: 1n, game: terms.game, players: [alice.address, bob.address] } as const;
    const driver = EngineDriver.of(mode, new Random("over"), undefined, place).start().play();
    await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, driver.sent[0].data);
    await arena.connect(bob).join(1n, await offerHashOf(arena, 1n), driver.sent[1].data);
    await arena.connect(alice).act(1n, driver.sent[2].data);
    expect(await arena.positionOf(1n)).to.equal(ZeroHash);
    for (const { kind, riding } of CELLS) {
      const action = encodeAction(kind, driver.position, "0x", riding ? driver.setups[0] : undefined);
      expect(verdictOf("over", kind, riding, false)).to.equal("WrongStatus");
      expect(driver.refusal(action, Seat.One)?.error).to.equal("WrongStatus");
      const sent = arena.connect(alice).act.staticCall(1n, action);
      expect(await outcomeOf(world, sent)).to.equal(`WrongStatus(1, ${Status.Draw})`);
    }
  });
});
