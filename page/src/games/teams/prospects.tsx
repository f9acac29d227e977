import { cryptoSource } from "duello";
import { useMemo } from "preact/hooks";
import { Stats } from "./card.tsx";
import type { Member, TeamKind } from "./kind.ts";
import type { Candidate } from "./roster.tsx";

/** Estimates are rounded to this step, since they are not more precise than that. */
const STEP = 5;
/** Maximum number of the opponent's characters that are shown. */
const SHOWN = 40;

interface ChanceProps<M, C, E extends Member> {
  kind: TeamKind<M, C, E>;
  mode: M;
  seat: number;
  team: readonly string[];
  candidates: readonly Candidate<C, E>[];
  /** Characters that the opponent owns; undefined if they are unknown. */
  rivals: readonly Candidate<C, E>[] | undefined;
  /** Words for the teams against which the chance is estimated. */
  against: string;
}

/** Describes how likely a complete team is to win. */
export function Chance<M, C, E extends Member>({
  kind,
  mode,
  seat,
  team,
  candidates,
  rivals,
  against,
}: ChanceProps<M, C, E>) {
  const free = rivals?.filter(({ obstacle }) => obstacle === undefined);
  const chance = useMemo(() => {
    const own = candidates.map(({ traits }) => traits);
    const places = team.map((id) => candidates.findIndex(({ member }) => member.id === id));
    const theirs = free?.map(({ traits }) => traits);
    return kind.strategy.judge({ mode, seat, own, theirs }, places, cryptoSource);
  }, [team.join(" "), free?.length]);
  return (
    <p class="small">
      Wins about <b>{Math.round((100 * chance) / STEP) * STEP} %</b> against {against}.
    </p>
  );
}

interface RivalsProps<C, E extends Member> extends Pick<TeamKind<unknown, C, E>, "Emblem"> {
  rivals: readonly Candidate<C, E>[];
  name: string;
}

/** Shows the characters that the opponent may choose. */
export function Rivals<C, E extends Member>({ rivals, name, Emblem }: RivalsProps<C, E>) {
  return (
    <details class="teams-rivals">
      <summary>
        What {name} may bring ({rivals.length})
      </summary>
      <ul>
        {rivals.slice(0, SHOWN).map(({ member, obstacle }) => (
          <li key={member.id} class={obstacle === undefined ? "" : "is-away"}>
            <Emblem member={member} />
            <span class="grow">
              <b>{member.name}</b> <span class="muted">#{member.id}</span>{" "}
              {obstacle !== undefined && <span class="tag">{obstacle}</span>}
              <Stats member={member} isShort />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
