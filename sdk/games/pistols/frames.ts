import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { bytesOf } from "../../protocol/bytes.js";
import { frameText, replayedFrames, unpainted, type Step } from "../frames.js";
import type { Frame } from "../module.js";
import { ARCHETYPES } from "./honour.js";
import { ACTIONS, type Pair } from "./legal-moves.js";
import { decodeBlow, decodeResult, isResult, type Blow } from "./log.js";
import { bladesIn, foughtRounds, replay, roundsOf } from "./replay.js";
import { blowText, chosen, ending, namesOf } from "./story.js";
import { decodeState } from "./state.js";
import { FULL_HEALTH } from "./strikes.js";

/** Duelist to draw. */
export interface DuelistCard {
  readonly archetype: (typeof ARCHETYPES)[number];
  /** Strength of the duelist's bonuses, 0..100. */
  readonly strength: number;
}

/** Frame of a duel: the moves of each round, each shot or stroke, and the end. */
export interface PistolsFrame extends Frame {
  /** Round 1 is played with pistols, round 2 with blades. */
  readonly round: number;
  readonly duelists: Pair<DuelistCard>;
  /** Paces of both players. */
  readonly paces: Pair<number>;
  /** Actions of both players in the two slots of round 2, by name; null in round 1. */
  readonly blades: Pair<Pair<string>> | null;
  /** Shot, Light, Heavy or Block that the frame shows, as in the log, with the name of its action; otherwise null. */
  readonly blow: (Omit<Blow, "action"> & { readonly action: string }) | null;
  /** Health of both players afterwards. */
  readonly health: Pair<number>;
  /** Honours of the duel, in the last frame of a duel that is over; otherwise null. */
  readonly honour: Pair<number> | null;
}

/**
 * Draws the revealed rounds of a duel.
 * @throws RecordError or InputError for data that the game's contract would have refused.
 * @example
 * ```ts
 * import { frames } from "duello/games/pistols";
 *
 * const steps = await frames(await history.match(7n), history);
 * console.log(steps.at(-1)?.result?.winner);
 * ```
 */
export const frames = replayedFrames<PistolsFrame>(replay, framesOf);

async function framesOf(record: MatchRecord, history: History): Promise<Step<PistolsFrame>[]> {
  const rounds = roundsOf(record);
  if (rounds.length === 0) return [];
  const fought = await foughtRounds(record, history);
  const names = namesOf(unpainted);
  const [one, two] = decodeState(rounds[0].state).duelists.map(({ archetype, strength }): DuelistCard => {
    return { archetype: ARCHETYPES[archetype], strength };
  });
  const pairOf = <T>(read: (side: 0 | 1) => T): Pair<T> => [read(0), read(1)];
  const paces = pairOf((side) => bytesOf(side === 0 ? rounds[0].move1 : rounds[0].move2)[0]);
  let health: Pair<number> = [FULL_HEALTH, FULL_HEALTH];
  return rounds.flatMap((round, i) => {
    const { move1, move2 } = round;
    const blades = i === 0 ? null : pairOf((side) => pairOf((slot) => ACTIONS[bladesIn([move1, move2][side])[slot]]));
    const common = { round: round.round, duelists: [one, two] as const, paces, blades, honour: null };
    const choice = { ...common, text: chosen(round, names), blow: null, health };
    const told = record.logs[i].entries.map((entry): Step<PistolsFrame> => {
      if (isResult(entry)) {
        const result = decodeResult(entry);
        // A Seppuku ends a life without a blow.
        ({ health } = fought[i]);
        return { ...common, text: frameText(ending(result, names)), blow: null, health, honour: result.honour };
      }
      const blow = decodeBlow(entry);
      ({ health } = blow);
      const action = ACTIONS[blow.action] ?? "shot";
      return { ...common, text: blowText(blow, names), blow: { ...blow, action }, health };
    });
    return [choice, ...told];
  });
}
