import { AutoBattler__factory, AutoBattlerLog__factory } from "../../../typechain-types/index.js";
import { defineGame } from "../module.js";
import { committedChannels } from "../committed-channels.js";
import { committedChooser, committedMoves } from "../commit-reveal.js";
import { audit } from "./audit.js";
import { assessFighters, chooseFighters } from "./bot.js";
import { calculator } from "./calculator.js";
import { fighters } from "./characters.js";
import { facts } from "./facts.js";
import { frames } from "./frames.js";
import { format } from "./mode.js";
import { teamRound } from "./moves.js";
import { decodeLog, replay } from "./replay.js";
import { atRandom, simulate } from "./simulate.js";
import { actionTexts, story } from "./story.js";

export type { FighterTraits } from "./fighters.js";
export { TEAM_SIZE, valuesOf, type FighterValues, type Tiers } from "./engine.js";
export { frames, type AutoBattlerAttack, type AutoBattlerFrame, type FighterCard } from "./frames.js";
export { checkMode, decodeMode, defaultMode, encodeMode, type Mode } from "./mode.js";
export { decodeTeam } from "./moves.js";
export { CHARACTERS } from "./story.js";

/** Two teams of five fighters fight on their own. */
export const autoBattler = defineGame({
  ...facts,
  trust: "stock",
  abi: AutoBattler__factory.abi,
  decoder: { contract: "AutoBattlerLog", abi: AutoBattlerLog__factory.abi, characters: "Fighters" },
  characters: fighters,
  modeFormat: format,
  errors: {
    NotOwned: "Fighter {fighterId} belongs to {owner}, not to {player}.",
    Busy: "Fighter {fighterId} is in match {matchId}, which is not over.",
    CoolingDown: "Fighter {fighterId} cools down until {until}; it is {time}.",
    SameFighterTwice: "Fighter {fighterId} is in the team twice.",
    UnknownFighter: "There is no fighter {id}.",
    TierOutOfBounds: "Tier {tier} of stat {stat} is not 1, 2 or 3.",
  },
  moves: committedMoves(teamRound),
  bot: { strategy: committedChooser(teamRound, chooseFighters), assess: assessFighters },
  odds: { atRandom, calculator },
  kept: { audit },
  channels: committedChannels,
  replay,
  decodeLog,
  story,
  frames,
  actionTexts,
  simulate,
});
