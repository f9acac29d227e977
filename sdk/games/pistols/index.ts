import { Pistols__factory, PistolsLog__factory } from "../../../typechain-types/index.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { defineGame } from "../module.js";
import { committedChooser, committedMoves } from "../commit-reveal.js";
import { committedChannels } from "../committed-channels.js";
import { audit } from "./audit.js";
import { calculator } from "./calculator.js";
import { facts } from "./facts.js";
import { frames } from "./frames.js";
import { HONOURABLE, TRICKSTER, VILLAINOUS } from "./honour.js";
import { decodeLog } from "./log.js";
import { committedRounds } from "./moves.js";
import { keeping } from "./records.js";
import { replay } from "./replay.js";
import { duelAtRandom, simulatePistols } from "./simulate.js";
import { stats } from "./stats.js";
import { actionTexts, story, view } from "./story.js";
import { chooseRound, weighPaces } from "./strategy.js";

export { frames, type DuelistCard, type PistolsFrame } from "./frames.js";
export type { BladesView, DuelView } from "./bot.js";
export { honourOf } from "./engine.js";
export { ARCHETYPES, standingOf, withDuel, type Duelist, type HonourRecord, type Standing } from "./honour.js";
export { ACTIONS, ALL_BLADES, areBlades, MAX_PACES, type Blades, type Pair } from "./legal-moves.js";
export { bladesArgs } from "./moves.js";
export { bladesProspects, pacesProspects, shotOdds, strokeOdds, type PointOdds, type Prospects } from "./odds.js";
export { frozenStandings, honourRecordNow } from "./records.js";
export { bladesView, pacesView, stateBeforeBlades } from "./strategy.js";
export { FULL_HEALTH } from "./strikes.js";

const NEWCOMER = { archetype: 0, strength: 0 };

/** Module of pistols: ten paces with pistols, then blades. */
export const pistolsGame = defineGame({
  ...facts,
  trust: "stock",
  abi: Pistols__factory.abi,
  decoder: { contract: "PistolsLog", abi: PistolsLog__factory.abi },
  errors: {
    PacesOutOfBounds: "{paces} paces are not between {min} and {max}.",
    NoSuchBlades: "{slot1} and {slot2} are none of the thirteen moves with blades.",
    OnlyTheDefaultMode: "The game has no mode but its default.",
  },
  moves: committedMoves(committedRounds),
  bot: { strategy: committedChooser(committedRounds, chooseRound), assess: weighPaces },
  odds: {
    atRandom(_mode, random) {
      // Duelists with any past; a duelist without an archetype has no strength.
      const any = () => {
        const archetype = random.below(4);
        return { archetype, strength: archetype === 0 ? 0 : random.below(101) };
      };
      return duelAtRandom(random, [any(), any()]);
    },
    calculator,
    starts: {
      default: {
        told: "Duelists at full strength won and lost against newcomers",
        inputs: {
          villainous: againstNewcomer(VILLAINOUS),
          trickster: againstNewcomer(TRICKSTER),
          honourable: againstNewcomer(HONOURABLE),
        },
      },
    },
  },
  kept: { audit, ofPlayers: { stats, keeping } },
  channels: committedChannels,
  replay,
  decodeLog,
  view,
  story,
  frames,
  actionTexts,
  simulate: simulatePistols,
});

/** Returns the input of a duel between a duelist of an archetype at full strength and a newcomer. */
function againstNewcomer(archetype: number) {
  return (random: SeededRandom) => duelAtRandom(random, [{ archetype, strength: 100 }, NEWCOMER]);
}
