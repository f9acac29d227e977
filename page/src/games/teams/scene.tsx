import type { Frame } from "duello";
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { SceneProps } from "../game.ts";
import { burst } from "../shared/drawing.ts";
import { Arena } from "./arena.tsx";
import { About } from "./card.tsx";
import { isSame, partLeft, roundAt, type Attack, type FightFrame, type Place } from "./fight.ts";
import type { EmblemProps, Member } from "./kind.ts";
import { OrderStrip } from "./order-strip.tsx";
import { pointOf } from "./places.ts";
import "../shared/places.css";
import "./teams.css";

/** Fight of a game of teams, as far as its scene needs it. */
interface FightKind<F extends FightFrame & Frame, E extends Member> {
  /** Members by side and slot. */
  teamsOf(frame: F): readonly (readonly (E & { readonly hp: number })[])[];
  /** Lists the places in the order in which they act in every round. */
  orderOf(frames: readonly F[]): readonly Place[];
  /** Describes the special effects of an attack, each in a few words. */
  notesOf(frame: F): readonly string[];
  /** Returns whether an attack did more than usual. */
  isStrong(frame: F): boolean;
  readonly Emblem: ComponentType<EmblemProps<E>>;
}

/** Makes the scene of a game of teams: the stage with both teams, and the round. */
export function fightScene<F extends FightFrame & Frame, E extends Member>(kind: FightKind<F, E>) {
  return function FightScene(props: SceneProps<F>) {
    const { frames, step, frame, isMoving, hasLanded, viewer, names, pictureOf } = props;
    const [asked, ask] = useState<Place>();
    const before = frames[Math.max(0, step - 1)].hp;
    const hp = hasLanded ? frame.hp : before;
    const teams = kind.teamsOf(frame);
    const order = kind.orderOf(frames);
    const round = roundAt(frames, step, order);
    // The viewer's team is on the left.
    const sides = viewer === 2 ? ([2, 1] as const) : ([1, 2] as const);
    const shown = asked && teams[asked.player - 1][asked.slot];
    return (
      <div class="teams-scene stack tight">
        <div class="teams-stage">
          <div class="teams-versus">
            {sides.map((player) => (
              <Side key={player} player={player} name={names[player - 1]} hp={hp} full={frames[0].hp} />
            ))}
          </div>
          <div
            class={`teams-field${isMoving ? " is-moving" : ""}${frame.attack && !frame.attack.dodge ? " is-struck" : ""}`}
          >
            <Arena key={step} />
            {frame.attack && <Line attack={frame.attack} teams={teams} left={sides[0]} />}
            {sides.map((player) => (
              <section key={player} aria-label={`Team of ${names[player - 1]}`}>
                {teams[player - 1].map((member, slot) => (
                  <Standing
                    key={slot}
                    member={member}
                    place={{ player, slot }}
                    step={step}
                    teams={teams}
                    left={sides[0]}
                    hp={hp[player - 1][slot]}
                    before={before[player - 1][slot]}
                    attack={frame.attack}
                    isStrong={kind.isStrong(frame)}
                    Emblem={kind.Emblem}
                    isAsked={isSame(asked, { player, slot })}
                    onAsk={() => ask(isSame(asked, { player, slot }) ? undefined : { player, slot })}
                  />
                ))}
              </section>
            ))}
            <p class="teams-told">
              {!frame.attack && chip("The fight begins")}
              {frame.attack &&
                hasLanded &&
                [attackText(frame.attack), ...kind.notesOf(frame)].map((note) => chip(note))}
            </p>
          </div>
        </div>
        <OrderStrip
          {...{ order, teams, names, step, hp, hasLanded, last: frames.length - 1, Emblem: kind.Emblem }}
          {...round}
        />
        {shown && (
          <div class="card">
            <About member={shown} Emblem={kind.Emblem} pictureOf={pictureOf} />
          </div>
        )}
      </div>
    );
  };
}

interface SideProps {
  player: 1 | 2;
  name: string;
  /** Remaining hp of both sides, and their hp before the fight. */
  hp: FightFrame["hp"];
  full: FightFrame["hp"];
}

/** Shows the remaining hp of a side. */
function Side({ player, name, hp, full }: SideProps) {
  const own = hp[player - 1];
  const part = partLeft(own, full[player - 1]);
  return (
    <div class={`teams-who player-${player}`}>
      <span class={player === 1 ? "mark" : "mark two"} />
      <b>{name}</b>
      <span class="small muted">
        {own.filter((each) => each > 0).length} of {own.length} up, {Math.round(100 * part)} % hp
      </span>
      <span class="teams-bar">
        <i style={{ transform: `scaleX(${part})` }} />
      </span>
    </div>
  );
}

type Teams = readonly (readonly unknown[])[];

/** Returns where a character stands. @param left Player on the left. */
function standAt({ player, slot }: Place, teams: Teams, left: number) {
  return pointOf(slot, teams[player - 1].length, player === left);
}

interface StandingProps<E extends Member> {
  member: E & { readonly hp: number };
  place: Place;
  teams: Teams;
  /** Player on the left. */
  left: number;
  /** Remaining hp, and the hp before the step. */
  hp: number;
  before: number;
  attack: Attack | null;
  step: number;
  isStrong: boolean;
  Emblem: ComponentType<EmblemProps<E>>;
  isAsked: boolean;
  onAsk: () => void;
}

/** A character on the stage, with its hp. */
function Standing<E extends Member>(props: StandingProps<E>) {
  const { member, place, teams, left, hp, before, attack, step, isStrong, Emblem, isAsked, onAsk } = props;
  const isAttacker = isSame(attack?.attacker, place);
  const isDefender = isSame(attack?.defender, place);
  const part = hp / member.hp;
  const role = isAttacker ? " is-attacker" : isDefender ? (attack!.dodge ? " is-dodging" : " is-hit") : "";
  const state = hp > 0 ? "" : before > 0 ? " is-dead is-falling" : " is-dead";
  // A character that acts in two consecutive steps is animated again.
  const key = isAttacker || isDefender ? step : undefined;
  const at = standAt(place, teams, left);
  const target = isAttacker ? standAt(attack!.defender, teams, left) : at;
  return (
    <button
      type="button"
      class={`teams-tile player-${place.player}${role}${state}`}
      style={{
        left: `${at.x}%`,
        top: `${at.y}%`,
        "--dx": target.x - at.x,
        "--dy": target.y - at.y,
        "--ahead": place.player === left ? 1 : -1,
      }}
      aria-pressed={isAsked}
      onClick={onAsk}
    >
      <span class="teams-plinth" aria-hidden="true" />
      <span key={key} class="teams-figure" aria-hidden="true">
        <Emblem member={member} isCut />
      </span>
      {isDefender && (
        <span key={`hit ${step}`} class={`teams-hit${isStrong ? " is-strong" : ""}`} aria-hidden="true">
          {attack!.dodge ? "Dodged" : `−${attack!.damage}`}
          {attack!.death && <small> Out!</small>}
        </span>
      )}
      {isDefender && !attack!.dodge && (
        <svg key={`burst ${step}`} class="teams-burst" viewBox="-24 -24 48 48" aria-hidden="true">
          {burst(0, 0)}
        </svg>
      )}
      <span class="teams-name">
        {member.name}
        <span class="hidden">{`, slot ${place.slot + 1}${hp === 0 ? ", defeated" : ""}`}</span>
      </span>
      <span class="teams-pill">
        <span class={place.player === 1 ? "mark" : "mark two"} />
        <span class="teams-bar">
          <i class={part <= 1 / 3 ? "is-low" : ""} style={{ transform: `scaleX(${part})` }} />
        </span>
        <span class="teams-hp">
          {hp}
          <span class="muted">/{member.hp}</span>
          <span class="hidden"> hp</span>
        </span>
      </span>
    </button>
  );
}

/** Shows who attacks whom, as a line that is dashed if the target dodges. */
function Line({ attack, teams, left }: { attack: Attack; teams: Teams; left: number }) {
  const [from, to] = [attack.attacker, attack.defender].map((place) => standAt(place, teams, left));
  return (
    <svg
      class={`teams-line player-${attack.attacker.player}`}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line
        x1={from.x}
        y1={from.y - 2}
        x2={to.x}
        y2={to.y - 2}
        vector-effect="non-scaling-stroke"
        stroke-dasharray={attack.dodge ? "6 6" : undefined}
      />
    </svg>
  );
}

function attackText({ dodge, death, damage }: Attack): string {
  return dodge ? "Dodged" : death ? `${damage} damage, defeated` : `${damage} damage`;
}

function chip(text: string) {
  return (
    <span key={text} class="tag">
      {text}
    </span>
  );
}
