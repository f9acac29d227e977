import { isSame, type Place, type Round } from "./fight.ts";
import type { Member } from "./kind.ts";

interface OrderStripProps extends Round {
  order: readonly Place[];
  hp: readonly (readonly number[])[];
  teams: readonly (readonly Member[])[];
  names: readonly [string, string];
  /** Number of the attack that is shown, and of the last one. */
  step: number;
  last: number;
}

/** Shows the round: the order of actions, which of them are done, and their results. */
export function OrderStrip({ round, attacks, order, hp, teams, names, step, last }: OrderStripProps) {
  const now = attacks.at(-1);
  return (
    <section class="teams-order" aria-label="The round">
      <p class="small">
        <b>{round === 0 ? "Before round 1" : `Round ${round}`}</b>{" "}
        <span class="muted">
          in the order in which they act, attack {step} of {last}
        </span>
      </p>
      <ol style={{ "--count": order.length }}>
        {order.map((place) => {
          const { player, slot } = place;
          const attack = attacks.find(({ attacker }) => isSame(attacker, place));
          const isDead = hp[player - 1][slot] === 0;
          const isNow = attack !== undefined && attack === now;
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
              class={`${isNow ? "is-now" : ""}${attack || isDead ? "" : " is-due"}${isDead ? " is-dead" : ""}`}
              title={teams[player - 1][slot].name}
            >
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
