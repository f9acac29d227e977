import { Archive } from "../../sdk/chain/archive.js";
import { games as allGames } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { isOpen } from "../../sdk/protocol/status.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { askChain } from "../../sdk/verify/state.js";
import { verify } from "../../sdk/verify/verify.js";
import type { Chain } from "./chain.js";
import { Accounts, type Money } from "./accounts.js";
import type { Random } from "./random.js";
import { planFor, weightOf } from "./plan.js";
import { SoakChannel } from "./soak-channel.js";
import { SoakMatch } from "./soak-match.js";
import { World } from "./world.js";

/** Number of matches that are open at the same time. */
const OPEN_MATCHES = 4;
/** Number of matches after which all money is counted; it is also counted at the end. */
const COUNTED = 100;

/** Options of a run. */
export interface Options {
  matches: number;
  /** Number of channels, each with several matches, that are played after the matches of the arena; defaults to none. */
  channels?: number;
  /** Games to play; defaults to all games. */
  games?: readonly GameModule[];
  /** Called before the first match; tests plant bugs here. */
  prepare?(world: World): Promise<void>;
}

/** Result of a run. */
export interface Soaked {
  world: World;
  /** Number of matches by game and final status. */
  ends: Record<string, Record<string, number>>;
  /** Number of matches that were offered in channels. */
  offered: number;
  money: Map<string, Money>;
}

/** Lets players play random matches. @throws Error for the first violation. */
export async function soak(chain: Chain, random: Random, options: Options): Promise<Soaked> {
  return random.instead(async () => {
    const world = await World.on(chain, random);
    await options.prepare?.(world);
    const accounts = new Accounts(world);
    const ends = await playAll(world, accounts, options);
    await checkOver(world, options.matches);
    await accounts.count();
    let offered = 0;
    for (let number = 1; number <= (options.channels ?? 0); number++) {
      offered += await SoakChannel.play(world, options.games ?? allGames).catch((error: unknown) => {
        throw new Error(`channel ${number}: ${(error as Error).message}`, { cause: error });
      });
      await accounts.count();
    }
    await checkProof(world);
    return { world, ends, offered, money: accounts.money };
  });
}

async function checkOver({ arena }: World, matches: number): Promise<void> {
  const count = await arena.matchCount();
  for (let id = 1n; id <= count; id++)
    if (isOpen({ status: await arena.statusOf(id) })) throw new Error(`match ${id} is not over`);
  if (count !== BigInt(matches)) throw new Error(`there are ${count} matches instead of ${matches}`);
}

/** Verifies the arena from its events alone. */
async function checkProof({ chain: { provider }, addresses }: World): Promise<void> {
  const archive = await Archive.read(provider, addresses);
  const ask = askChain(provider, archive.last.number);
  const verdict = await verify(archive, allGames, { ask });
  if (verdict.mismatch) throw new Error(`verifying the arena finds ${locatedMismatchText(verdict.mismatch)}`);
}

async function playAll(
  world: World,
  accounts: Accounts,
  { matches, games = allGames }: Options,
): Promise<Soaked["ends"]> {
  const ends: Soaked["ends"] = Object.fromEntries(games.map(({ name }) => [name, {}]));
  const open = new Set<SoakMatch>();
  for (let offered = 0, over = 0; over < matches;) {
    while (open.size < OPEN_MATCHES && offered < matches) {
      const soakMatch = newMatch(games, [...open], world);
      await runStep(soakMatch, ++offered, world, () => soakMatch.offer());
      open.add(soakMatch);
    }
    const soakMatch = await nextOf([...open], world);
    await runStep(soakMatch, Number(soakMatch.matchId), world, () => soakMatch.next());
    if (!soakMatch.over) continue;
    open.delete(soakMatch);
    const end = String(soakMatch.state.status);
    ends[soakMatch.game.name][end] = (ends[soakMatch.game.name][end] ?? 0) + 1;
    if (++over % COUNTED === 0) await accounts.count();
  }
  return ends;
}

/** Picks a random match that waits for an action. If no match does, first lets time pass. */
async function nextOf(open: readonly SoakMatch[], { chain, random }: World): Promise<SoakMatch> {
  const isAwake = (soakMatch: SoakMatch) => !soakMatch.silent || soakMatch.late;
  if (!open.some(isAwake)) await chain.jumpTo(Math.min(...open.map(({ state }) => Number(state.deadline))) + 1);
  return random.pick(open.filter(isAwake));
}

/** Picks a random game and two players. Players use their characters in one match at a time. */
function newMatch(games: readonly GameModule[], open: readonly SoakMatch[], world: World): SoakMatch {
  const { random, players, addresses } = world;
  const game = random.pick(games.flatMap((each) => Array<GameModule>(weightOf(each)).fill(each)));
  const busy = game.characters ? open.filter((soakMatch) => soakMatch.game === game).flatMap(({ seats }) => seats) : [];
  const free = players.filter((player) => !busy.includes(player));
  const one = random.pick(free);
  const two = random.pick(free.filter((player) => player !== one));
  return new SoakMatch(world, game, [one, two], planFor(game, addresses.FightToken, random));
}

/** Runs a step of a match, and names the match in any error message. */
async function runStep({ game }: SoakMatch, match: number, { chain }: World, play: () => Promise<void>): Promise<void> {
  await chain.take(play).catch((error: unknown) => {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`match ${match} of ${game.name}: ${what}`, { cause: error });
  });
}
