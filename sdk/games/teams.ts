import type { Turn } from "./moves.js";
import { pastRounds } from "./past.js";
import { opponentOf, type Assessment } from "./assessment.js";
import { cryptoSource } from "../bots/source.js";
import type { TeamStrategy, TeamView } from "../bots/teams.js";
import type { Characters } from "./module.js";

/** Characters of each player that a team is chosen from, the strongest: more would take longer than they gain. */
export const POOL = 40;
/** Teams that an opponent has brought before, at most. */
const MAX_USED = 20;

/** A game of teams, as far as the choice of one needs it. */
export interface TeamChoice<Mode, Character> {
  /** Address of the game. */
  game: string;
  mode: Mode;
  /** Bytes of a team. */
  length: number;
  strategy: TeamStrategy<Mode, Character>;
  characters: Characters;
  /** What characters were minted as, in the same order. */
  minted(ids: readonly bigint[]): Promise<Character[]>;
}

/** A team of a player's own, by what its opponent has and has brought before: numbers in slot order. */
export async function weighTeam<Mode, Character>(
  turn: Turn,
  own: readonly bigint[],
  choice: TeamChoice<Mode, Character>,
): Promise<Assessment> {
  const { team, chance } = choice.strategy.weigh(await teamView(turn, own, choice), cryptoSource);
  return { moveArgs: team.map((place) => String(own[place])), winProbability: chance };
}

/** The strongest characters first, so that gifts of worthless ones crowd out nobody. */
export async function byStrength<Mode, Character>(
  ids: readonly bigint[],
  { mode, strategy, minted }: Pick<TeamChoice<Mode, Character>, "mode" | "strategy" | "minted">,
): Promise<bigint[]> {
  return strategy.strongest(await minted(ids), mode).map((place) => ids[place]);
}

/** Asks for each character once. */
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

/** What a player may know before it chooses among its own. */
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

/** What the opponent has now, and the teams that it has brought and could bring again. */
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
  return { theirs, used: teams.filter((team) => team.every((id) => owned.includes(id))) };
}
