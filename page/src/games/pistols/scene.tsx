import { FULL_HEALTH, type PistolsFrame } from "duello/games/pistols";
import type { SceneProps } from "../game.ts";
import { burst } from "../shared/drawing.ts";
import { Duelist } from "./duelist.tsx";
import { Health, Honour } from "./parts.tsx";
import { looksOf } from "./looks.ts";
import { Meadow } from "./meadow.tsx";
import { FIELD, isWalk, lossIn, poseOf, type Pose } from "./poses.ts";

const SIDES = [0, 1] as const;

/** The duel from the side: two duelists walk apart, turn and shoot; if both live, blades clash. */
export function Scene(props: SceneProps<PistolsFrame>) {
  const { frames, step, frame, isMoving, hasLanded, viewer, names, players = [] } = props;
  const { health } = hasLanded ? frame : frames[step - 1];
  const left = viewer === 2 ? 1 : 0;
  const order = left === 1 ? ([1, 0] as const) : SIDES;
  const poses = SIDES.map((side) => poseOf(frames, step, side, side === left));
  return (
    <div class="pistols">
      <div class="pistols-sides">
        {order.map((side) => (
          <Side key={side} side={side} frame={frame} health={health[side]} name={names[side]} />
        ))}
      </div>
      <svg
        key={step}
        class={`pistols-field${isMoving ? " pistols-moving" : ""}${frame.blow?.action === "shot" ? " is-shot" : ""}`}
        viewBox={`0 42 ${FIELD} 188`}
        aria-hidden="true"
      >
        <Meadow />
        {order.map((side) => (
          <Duelist
            key={side}
            side={side}
            looks={looksOf(players[side])}
            pose={poses[side]}
            from={isMoving ? poseOf(frames, step - 1, side, side === left) : undefined}
            walks={isMoving && isWalk(frame) ? frame.paces[side] : undefined}
          />
        ))}
        {frame.blow && <Blow blow={frame.blow} poses={poses} />}
        {SIDES.map((side) => {
          const loss = lossIn(frames, step, side);
          return (
            loss > 0 && (
              <text key={side} class="pistols-loss" x={poses[side].x} y="68" text-anchor="middle">
                {`−${loss}`}
              </text>
            )
          );
        })}
      </svg>
      {frame.blow && hasLanded && <Dice blow={frame.blow} name={names[frame.blow.player - 1]} />}
      {frame.honour && (
        <div class="pistols-honours">
          {order.map((side) => (
            <Honour key={side} label={`${names[side]}: honour of this duel`} honour={frame.honour![side]} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Known facts about one duelist. */
function Side(props: { side: 0 | 1; frame: PistolsFrame; health: number; name: string }) {
  const { side, frame, health, name } = props;
  const { archetype, strength } = frame.duelists[side];
  const { blades, blow } = frame;
  return (
    <div class={`pistols-side ${blow?.player === side + 1 ? "pistols-acting" : ""}`}>
      <div class="pistols-name">
        <span class={side === 0 ? "mark" : "mark two"} /> <b>{name}</b>
      </div>
      <Health points={health} />
      <div class="small muted">
        {archetype === "none" ? "newcomer" : `${archetype}, strength ${strength}`}
        {`, ${frame.paces[side]} ${frame.paces[side] === 1 ? "pace" : "paces"}`}
      </div>
      {blades && (
        <ol class="row" aria-label="Blades">
          {slotsOf(blades[side]).map((action, slot) => (
            <li key={slot} class={blow?.slot === slot + 1 ? "tag accent" : "tag"}>
              {action}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Lists the actions in a duelist's slots: a duelist who runs has one. */
function slotsOf(blades: readonly [string, string]): readonly string[] {
  return ["flee", "steal", "seppuku"].includes(blades[0]) ? [blades[0]] : blades;
}

/** Flight of a ball, or the clash of blades. */
function Blow({ blow, poses }: { blow: NonNullable<PistolsFrame["blow"]>; poses: readonly Pose[] }) {
  const [own, other] = blow.player === 1 ? [poses[0], poses[1]] : [poses[1], poses[0]];
  const towards = other.x > own.x ? 1 : -1;
  if (blow.action === "shot") {
    const from = own.x + 50 * towards;
    const to = blow.points > 0 ? other.x : other.x + 60 * towards;
    const height = blow.points > 0 ? 136 : 92;
    return (
      <g class="pistols-blow">
        <path
          class="pistols-flash"
          d="M0 0l12-8-2 6 12 4-12 4 2 6z"
          transform={`translate(${from} 126) scale(${towards} 1)`}
        />
        <path
          class="pistols-smoke"
          d="M6 4q-8-2-4-9 2-7 10-5 5-8 13-3 9-1 8 7 6 6-1 11-4 6-12 3-8 4-14-4z"
          transform={`translate(${from + 4 * towards} 122) scale(${towards} 1)`}
        />
        <path class="pistols-ball" d={`M${from} 127L${to} ${height}`} pathLength="1" />
        {blow.points > 0 && burst(to, height)}
      </g>
    );
  }
  if (blow.action === "block") {
    return <path class="pistols-guard pistols-blow" d={`M${own.x + 34 * towards} 90q${22 * towards} 34 0 68`} />;
  }
  return <g class="pistols-blow">{blow.points > 0 && burst(other.x - 8 * towards, 130)}</g>;
}

/** The dice of a blow, each with the chance of success that it was rolled against. */
function Dice({ blow, name }: { blow: NonNullable<PistolsFrame["blow"]>; name: string }) {
  const { critChance, critDie, critical, hitChance, hitDie, hit, lethalChance, points, action } = blow;
  const lethal =
    hit && action === "shot"
      ? [{ label: "Deep wound", chance: lethalChance, die: hitDie, isMet: hitDie <= lethalChance }]
      : [];
  const dice = [
    { label: "Critical", chance: critChance, die: critDie, isMet: critical },
    ...(critical || hitDie === 0 ? [] : [{ label: "Hit", chance: hitChance, die: hitDie, isMet: hit }]),
    ...lethal,
  ];
  const effect =
    points === 0
      ? "nothing"
      : action === "block"
        ? `can stop ${points}`
        : points === FULL_HEALTH
          ? "kills"
          : `costs ${points}`;
  return (
    <dl class="pistols-dice small" aria-label={`Dice of ${name}`}>
      {dice.map(({ label, chance, die, isMet }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <span class="pistols-die">
              <i style={{ width: `${chance}%` }} />
              <u style={{ left: `${die}%` }} />
            </span>
            needs {chance} or less, rolls {die}: <b>{isMet ? "yes" : "no"}</b>
          </dd>
        </div>
      ))}
      <div>
        <dt>Effect</dt>
        <dd>
          <b>{effect}</b>
        </dd>
      </div>
    </dl>
  );
}
