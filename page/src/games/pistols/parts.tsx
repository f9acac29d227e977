import { ARCHETYPES, FULL_HEALTH, standingOf } from "duello/games/pistols";

/** Minimum honour of a trickster and of an honourable duelist. */
const LIMITS = [1, 2, 3].map((archetype) => {
  return Array.from({ length: 101 }, (_, honour) => honour).find(
    (honour) => standingOf({ duels: 1, total: honour, last: honour }).archetype === archetype,
  )!;
});

/** Health as hearts. */
export function Health({ points }: { readonly points: number }) {
  return (
    <span class="pistols-health" role="img" aria-label={`${points} of ${FULL_HEALTH} health`}>
      {Array.from({ length: FULL_HEALTH }, (_, i) => (
        <svg key={i} viewBox="0 0 20 18" class={i < points ? "pistols-heart" : "pistols-heart pistols-lost"}>
          <path d="M10 17C3 11 1 8 1 5.5A4.5 4.5 0 0 1 10 4a4.5 4.5 0 0 1 9 1.5C19 8 17 11 10 17z" />
        </svg>
      ))}
    </span>
  );
}

/** Meter of honour with the archetypes that it determines. @param was Honour before, marked if given. */
export function Honour(props: { readonly label: string; readonly honour: number; readonly was?: number }) {
  const { label, honour, was } = props;
  return (
    <div class="pistols-honour">
      <div class="pistols-told small">
        <span>{label}</span> <b>{was === undefined ? honour : `${was} → ${honour}`} of 100</b>
      </div>
      <div
        class="pistols-meter"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={honour}
      >
        <span class="pistols-filled" style={{ width: `${honour}%` }} />
        {was !== undefined && <span class="pistols-was" style={{ left: `${was}%` }} />}
      </div>
      <div class="pistols-zones small muted" aria-hidden="true">
        {LIMITS.map((limit, i) => (
          <span key={limit} style={{ flexGrow: (LIMITS[i + 1] ?? 100) - limit }}>
            {ARCHETYPES[i + 1]}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Part of a bar: a probability and its name. */
export interface Part {
  readonly name: string;
  readonly chance: number;
}

/** Formats probabilities other than zero, e.g. `20 % misses, 80 % costs 1`. */
export function partsText(parts: readonly Part[]): string {
  return parts.flatMap(({ name, chance }) => (percent(chance) === 0 ? [] : `${percent(chance)} % ${name}`)).join(", ");
}

function percent(chance: number): number {
  return Math.round(100 * chance);
}

/** Probabilities as the parts of one bar; screen readers get them as text. */
export function Bar({
  parts,
  tone,
  isUpright = false,
}: {
  parts: readonly Part[];
  tone: "shot" | "end";
  isUpright?: boolean;
}) {
  return (
    <span class={`pistols-bar pistols-${tone} ${isUpright ? "pistols-upright" : ""}`}>
      {parts.map(({ name, chance }) => (
        <i key={name} style={{ flexGrow: chance }} />
      ))}
      <span class="hidden">{partsText(parts)}</span>
    </span>
  );
}

/** Names of a bar's parts. */
export function Key(props: {
  readonly names: readonly string[];
  readonly tone: "shot" | "end";
  readonly without?: string;
}) {
  const { names, tone, without } = props;
  return (
    <ul class={`pistols-key pistols-${tone} small`} aria-hidden="true">
      {names.map((name) => (
        <li key={name} hidden={name === without}>
          <i /> {name}
        </li>
      ))}
    </ul>
  );
}
