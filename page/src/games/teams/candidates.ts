import {
  approvedOperatorsOf,
  committedTeams,
  ownCharacters,
  type GameModule,
  type SecretStore,
  type Turn,
} from "duello";
import { useEffect, useState } from "preact/hooks";
import { shortAddress } from "../../parts/text.ts";
import { useLoaded } from "../../parts/use.ts";
import type { Member, TeamKind } from "./kind.ts";
import type { Candidate } from "./roster.tsx";

/** Milliseconds between two searches for characters that can fight. */
const LOOK_AGAIN = 30_000;

/** Characters of a player, and facts about all of them. */
interface Found<C, E extends Member> {
  /** Candidates, the strongest first. */
  readonly candidates: readonly Candidate<C, E>[];
  /** Warnings that concern all candidates. */
  readonly remarks: readonly string[];
}

interface Asked<M, C, E extends Member> {
  kind: TeamKind<M, C, E>;
  mode: M;
  module: GameModule;
  turn: Turn;
  secretStore: SecretStore;
}

/** Loads the characters of the player in turn; loads them again while some cannot fight, or there are too few. */
export function useCandidates<M, C, E extends Member>(asked: Asked<M, C, E>) {
  const { player, game, record } = asked.turn;
  const [looks, setLooks] = useState(0);
  const loaded = useLoaded(() => candidatesOf(asked), [player, game, record?.matchId, looks]);
  const candidates = loaded.value?.candidates ?? [];
  const isWaiting =
    candidates.length < asked.kind.sizeOf(asked.mode) || candidates.some(({ obstacle }) => obstacle !== undefined);
  const lookAgain = () => setLooks((count) => count + 1);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => !document.hidden && lookAgain(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return { ...loaded, lookAgain };
}

/** Loads the characters that another player may choose, the strongest first. */
export function useRivals<M, C, E extends Member>(
  { kind, mode, module, turn }: Omit<Asked<M, C, E>, "secretStore">,
  player: string | undefined,
): readonly Candidate<C, E>[] | undefined {
  const load = async () => {
    const owned = await ownCharacters(module.characters!, player!, turn);
    return sorted(
      kind,
      mode,
      owned.map(({ data, obstacle }) => candidate(kind, mode, { data, obstacle, remarks: [] })),
    );
  };
  return useLoaded(player === undefined ? undefined : load, [player, turn.game]).value;
}

async function candidatesOf<M, C, E extends Member>(asked: Asked<M, C, E>): Promise<Found<C, E>> {
  const { kind, mode, module, turn, secretStore } = asked;
  const { history, player } = turn;
  const characters = module.characters!;
  const [owned, teams, operators] = await Promise.all([
    ownCharacters(characters, player, turn),
    committedTeams(module, turn, secretStore),
    approvedOperatorsOf(characters, player, history),
  ]);
  const candidates = owned.map(({ id, data, obstacle, approved }) => {
    const matches = teams.filter(({ ids }) => ids.includes(id)).map(({ matchId }) => `Committed in match ${matchId}`);
    const takers = approved === undefined ? [] : [`${shortAddress(approved)} may take it`];
    return candidate(kind, mode, { data, obstacle, remarks: [...takers, ...matches] });
  });
  const remarks = (operators ?? []).map(
    (each) => `${shortAddress(each)} may take any of your ${characters.noun}s before the fight.`,
  );
  if (teams.length > 0) remarks.push(kind.twiceText);
  return { candidates: sorted(kind, mode, candidates), remarks };
}

function candidate<M, C, E extends Member>(
  kind: TeamKind<M, C, E>,
  mode: M,
  { data, ...rest }: { data: object; obstacle?: string; remarks: readonly string[] },
): Candidate<C, E> {
  return { ...rest, member: kind.memberOf(data, mode), traits: kind.traitsOf(data) };
}

function sorted<M, C, E extends Member>(
  { strategy }: TeamKind<M, C, E>,
  mode: M,
  candidates: readonly Candidate<C, E>[],
): Candidate<C, E>[] {
  const traits = candidates.map((each) => each.traits);
  return strategy.strongest(traits, mode).map((place) => candidates[place]);
}
