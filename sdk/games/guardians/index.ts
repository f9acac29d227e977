import { Guardians__factory, GuardiansLog__factory } from "../../../typechain-types/index.js";
import { defineGame } from "../module.js";
import { committedChannels } from "../committed-channels.js";
import { committedChooser, committedMoves } from "../commit-reveal.js";
import { audit } from "./audit.js";
import { assessCards, chooseCards } from "./bot.js";
import { calculator } from "./calculator.js";
import { cards } from "./characters.js";
import { facts } from "./facts.js";
import { frames } from "./frames.js";
import { format } from "./mode.js";
import { teamRound } from "./moves.js";
import { decodeLog, replay } from "./replay.js";
import { atRandom, simulate } from "./simulate.js";
import { actionTexts, story } from "./story.js";

export type { CardStats } from "./cards.js";
export { TYPES } from "./characters.js";
export { relationOf } from "./engine.js";
export { frames, type GuardianCard, type GuardiansAttack, type GuardiansFrame } from "./frames.js";
export { checkMode, decodeMode, defaultMode, encodeMode, MAX_TEAM, type Mode } from "./mode.js";
export { decodeTeam } from "./moves.js";

/** Two teams of cards with types, critical hits and dodges fight on their own. */
export const guardians = defineGame({
  ...facts,
  trust: "stock",
  abi: Guardians__factory.abi,
  decoder: { contract: "GuardiansLog", abi: GuardiansLog__factory.abi },
  characters: cards,
  modeFormat: format,
  errors: {
    CardNotOwned: "Card {cardId} belongs to {owner}, not to {player}.",
    SameCardTwice: "Card {cardId} is in the team twice.",
    UnknownCard: "There is no card {id}.",
    StatOutOfBounds: "Stat {stat} of a card is {value}, not between {min} and {max}.",
    WrongTeamSize: "A team of {size} cards is not one of {expected}.",
  },
  moves: committedMoves(teamRound),
  bot: { strategy: committedChooser(teamRound, chooseCards), assess: assessCards },
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
