import { useMemo } from "preact/hooks";
import type { PickerProps } from "../game.ts";
import { About } from "./card.tsx";
import { useCandidates, useRivals } from "./candidates.ts";
import type { Member, TeamKind } from "./kind.ts";
import { Chance, Rivals } from "./prospects.tsx";
import { Roster, type Candidate } from "./roster.tsx";
import { SlotRow } from "./slots.tsx";
import { useTeam } from "./use-team.ts";
import "./teams.css";

/** Makes the picker of a game of teams. */
export function teamPicker<M, C, E extends Member>(kind: TeamKind<M, C, E>) {
  return function TeamPicker(props: PickerProps) {
    return <Choice {...props} kind={kind} />;
  };
}

type ChoiceProps<M, C, E extends Member> = PickerProps & { kind: TeamKind<M, C, E> };

function Choice<M, C, E extends Member>(props: ChoiceProps<M, C, E>) {
  const { kind, module, turn, secretStore, mode: content, isBusy, pictureOf, onPlay } = props;
  const mode = useMemo(() => kind.modeOf(content), [content]);
  const size = kind.sizeOf(mode);
  const { noun } = module.characters!;
  const { value, error, lookAgain } = useCandidates({ kind, mode, module, turn, secretStore });
  const seat = Number(turn.seat);
  const rivals = useRivals({ kind, mode, module, turn }, seat === 1 ? turn.record?.player2 : turn.record?.player1);
  const other = props.names[seat === 1 ? 1 : 0];
  const { candidates, remarks } = value ?? { candidates: [], remarks: [] };
  const team = useTeam(size, candidates);
  const { slots, selected, ready, whole } = team;

  if (error !== undefined && !value) {
    return (
      <div class="notice bad row apart" role="alert">
        <span>Your {noun}s cannot be read just now.</span>
        <button type="button" onClick={lookAgain}>
          Try again
        </button>
      </div>
    );
  }
  if (!value) return <p class="muted">Looking for your {noun}s…</p>;

  if (candidates.length < size) return <TooFew {...props} size={size} count={candidates.length} />;
  return (
    <div class="stack teams-picker">
      <section class="card stack">
        <div class="row apart">
          <h2>Choose {size === 1 ? `a ${noun}` : `${size} ${noun}s`}</h2>
          <div class="row">
            <button type="button" disabled={isBusy || ready.length < size || whole !== undefined} onClick={team.fill}>
              Fill with strongest
            </button>
            <button type="button" class="quiet" disabled={isBusy || team.count === 0} onClick={team.clear}>
              Clear
            </button>
          </div>
        </div>
        <SlotRow
          slots={slots}
          candidates={candidates}
          selected={selected}
          isBusy={isBusy}
          Emblem={kind.Emblem}
          onSelect={team.select}
          onSwap={team.swap}
          onEmpty={team.empty}
          onDrop={team.put}
        />
        {selected >= 0 && (
          <Selected
            candidate={team.byId(slots[selected])}
            slot={selected}
            Emblem={kind.Emblem}
            pictureOf={pictureOf}
            onEmpty={() => team.empty(selected)}
          />
        )}
        {ready.length < size && (
          <p class="notice">
            Only {ready.length} of your {candidates.length} {noun}s can fight now; a team has {size}. The others say
            below what keeps them.
          </p>
        )}
        {remarks.map((remark) => (
          <p key={remark} class="notice">
            {remark}
          </p>
        ))}
        {rivals && rivals.length > 0 && <Rivals rivals={rivals} name={other} Emblem={kind.Emblem} />}
        <p class="small muted">
          {seat === 1
            ? `Nobody sees your team until it is answered. Keep these ${noun}s until you have revealed them: without one of them you lose.`
            : `Your team is shown as you send it. ${other} has committed to a team already, and cannot change it.`}
        </p>
      </section>
      <details class="card teams-rules">
        <summary>How they fight</summary>
        <kind.Rules mode={mode} member={team.shown?.member} />
      </details>
      <Roster
        candidates={candidates}
        slots={slots}
        groups={kind.groups}
        Emblem={kind.Emblem}
        nouns={`${noun}s`}
        isBusy={isBusy}
        onChoose={team.choose}
      />
      <div class={whole ? "teams-go ready" : "teams-go"}>
        <div class="grow">
          <p class="small" role="status">
            {team.count} of {size} chosen. {team.said}
          </p>
          {whole && (
            <Chance
              kind={kind}
              mode={mode}
              seat={seat}
              team={whole}
              candidates={candidates}
              rivals={rivals}
              against={rivals && rivals.length >= size ? `the strongest of ${other}` : "your own strongest"}
            />
          )}
        </div>
        <button type="button" class="primary" disabled={isBusy || !whole} onClick={() => onPlay(whole!.map(BigInt))}>
          {seat === 1 ? "Commit to this team" : "Fight with this team"}
        </button>
      </div>
    </div>
  );
}

interface SelectedProps<C, E extends Member> extends Pick<TeamKind<unknown, C, E>, "Emblem"> {
  /** Character in the slot. */
  candidate: Candidate<C, E> | undefined;
  slot: number;
  pictureOf: PickerProps["pictureOf"];
  onEmpty: () => void;
}

/** Describes the possible actions for the selected slot, and shows its character. */
function Selected<C, E extends Member>({ candidate, slot, Emblem, pictureOf, onEmpty }: SelectedProps<C, E>) {
  if (!candidate) return <p class="small">Choose who takes slot {slot + 1}.</p>;
  const { member, obstacle, remarks } = candidate;
  return (
    <About member={member} Emblem={Emblem} pictureOf={pictureOf}>
      {obstacle !== undefined && <p class="small">It cannot fight now: {obstacle}.</p>}
      {remarks.map((remark) => (
        <p key={remark} class="small">
          ⚠ {remark}.
        </p>
      ))}
      <div class="row">
        <span class="grow small muted">Choose another slot to swap, or who takes its place.</span>
        <button type="button" onClick={onEmpty}>
          Remove
        </button>
      </div>
    </About>
  );
}

/** Explains to a player with too few characters how to get more. */
function TooFew({ module, turn, size, count }: PickerProps & { size: number; count: number }) {
  const { noun } = module.characters!;
  const nouns = `${noun}s`;
  return (
    <section class="card stack">
      <h2>You need {size === 1 ? `a ${noun}` : `${size} ${nouns}`}</h2>
      <p>
        You have {count === 0 ? "none" : `only ${count}`}. {noun[0].toUpperCase() + nouns.slice(1)} are tokens (ERC-721)
        which whoever runs this deployment mints, and which players may give or sell to each other. Ask for some to your
        address:
      </p>
      <p class="mono">{turn.player}</p>
      <p class="small muted">They show up here as soon as they are yours. A practice match needs none.</p>
    </section>
  );
}
