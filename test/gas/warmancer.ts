import { keccak256, ZeroAddress, ZeroHash } from "ethers";
import { encodeAction } from "../../sdk/games/warmancer/encode-action.js";
import { decodeEntry } from "../../sdk/games/warmancer/log.js";
import { CLASSIC, encodeMode, GRAND, QUICK, type Mode } from "../../sdk/games/warmancer/mode.js";
import { Phase } from "../../sdk/games/warmancer/position.js";
import { Kind, type Match } from "../../sdk/games/warmancer/state.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { Warmancer__factory } from "../../typechain-types/index.js";
import { Random } from "../../sdk/laws/random.js";
import { EngineDriver, fierce } from "../support/warmancer.js";
import { BIGGEST, dearestMatch, twoBattles } from "../support/warmancer/dearest.js";
import { billed } from "./bill.js";
import { DAY, type Player } from "./chain.js";
import { hashFor, termsFor } from "./match.js";
import type { Costs, World } from "./world.js";

const NONCE_BYTES = 16;
const MOVE_BYTES = 2;
/** Number of actions of a game that are measured before a player gives up; many of them are battles. */
const ACTIONS = 70;

/** Every kind of action and turn. Matches are for 10 against 10 FIGHT, and rated except in casual modes. */
export async function warmancer(world: World): Promise<Costs> {
  const bench = new Bench(world, await deploy(world));
  const costs: Costs = {};
  const note = (name: string, gas: number) => (costs[`warmancer, ${name}`] = gas);
  for (const kind of ["a new one", "a known one"]) {
    note(`register a mode of 64 pawns a side: ${kind}`, await world.gasOf(bench.register(BIGGEST)));
  }

  await bench.played({ ...QUICK, maxTurns: 1 });
  const committed = await bench.played(CLASSIC);
  note("create with a committed Classic army", committed.gas[0]);
  note("join with a committed Classic army", committed.gas[1]);
  note("a first commitment", committed.gas[2]);
  note("a quiet turn, both actions", dearest(committed, 0));
  note("a turn with a battle, all actions", dearest(committed, 1));
  note("a turn with two battles, all actions", dearest(await bench.clashed(), 2));
  note("giving up", committed.gas.at(-2)!);
  note("the end check of a Classic army", committed.gas.at(-1)!);
  note("the end check of 64 pawns", (await bench.played({ ...BIGGEST, maxTurns: 500 })).gas.at(-1)!);

  const casual = await bench.played({ ...CLASSIC, casual: true });
  note("create a casual match", casual.gas[0]);
  note("join a casual match", casual.gas[1]);
  note("a casual action, which makes a quiet turn", dearest(casual, 0));
  note("a casual action, which makes a turn with a battle", dearest(casual, 1));
  const sequential = await bench.played({ ...CLASSIC, sequential: true });
  note("a sequential action, which makes a quiet turn", dearest(sequential, 0));
  note("a sequential turn with a battle, both actions", dearest(sequential, 1));
  const both = await bench.played({ ...CLASSIC, casual: true, sequential: true });
  note("a casual and sequential action, which makes a quiet turn", dearest(both, 0));
  note("a casual and sequential action, which makes a turn with a battle", dearest(both, 1));
  const from = world.sent.length;
  note(
    "a whole Quick game",
    (await bench.played(QUICK)).gas.reduce((sum, gas) => sum + gas, 0),
  );
  Object.assign(costs, await billed(world, "a Quick game of Warmancer", from));
  note("the worst legal action", (await bench.worst()).at(-1)!);

  const grand = await bench.played(GRAND);
  note("create with a committed Grand army", grand.gas[0]);
  note("join with a committed Grand army", grand.gas[1]);
  note("a quiet turn of Grand, both actions", dearest(grand, 0));
  note("a turn of Grand with a battle, all actions", dearest(grand, 1));
  note("the end check of a Grand army", grand.gas.at(-1)!);
  return costs;
}

async function deploy(world: World): Promise<Hex> {
  return (await new Warmancer__factory(world.deployer).deploy(world.arena)).getAddress();
}

/** Plays and measures matches of the game. */
class Bench {
  private readonly random = new Random("gas");

  constructor(
    private readonly world: World,
    private readonly game: Hex,
  ) {}

  register(mode: Mode) {
    return Warmancer__factory.connect(this.game, this.world.deployer).registerMode(encodeMode(mode));
  }

  /**
   * The gas of every transaction of a match, which ends with Concede and the end check if it is long and not casual.
   */
  async played(mode: Mode): Promise<{ driver: EngineDriver; gas: number[] }> {
    const [match, terms] = await this.opened(mode);
    const driver = EngineDriver.of(mode, this.random, fierce(this.random), match);
    Object.assign(driver.notes, {
      root: NONCE_BYTES + driver.setups[0].ranks.length,
      commitment: NONCE_BYTES + MOVE_BYTES,
    });
    driver.start().play(ACTIONS);
    if (!mode.casual && driver.position.phase < Phase.Won) {
      driver.send(driver.state.turn, encodeAction(Kind.Concede, driver.position, driver.concession()));
      driver.play();
    }
    return { driver, gas: await this.send(driver, terms) };
  }

  /** The gas of a match up to a turn with two battles. */
  async clashed(): Promise<{ driver: EngineDriver; gas: number[] }> {
    const [match, terms] = await this.opened(CLASSIC);
    const driver = noted(twoBattles(match, this.random)).start().play(10);
    return { driver, gas: await this.send(driver, terms) };
  }

  async worst(): Promise<number[]> {
    const [match, terms] = await this.opened(BIGGEST);
    return this.send(dearestMatch(match, this.random), terms);
  }

  /** The next match, with known mode and terms. */
  private async opened(mode: Mode): Promise<[Match, Terms]> {
    const { world, game } = this;
    const content = encodeMode(mode);
    if (mode !== CLASSIC) await this.register(mode);
    const terms = await termsFor(world, {
      game,
      mode: mode === CLASSIC ? ZeroHash : keccak256(content),
      rated: !mode.casual,
    });
    const players = [world.alice.address, world.bob.address] as const;
    const match = { chainId: world.chainId, game, players, rated: terms.rated, mode };
    const { data } = EngineDriver.of(mode, this.random, undefined, match).start().sent[0];
    await world.stranger.arena.create(terms, ZeroAddress, 0, data);
    return [{ ...match, matchId: (await world.arena.matchCount()) + 1n }, terms];
  }

  private async send({ sent, match }: EngineDriver, terms: Terms): Promise<number[]> {
    const { world } = this;
    const gas: number[] = [];
    for (const [i, { seat, data }] of sent.entries()) {
      const { arena }: Player = seat === Seat.One ? world.alice : world.bob;
      const sending =
        i === 0
          ? arena.create(terms, world.bob.address, (await world.now()) + DAY, data)
          : i === 1
            ? arena.join(match.matchId, hashFor(terms, world.alice, sent[0].data), data)
            : arena.act(match.matchId, data);
      gas.push(await world.gasOf(sending));
    }
    return gas;
  }
}

/** A match in which notes are as long as those of real players. */
function noted(driver: EngineDriver): EngineDriver {
  const root = NONCE_BYTES + driver.setups[0].ranks.length;
  Object.assign(driver.notes, { root, commitment: NONCE_BYTES + MOVE_BYTES });
  return driver;
}

/**
 * The most expensive turn with a number of battles, all its actions together except for the first commitment of the
 * match.
 */
function dearest({ driver, gas }: { driver: EngineDriver; gas: readonly number[] }, battles: number): number {
  const turns: { battles: number; gas: number }[] = [];
  let sum = 0;
  for (const [i, { outcome }] of driver.sent.entries()) {
    if (i <= 2) continue;
    sum += gas[i];
    for (const { entries } of outcome.logs) {
      turns.push({ gas: sum, battles: entries.filter((entry) => decodeEntry(entry).op === "battle").length });
      sum = 0;
    }
  }
  return Math.max(...turns.filter((turn) => turn.battles === battles).map((turn) => turn.gas));
}
