import type { ComponentType } from "preact";
import { useLoaded } from "../../parts/use.ts";
import type { PickerProps } from "../game.ts";
import type { EmblemProps, Member, Stat } from "./kind.ts";

const TIERS = [1, 2, 3];

/** Shows a property, with its tier if it has one. */
function StatLine({ stat, isShort }: { stat: Stat; isShort?: boolean }) {
  return (
    <span class="teams-stat">
      <span class="muted" aria-hidden={isShort}>
        {isShort ? stat.short : stat.label}
      </span>
      {isShort && <span class="hidden">{stat.label} </span>}
      <b>{stat.text}</b>
      {stat.tier !== undefined && (
        <span class="teams-tier" aria-hidden="true">
          {TIERS.map((tier) => (
            <i key={tier} class={tier <= stat.tier! ? "lit" : ""} />
          ))}
        </span>
      )}
    </span>
  );
}

/** Lists the properties of a character. */
export function Stats({ member, isShort }: { member: Member; isShort?: boolean }) {
  return (
    <span class={`teams-stats${member.stats.some(({ tier }) => tier === undefined) ? " is-wide" : ""}`}>
      {member.stats.map((stat) => (
        <StatLine key={stat.label} stat={stat} isShort={isShort} />
      ))}
    </span>
  );
}

interface PortraitProps<E extends Member> {
  member: E;
  Emblem: ComponentType<EmblemProps<E>>;
  pictureOf: PickerProps["pictureOf"];
}

/** Shows the card that the chain draws of a character. While the card loads, or if there is none, shows the emblem. */
export function Portrait<E extends Member>({ member, Emblem, pictureOf }: PortraitProps<E>) {
  const { value } = useLoaded(() => pictureOf(BigInt(member.id)), [member.id]);
  return (
    <span class="teams-portrait">
      {value === undefined ? <Emblem member={member} /> : <img src={value} alt="" width={300} height={440} />}
    </span>
  );
}

/** Shows everything about a character. */
export function About<E extends Member>({
  children,
  ...props
}: PortraitProps<E> & { children?: preact.ComponentChildren }) {
  const { member } = props;
  return (
    <section class="teams-about" aria-label={`${member.name} #${member.id}`}>
      <Portrait key={member.id} {...props} />
      <div class="stack tight grow">
        <h3>
          {member.name} <span class="muted">#{member.id}</span>
        </h3>
        {member.note !== undefined && <p class="small">{member.note}</p>}
        <Stats member={member} />
        {children}
      </div>
    </section>
  );
}
