import { TYPES } from "duello/games/guardians";
import { Emblem } from "../teams/emblem.tsx";
import type { Member } from "../teams/kind.ts";
import { cardFace, tileHue, type FaceTraits } from "./face.ts";

const CHANCES = 10;

/** Card to draw. */
export interface Card extends Member {
  /** Place of the card's type on the wheel. */
  readonly type: number;
  readonly face: FaceTraits;
}

/** Prepares a card to be drawn. */
export function cardOf(face: FaceTraits): Card {
  const { id, type, power, defense, hp, speed, critical, luck } = face;
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
    face,
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

/** Draws a card: cut out, or on a tile. */
export function CardEmblem({ member: { face }, isCut }: { member: Card; isCut?: boolean }) {
  return (
    <Emblem hue={tileHue(face.type)} isCut={isCut}>
      {cardFace(face)}
    </Emblem>
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
