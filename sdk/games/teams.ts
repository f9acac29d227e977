import type { Turn } from "./moves.js";
import { pastRounds } from "./past-rounds.js";
import { opponentOf, type Assessment } from "./assessment.js";
import { cryptoSource } from "../bots/source.js";
import type { TeamStrategy, TeamView } from "../bots/teams.js";
import type { Characters, Team } from "./module.js";

/** Number of a player's strongest characters to choose a team from: more would take longer than they are worth. */
export const POOL = 40;
/** Maximum number of an opponent's earlier teams to consider. */
const MAX_USED = 20;

/** Description of a game of teams, as needed to choose a team. */
export interface TeamChoice<Mode, Character> {
  /** Address of the game. */
  game: string;
  mode: Mode;
  /** Length of a team in bytes. */
  length: number;
  strategy: TeamStrategy<Mode, Character>;
  characters: Characters;
  /** Reads the traits with which characters were minted, in the order of their ids. */
  minted(ids: readonly bigint[]): Promise<Character[]>;
}

/** Chooses a team from a player's own characters, given the opponent's characters and earlier teams. */
export async function weighTeam<Mode, Character>(
  turn: Turn,
  own: readonly bigint[],
  choice: TeamChoice<Mode, Character>,
): Promise<Assessment<Team>> {
  const { team, chance } = choice.strategy.weigh(await teamView(turn, own, choice), cryptoSource);
  return { move: team.map((place) => own[place]), winProbability: chance };
}

/** Sorts characters by strength, strongest first, so that weak characters sent as gifts displace no strong ones. */
export async function byStrength<Mode, Character>(
  ids: readonly bigint[],
  { mode, strategy, minted }: Pick<TeamChoice<Mode, Character>, "mode" | "strategy" | "minted">,
): Promise<bigint[]> {
  return strategy.strongest(await minted(ids), mode).map((place) => ids[place]);
}

/** Makes a reader of traits that fetches each character once. */
export function remembered<Character>(
  minted: (ids: readonly bigint[]) => Promise<Character[]>,
): (ids: readonly bigint[]) => Promise<Character[]> {
  const known = new Map<bigint, Character>();
  return async (ids) => {
    const fresh = ids.filter((id) => !known.has(id));
    (await minted(fresh)).forEach((character, i) => known.set(fresh[i], character));
    return ids.map((id) => known.get(id)!);
  };
}

/** Collects the facts that a player can know before it chooses a team. */
export async function teamView<Mode, Character>(
  turn: Turn,
  own: readonly bigint[],
  choice: TeamChoice<Mode, Character>,
): Promise<TeamView<Mode, Character>> {
  const { theirs, used } = await rivalsOf(turn, choice);
  const ids = [...new Set([...own, ...(theirs ?? []), ...used.flat()])];
  const minted = await choice.minted(ids);
  const known = (some: readonly bigint[]) => some.map((id) => minted[ids.indexOf(id)]);
  const [seat, { mode }] = [Number(turn.seat), choice];
  return { mode, seat, own: known(own), theirs: theirs && known(theirs), used: used.map(known) };
}

/** Reads the opponent's characters, and its earlier teams that it could use again. */
async function rivalsOf<Mode, Character>(turn: Turn, choice: TeamChoice<Mode, Character>) {
  const { mode, history } = turn;
  const player = opponentOf(turn);
  if (player === undefined) return { used: [] };
  const { game, length, characters } = choice;
  const owned = await characters.ownedBy(player, history);
  const lengths = [length, length] as const;
  const past = await pastRounds(history, { player, game, modes: [mode], lengths, max: MAX_USED });
  const teams = past.map(({ played }) => characters.idsIn(played));
  const theirs = (await byStrength(owned, choice)).slice(0, POOL);
  // An index may report a team that the opponent could not use.
  const couldBring = (team: readonly bigint[]) =>
    new Set(team).size === team.length && team.every((id) => owned.includes(id));
  return { theirs, used: teams.filter(couldBring) };
}
