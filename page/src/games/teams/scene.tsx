import type { Frame } from "duello";
import type { ComponentChildren, ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { SceneProps } from "../game.ts";
import { About } from "./card.tsx";
import { Course } from "./course.tsx";
import { isSame, partLeft, roundAt, type Attack, type FightFrame, type Place } from "./fight.ts";
import type { EmblemProps, Member } from "./kind.ts";
import { OrderStrip } from "./order-strip.tsx";
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

/**
 * Makes the scene of a game of teams: two rows that face each other, the attack between them, and the course of the
 * fight.
 */
export function fightScene<F extends FightFrame & Frame, E extends Member>(kind: FightKind<F, E>) {
  return function FightScene(props: SceneProps<F>) {
    const { frames, step, frame, viewer, names, pictureOf } = props;
    const [asked, ask] = useState<Place>();
    const teams = kind.teamsOf(frame);
    const order = kind.orderOf(frames);
    const own = viewer === 2 ? 2 : 1;
    const side = (player: number) => (
      <Side {...props} kind={kind} player={player} isOwn={player === own} asked={asked} onAsk={ask} />
    );
    const shown = asked && teams[asked.player - 1][asked.slot];
    return (
      <div class="teams-scene stack tight">
        <div
          class={`teams-field own-${own}${props.isMoving ? " is-moving" : ""}`}
          style={{ "--slots": teams[0].length }}
        >
          {side(3 - own)}
          <Between key={step} frame={frame} kind={kind} own={own} size={teams[0].length} />
          {side(own)}
        </div>
        <OrderStrip
          {...{ order, teams, names, step, hp: frame.hp, last: frames.length - 1 }}
          {...roundAt(frames, step, order)}
        />
        <Course frames={frames} step={step} names={names} />
        {shown ? (
          <div class="card">
            <About member={shown} Emblem={kind.Emblem} pictureOf={pictureOf} />
          </div>
        ) : (
          <p class="small muted">Choose anyone in the fight to see the whole card.</p>
        )}
      </div>
    );
  };
}

interface SideProps<F extends FightFrame & Frame, E extends Member> extends SceneProps<F> {
  kind: FightKind<F, E>;
  player: number;
  isOwn: boolean;
  asked: Place | undefined;
  onAsk: (place: Place | undefined) => void;
}

function Side<F extends FightFrame & Frame, E extends Member>(props: SideProps<F, E>) {
  const { kind, player, isOwn, frame, frames, names, step, asked, onAsk } = props;
  const team = kind.teamsOf(frame)[player - 1];
  const hp = frame.hp[player - 1];
  const living = hp.filter((each) => each > 0).length;
  const left = Math.round(100 * partLeft(hp, frames[0].hp[player - 1]));
  const name = names[player - 1];
  return (
    <section class={`teams-side${isOwn ? " is-own" : ""}`} aria-label={`Team of ${name}`}>
      <p class="teams-who">
        <span class={player === 1 ? "mark" : "mark two"} />
        <b class="grow">{name}</b>
        <span class="small muted">
          {living} of {team.length} up, {left} % hp
        </span>
      </p>
      <div class="teams-row">
        {team.map((member, slot) => {
          const place = { player, slot };
          return (
            <Tile
              key={slot}
              member={member}
              place={place}
              hp={hp[slot]}
              attack={frame.attack}
              isStrong={kind.isStrong(frame)}
              step={step}
              Emblem={kind.Emblem}
              isAsked={isSame(asked, place)}
              onAsk={() => onAsk(isSame(asked, place) ? undefined : place)}
            />
          );
        })}
      </div>
    </section>
  );
}

interface TileProps<E extends Member> {
  member: E & { readonly hp: number };
  place: Place;
  /** Hp that are left. */
  hp: number;
  attack: Attack | null;
  isStrong: boolean;
  step: number;
  Emblem: ComponentType<EmblemProps<E>>;
  isAsked: boolean;
  onAsk: () => void;
}

function Tile<E extends Member>({ member, place, hp, attack, isStrong, step, Emblem, isAsked, onAsk }: TileProps<E>) {
  const isAttacker = isSame(attack?.attacker, place);
  const isDefender = isSame(attack?.defender, place);
  const part = hp / member.hp;
  const role = isAttacker ? " is-attacker" : isDefender ? (attack!.dodge ? " is-dodging" : " is-hit") : "";
  return (
    <button
      type="button"
      class={`teams-tile player-${place.player}${role}${hp === 0 ? " is-dead" : ""}`}
      aria-pressed={isAsked}
      onClick={onAsk}
    >
      <span class="teams-figure" aria-hidden="true">
        <Emblem member={member} isCut />
        {hp === 0 && <span class="teams-out">Out</span>}
        {isDefender && (
          <span key={step} class={`teams-hit${isStrong ? " is-strong" : ""}`}>
            {attack!.dodge ? "Dodge" : `−${attack!.damage}`}
          </span>
        )}
      </span>
      <span class="teams-name">
        {member.name}
        <span class="hidden">{`, slot ${place.slot + 1}${hp === 0 ? ", defeated" : ""},`}</span>
      </span>
      <span class="teams-bar">
        <i class={part <= 1 / 3 ? "is-low" : ""} style={{ width: `${100 * part}%` }} />
      </span>
      <span class="teams-hp">
        {hp}
        <span class="muted">/{member.hp}</span>
        <span class="hidden"> hp</span>
      </span>
    </button>
  );
}

interface BetweenProps<F extends FightFrame & Frame, E extends Member> {
  frame: F;
  kind: FightKind<F, E>;
  /** Player whose team is at the bottom. */
  own: number;
  size: number;
}

/** Shows the attack between the two rows: attacker, target, and what is special about it. */
function Between<F extends FightFrame & Frame, E extends Member>({ frame, kind, own, size }: BetweenProps<F, E>) {
  const { attack } = frame;
  if (!attack) return <div class="teams-between">{chip("The fight begins")}</div>;
  const centre = ({ slot }: Place) => (100 * (slot + 1 / 2)) / size;
  const [from, to] = [centre(attack.attacker), centre(attack.defender)];
  const isUp = attack.attacker.player === own;
  const { player } = attack.attacker;
  return (
    <div class={`teams-between player-${player}`}>
      <svg class="teams-line" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <line
          x1={from}
          x2={to}
          y1={isUp ? 100 : 0}
          y2={isUp ? 8 : 92}
          pathLength={1}
          vector-effect="non-scaling-stroke"
          stroke-dasharray={attack.dodge ? "6 6" : undefined}
        />
      </svg>
      <span class={`teams-tip${isUp ? "" : " is-down"}`} style={{ left: `${to}%` }} aria-hidden="true" />
      {chip(attack.dodge ? "Dodged" : attack.death ? `${attack.damage} damage, defeated` : `${attack.damage} damage`)}
      {kind.notesOf(frame).map((note) => chip(note))}
    </div>
  );
}

function chip(text: ComponentChildren, more = "") {
  return <span class={`tag${more}`}>{text}</span>;
}
