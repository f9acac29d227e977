import { pick, QuickSource, shuffle, type Source } from "./source.js";
import type { Strategy } from "./strategy.js";

/** What a player knows before it brings a team. */
export interface TeamView<Mode, Character> {
  mode: Mode;
  /** The seat to choose for, 1 or 2. */
  seat: number;
  /** Those at hand. */
  own: readonly Character[];
  /** Those that the opponent has; left out, or too few for a team: it is taken to bring ones like one's own. */
  theirs?: readonly Character[];
  /** Teams in slot order that it has brought before and may bring again, as often as it did. */
  used?: readonly (readonly Character[])[];
}

/** A game between teams. */
export interface TeamGame<Mode, Character> {
  sizeOf(mode: Mode): number;
  /** About how much one is worth to a team: more than another in everything is more. */
  strength(character: Character, mode: Mode): number;
  /** Who wins, 1 or 2, or 0 for a draw; the seed has 32 bytes. */
  fight(seed: Uint8Array, mode: Mode, teams: readonly (readonly Character[])[]): number;
}

/** Places among those at hand, in slot order. */
type Team = readonly number[];

/** A team that is brought. */
export interface TeamChoice {
  /** Places among those at hand, in slot order. */
  team: number[];
  /** The part of battles that it is to expect to win at least, draws by half. */
  chance: number;
}

/** A team that is tried. */
interface Trial {
  team: Team;
  battles: number;
  won: number;
}

/** Battles that a choice may cost, unless told otherwise: some 0.3 s. Less than 2,000 would find little. */
export const BATTLES = 6_000;

const TRIALS = 12;
const KEPT = 4;
/** Of the first ones so many are the strongest characters, in any order. */
const STRONG = 4;
/** Battles of each team that is tried between two selections. */
const SERIES = 8;
/** Teams that an opponent may bring besides those it has: any ones, and ones that it would choose in the same way. */
const ANY_RIVALS = 8;
const APT_RIVALS = 8;
/** The part of the battles that goes into finding each of the latter, and into finding out what chance there is. */
const APT_PART = 1 / 20;
const CHANCE_PART = 1 / 5;

/** Brings those at hand, in the order, that do best in simulated battles against what the opponent may bring. */
export class TeamStrategy<Mode, Character> implements Strategy<TeamView<Mode, Character>, number[]> {
  constructor(
    private readonly game: TeamGame<Mode, Character>,
    private readonly battles = BATTLES,
  ) {}

  /** Places in `own`, in slot order. @throws RangeError if there are too few for a team. */
  choose(view: TeamView<Mode, Character>, source: Source): number[] {
    return this.weigh(view, source).team;
  }

  /**
   * The team and its chance: against what the opponent has brought, or what it would choose, whichever is worse, so
   * that nobody looks weak by having lost. @throws RangeError if there are too few for a team.
   */
  weigh({ mode, seat, own, theirs, used = [] }: TeamView<Mode, Character>, source: Source): TeamChoice {
    const size = this.game.sizeOf(mode);
    if (own.length < size) throw new RangeError(`${own.length} at hand; a team has ${size}`);
    const quick = new QuickSource(source);
    const isShort = theirs !== undefined && theirs.length < size;
    const others = theirs === undefined || isShort ? own : theirs;
    const any = (from: readonly Character[]) => shuffle([...from], quick).slice(0, size);
    const mine = Array.from({ length: ANY_RIVALS }, () => any(own));
    const apt = Array.from({ length: APT_RIVALS }, () =>
      this.best(mode, 3 - seat, others, mine, this.battles * APT_PART, quick).map((place) => others[place]),
    );
    const rivals = [...used, ...Array.from({ length: ANY_RIVALS }, () => any(others)), ...apt];
    const rest = 1 - APT_RIVALS * APT_PART - CHANCE_PART;
    const team = this.best(mode, seat, own, rivals, this.battles * rest, quick);
    // Who has too few for a team will bring what nobody has seen.
    if (isShort) return { team: [...team], chance: 0 };
    const brought = team.map((place) => own[place]);
    const trials = [used, apt].filter(({ length }) => length > 0);
    const battles = (this.battles * CHANCE_PART) / trials.length;
    return {
      team: [...team],
      chance: Math.min(...trials.map((some) => this.wins(mode, seat, brought, some, battles, quick))),
    };
  }

  /** Places in `characters`, the strongest first. */
  strongest(characters: readonly Character[], mode: Mode): number[] {
    const strengths = characters.map((each) => this.game.strength(each, mode));
    return [...characters.keys()].sort((one, other) => strengths[other] - strengths[one]);
  }

  /** The part of battles that a team wins. */
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

  /** What a battle is worth to a seat. */
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
   * Tries teams in series of battles, all against the same rivals and dice, and goes on with the best and what is like
   * them.
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

/** How often a team may be relied on to win: less than it did, the fewer its battles. */
function promise({ battles, won }: Trial): number {
  return won / battles - 1 / (2 * Math.sqrt(battles));
}

/** A team with one of those left at home in it, or with two who change slots. */
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
