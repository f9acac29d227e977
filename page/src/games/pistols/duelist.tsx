import { FIELD, type Pose } from "./poses.ts";

/** Height of a duelist with its hat. */
const TALL = 124;

/** A duelist from the side, its feet at the origin, facing right. */
export function Duelist(props: {
  readonly side: 0 | 1;
  readonly pose: Pose;
  /** Pose from which the duelist moves; without one it stands still. */
  readonly from?: Pose;
  readonly isWalking: boolean;
}) {
  const { side, pose, from, isWalking } = props;
  const moved = from ? "pistols-moved" : "";
  return (
    <g
      class={`pistols-duelist ${side === 0 ? "one" : "two"} ${moved} ${isWalking ? "pistols-walking" : ""}`}
      style={{ transform: placeOf(pose), "--from": from && placeOf(from) }}
    >
      <path class="pistols-leg" d="M-3-46-10 0" />
      <path class="pistols-leg" d="M3-46 10 0" />
      <path class="fill" d="M-12-88h22l4 50h-32z" />
      <circle class="fill" cx="0" cy="-101" r="10" />
      <path class="fill" d="M-16-109h32M-9-109v-13H9v13" />
      {side === 0 ? (
        <circle class="pistols-sign" cx="0" cy="-66" r="6" />
      ) : (
        <path class="pistols-sign" d="M0-74 8-66 0-58-8-66z" />
      )}
      <g class="pistols-arm" style={{ transform: armOf(pose), "--from": from && armOf(from) }}>
        <path d="M0 0H27" />
        {pose.weapon === "pistol" ? (
          <path class="fill" d="M25 5V-3H45V1H31V5z" />
        ) : (
          <path class="pistols-steel" d="M29-7V7M24 0H74" />
        )}
      </g>
    </g>
  );
}

function placeOf({ x, facing, isDown }: Pose): string {
  if (!isDown) return `translate(${x}px, 200px) scaleX(${facing}) rotate(0deg)`;
  // A duelist falls away from the other, but stays inside the field.
  const looksIn = x < FIELD / 2 === (facing === 1);
  const fallsIn = Math.min(x, FIELD - x) < TALL;
  return `translate(${x}px, 184px) scaleX(${facing}) rotate(${looksIn === fallsIn ? 90 : -90}deg)`;
}

function armOf({ arm }: Pose): string {
  return `translate(2px, -80px) rotate(${arm}deg)`;
}
