import { pick, QuickSource, shuffle, type RandomSource } from "./source.js";
import type { Strategy } from "./strategy.js";

/** A player's view before it chooses a team. */
export interface TeamView<Mode, Character> {
  mode: Mode;
  /** Seat of the player, 1 or 2. */
  seat: number;
  /** Characters that the player can use. */
  own: readonly Character[];
  /**
   * Characters that the opponent can use. If they are missing, or too few for a team, the opponent is assumed to have
   * the player's characters.
   */
  theirs?: readonly Character[];
  /** Teams, in slot order, that the opponent has used and may use again; each is listed as often as it was used. */
  used?: readonly (readonly Character[])[];
}

/** A game between teams. */
export interface TeamGame<Mode, Character> {
  /** Returns the number of characters of a team. */
  sizeOf(mode: Mode): number;
  /** Estimates the value of a character to a team; a character that is better in everything has a higher value. */
  strength(character: Character, mode: Mode): number;
  /** Fights a battle. @param seed 32 bytes. @returns The winner, 1 or 2; 0 for a draw. */
  fight(seed: Uint8Array, mode: Mode, teams: readonly (readonly Character[])[]): number;
}

/** Indices in the list of the player's own characters, in slot order. */
type Team = readonly number[];

/** Team that the strategy recommends to a player. */
export interface TeamChoice {
  /** Indices in the list of the player's own characters, in slot order. */
  team: number[];
  /** Minimum fraction of battles that the team can expect to win; a draw counts half. */
  chance: number;
}

/** A team that is tested in battles. */
interface Trial {
  team: Team;
  /** Number of battles. */
  battles: number;
  /** Number of battles won; a draw counts half. */
  won: number;
}

/** Default number of battles for a choice: about 0.3 s. Fewer than 2,000 rarely find a good team. */
export const BATTLES = 6_000;

/** Number of battles that evaluate a chosen team: about 0.01 s. */
const JUDGED = 200;

/** Number of teams tried at a time. */
const TRIALS = 12;
/** Number of teams kept after each series of battles. */
const KEPT = 4;
/** Number of teams, among the first tried, that consist of the strongest characters, in a random order. */
const STRONG = 4;
/** Battles of each team in a series. */
const SERIES = 8;
/** Number of rival teams that are drawn at random from the opponent's characters. */
const ANY_RIVALS = 8;
/** Number of rival teams that the opponent would choose by the same method. */
const APT_RIVALS = 8;
/** Fraction of the battles spent on choosing each of these teams. */
const APT_PART = 1 / 20;
/** Fraction of the battles spent on estimating the chance of winning. */
const CHANCE_PART = 1 / 5;

/**
 * Chooses the team, and its order, that does best in simulated battles against the opponent's possible teams.
 * @example
 * ```ts
 * import { TeamStrategy } from "duello/bots";
 *
 * const dwarfs = new TeamStrategy<null, number>({
 *   sizeOf: () => 2,
 *   strength: (dwarf) => dwarf,
 *   fight: (_seed, _mode, [one, two]) => (one[0] === two[0] ? 0 : one[0] > two[0] ? 1 : 2),
 * }, 200);
 * dwarfs.strongest([3, 9, 5], null); // => [1, 2, 0]
 * ```
 */
export class TeamStrategy<Mode, Character> implements Strategy<TeamView<Mode, Character>, number[]> {
  constructor(
    private readonly game: TeamGame<Mode, Character>,
    private readonly battles = BATTLES,
  ) {}

  /** Chooses a team: places in `own`, in slot order. @throws RangeError for too few characters for a team. */
  choose(view: TeamView<Mode, Character>, source: RandomSource): number[] {
    return this.weigh(view, source).team;
  }

  /**
   * Chooses a team and estimates its chance: the lower of the chances against teams that the opponent has used, and
   * against teams that the opponent would choose. An opponent thus cannot look weak by losing on purpose.
   * @throws RangeError for too few characters for a team.
   */
  weigh({ mode, seat, own, theirs, used = [] }: TeamView<Mode, Character>, source: RandomSource): TeamChoice {
    const size = this.game.sizeOf(mode);
    if (own.length < size) throw new RangeError(`${own.length} at hand; a team has ${size}`);
    const quick = new QuickSource(source);
    const isShort = theirs !== undefined && theirs.length < size;
    const others = theirs === undefined || isShort ? own : theirs;
    const any = (from: readonly Character[]) => shuffle([...from], quick).slice(0, size);
    const mine = Array.from({ length: ANY_RIVALS }, () => any(own));
    const otherSeat = seat === 1 ? 2 : 1;
    const apt = Array.from({ length: APT_RIVALS }, () =>
      this.best(mode, otherSeat, others, mine, this.battles * APT_PART, quick).map((place) => others[place]),
    );
    const rivals = [...used, ...Array.from({ length: ANY_RIVALS }, () => any(others)), ...apt];
    const rest = 1 - APT_RIVALS * APT_PART - CHANCE_PART;
    const team = this.best(mode, seat, own, rivals, this.battles * rest, quick);
    // An opponent with too few characters for a team will use unknown ones.
    if (isShort) return { team: [...team], chance: 0 };
    const brought = team.map((place) => own[place]);
    const trials = [used, apt].filter(({ length }) => length > 0);
    const battles = (this.battles * CHANCE_PART) / trials.length;
    return {
      team: [...team],
      chance: Math.min(...trials.map((some) => this.wins(mode, seat, brought, some, battles, quick))),
    };
  }

  /**
   * Estimates the fraction of battles that a team wins against the opponent's strongest characters, in any order; a
   * draw counts half.
   * @param team Indices in `own`, in slot order.
   */
  judge(
    { mode, seat, own, theirs }: Omit<TeamView<Mode, Character>, "used">,
    team: readonly number[],
    source: RandomSource,
  ): number {
    const size = this.game.sizeOf(mode);
    const quick = new QuickSource(source);
    const others = theirs === undefined || theirs.length < size ? own : theirs;
    const strongest = this.strongest(others, mode).slice(0, size);
    const rivals = Array.from({ length: ANY_RIVALS }, () =>
      shuffle([...strongest], quick).map((place) => others[place]),
    );
    const brought = team.map((place) => own[place]);
    return this.wins(mode, seat, brought, rivals, JUDGED, quick);
  }

  /** Sorts characters by strength. @returns Places in `characters`, the strongest first. */
  strongest(characters: readonly Character[], mode: Mode): number[] {
    const strengths = characters.map((each) => this.game.strength(each, mode));
    return [...characters.keys()].sort((one, other) => strengths[other] - strengths[one]);
  }

  /** Estimates the fraction of battles that a team wins. */
  private wins(
    mode: Mode,
    seat: number,
    team: readonly Character[],
    rivals: readonly (readonly Character[])[],
    battles: number,
    quick: QuickSource,
  ): number {
    let won = 0;
    for (let n = 0; n < battles; n++) won += this.fight(mode, seat, team, pick(rivals, quick), quick.bytes(32));
    return won / battles;
  }

  /** Fights a battle. @returns 1 if the seat wins, 0 if it loses, 1/2 for a draw. */
  private fight(
    mode: Mode,
    seat: number,
    team: readonly Character[],
    rival: readonly Character[],
    seed: Uint8Array,
  ): number {
    const winner = this.game.fight(seed, mode, seat === 1 ? [team, rival] : [rival, team]);
    return winner === 0 ? 1 / 2 : Number(winner === seat);
  }

  /**
   * Searches for the best team. It tries teams in series of battles, all against the same rivals with the same dice,
   * and continues with the best teams and variations of them.
   */
  private best(
    mode: Mode,
    seat: number,
    own: readonly Character[],
    rivals: readonly (readonly Character[])[],
    battles: number,
    quick: QuickSource,
  ): Team {
    const places = [...own.keys()];
    const size = this.game.sizeOf(mode);
    const fresh = (team: Team): Trial => ({ team, battles: 0, won: 0 });
    const strongest = this.strongest(own, mode).slice(0, size);
    let trials = Array.from({ length: TRIALS }, (_, i) =>
      fresh(shuffle(i < STRONG ? [...strongest] : [...places], quick).slice(0, size)),
    );
    for (let spent = 0; ;) {
      for (let i = 0; i < SERIES; i++) {
        const [rival, seed] = [pick(rivals, quick), quick.bytes(32)];
        for (const trial of trials) {
          const team = trial.team.map((place) => own[place]);
          trial.won += this.fight(mode, seat, team, rival, seed);
          trial.battles++;
        }
      }
      spent += SERIES * trials.length;
      trials.sort((one, other) => promise(other) - promise(one));
      if (spent + SERIES * TRIALS > battles) return trials[0].team;
      const kept = trials.slice(0, KEPT);
      const more = Array.from({ length: TRIALS - KEPT }, () => fresh(varied(pick(kept, quick).team, places, quick)));
      trials = [...kept, ...more];
    }
  }
}

/** Returns a lower bound for the fraction of battles that a team wins: the fewer battles it has fought, the lower. */
function promise({ battles, won }: Trial): number {
  return won / battles - 1 / (2 * Math.sqrt(battles));
}

/** Varies a team: adds an unused character, or swaps two slots. */
function varied(team: Team, places: Team, quick: QuickSource): Team {
  const home = places.filter((place) => !team.includes(place));
  const changed = [...team];
  const at = quick.below(team.length);
  if (home.length > 0 && (quick.below(2) === 0 || team.length === 1)) {
    changed[at] = pick(home, quick);
  } else {
    const other = quick.below(team.length);
    [changed[at], changed[other]] = [team[other], team[at]];
  }
  return changed;
}
