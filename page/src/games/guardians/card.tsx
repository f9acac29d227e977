import { TYPES } from "duello/games/guardians";
import type { Member } from "../teams/kind.ts";

/** Degrees between neighbouring types on the wheel, also between their hues. */
const STEP = 360 / TYPES.length;
const CHANCES = 10;

/** Traits that never change; the type by its place on the wheel. */
export interface Traits {
  readonly id: string | bigint;
  readonly power: number;
  readonly defense: number;
  readonly hp: number;
  readonly speed: number;
  readonly critical: number;
  readonly luck: number;
  readonly type: number;
}

/** Card to draw. */
export interface Card extends Member {
  /** Place of its type on the wheel. */
  readonly type: number;
}

/** Prepares a card to be drawn. */
export function cardOf({ id, type, power, defense, hp, speed, critical, luck }: Traits): Card {
  const number = (label: string, short: string, value: number) => ({ label, short, value, text: String(value) });
  const chance = (label: string, short: string, value: number) => ({
    label,
    short,
    value,
    text: `${value / CHANCES} %`,
  });
  return {
    id: String(id),
    name: TYPES[type],
    note: `Beats ${beaten(type)}, loses to ${beating(type)}`,
    group: TYPES[type],
    type,
    stats: [
      number("Power", "Pow", power),
      number("Defense", "Def", defense),
      number("Hp", "HP", hp),
      number("Speed", "Spd", speed),
      chance("Critical", "Crit", critical),
      chance("Luck", "Luck", luck),
    ],
  };
}

/** Names the type that a type beats. */
export function beaten(type: number): string {
  return TYPES[(type + 1) % TYPES.length];
}

/** Names the type that beats a type. */
function beating(type: number): string {
  return TYPES[(type + TYPES.length - 1) % TYPES.length];
}

/** Draws the wheel of types with an arc from the card's own to the one that it beats. */
export function CardEmblem({ member: { type } }: { member: Card }) {
  return (
    <svg
      class="teams-emblem"
      viewBox="-96 -96 192 192"
      style={{ color: `hsl(${type * STEP} 70% 72%)` }}
      aria-hidden="true"
    >
      <rect x="-96" y="-96" width="192" height="192" rx="28" fill="#10131a" />
      <circle r="68" fill="none" stroke="currentColor" stroke-width="3" opacity=".35" />
      <g transform={`rotate(${type * STEP})`}>
        <path d="M0-68A68 68 0 0 1 48-48" fill="none" stroke="currentColor" stroke-width="8" />
        <circle cy="-68" r="18" fill="currentColor" />
      </g>
      <text y="20" text-anchor="middle" font-size="58" font-weight="700" fill="#fff">
        {TYPES[type].slice(0, 2)}
      </text>
    </svg>
  );
}

const CENTRE = 160;
const RADIUS = 112;

/** Draws the wheel on which each type beats the next, clockwise. */
export function Wheel({ type }: { type?: number }) {
  const at = (place: number, radius: number): readonly [number, number] => {
    const angle = (2 * Math.PI * place) / TYPES.length - Math.PI / 2;
    return [CENTRE + radius * Math.cos(angle), CENTRE + radius * Math.sin(angle)];
  };
  return (
    <svg
      class="guardians-wheel"
      viewBox={`0 0 ${2 * CENTRE} ${2 * CENTRE}`}
      role="img"
      aria-label={`Wheel of types, each of which beats the next and the last the first: ${TYPES.join(", ")}`}
    >
      <defs>
        <marker id="guardians-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" orient="auto">
          <path d="M0 0L10 5L0 10Z" fill="context-stroke" />
        </marker>
      </defs>
      {TYPES.map((name, i) => {
        const [[x1, y1], [x2, y2]] = [at(i + 0.36, RADIUS), at(i + 0.66, RADIUS)];
        const [x, y] = at(i, RADIUS);
        const isOwn = i === type;
        const role = isOwn
          ? "is-own"
          : name === (type === undefined ? undefined : beaten(type))
            ? "is-beaten"
            : type !== undefined && name === beating(type)
              ? "is-beating"
              : "";
        const arc = isOwn ? "is-beaten" : type !== undefined && name === beating(type) ? "is-beating" : "";
        return (
          <g key={name}>
            <path
              d={`M${x1} ${y1}A${RADIUS} ${RADIUS} 0 0 1 ${x2} ${y2}`}
              class={arc}
              marker-end="url(#guardians-tip)"
            />
            <text x={x} y={y + 5} text-anchor="middle" class={role}>
              {name}
            </text>
          </g>
        );
      })}
      <text x={CENTRE} y={CENTRE + 5} text-anchor="middle" class="is-muted">
        each beats the next
      </text>
    </svg>
  );
}
