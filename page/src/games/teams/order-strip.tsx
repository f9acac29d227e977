import type { ComponentType } from "preact";
import { isSame, type Place, type Round } from "./fight.ts";
import type { EmblemProps, Member } from "./kind.ts";

interface OrderStripProps<E extends Member> extends Round {
  order: readonly Place[];
  hp: readonly (readonly number[])[];
  teams: readonly (readonly E[])[];
  names: readonly [string, string];
  /** Number of the attack that is shown, and of the last attack. */
  step: number;
  last: number;
  /** False until the attack of the step lands. */
  hasLanded: boolean;
  Emblem: ComponentType<EmblemProps<E>>;
}

/** Shows the round: the order of actions, which of them are done, and their results. */
export function OrderStrip<E extends Member>(props: OrderStripProps<E>) {
  const { round, attacks, order, hp, teams, names, step, last, hasLanded, Emblem } = props;
  const now = attacks.at(-1);
  const done = hasLanded ? attacks : attacks.slice(0, -1);
  return (
    <section class="teams-order" aria-label="The round">
      <p class="small">
        <b>{round === 0 ? "Before round 1" : `Round ${round}`}</b>{" "}
        <span class="muted">
          in the order in which they act, attack {step} of {last}. Choose anyone on the stage to see the whole card.
        </span>
      </p>
      <ol style={{ "--count": order.length }}>
        {order.map((place) => {
          const { player, slot } = place;
          const attack = done.find(({ attacker }) => isSame(attacker, place));
          const isDead = hp[player - 1][slot] === 0;
          const isNow = isSame(now?.attacker, place);
          const outcome = attack ? (attack.dodge ? "miss" : `−${attack.damage}`) : isDead ? "out" : "";
          const told = attack
            ? attack.dodge
              ? "was dodged"
              : `dealt ${attack.damage}`
            : isDead
              ? "is out"
              : "has not acted";
          return (
            <li
              key={`${player}.${slot}`}
              class={`${isNow ? "is-now" : ""}${isNow || attack || isDead ? "" : " is-due"}${isDead ? " is-dead" : ""}`}
              title={teams[player - 1][slot].name}
            >
              <Emblem member={teams[player - 1][slot]} />
              <span aria-hidden="true">
                <span class={player === 1 ? "mark" : "mark two"} />
                {slot + 1}
              </span>
              <small aria-hidden="true">
                {attack?.death ? "☠ " : ""}
                {outcome}
              </small>
              <span class="hidden">
                {teams[player - 1][slot].name} of {names[player - 1]}, slot {slot + 1}, {told}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
