import { Guardians__factory, GuardiansLog__factory } from "../../../typechain-types/index.js";
import { defineGame, type ModeDefinition } from "../module.js";
import { committedChooser, committedMoves } from "../commit-reveal.js";
import { audit } from "./audit.js";
import { assessCards, chooseCards } from "./bot.js";
import { calculator } from "./calculator.js";
import { cards } from "./characters.js";
import { defaultMode, encodeMode, format } from "./mode.js";
import { moveChecks } from "./move-checks.js";
import { teamRound } from "./moves.js";
import { decodeLog, replay } from "./replay.js";
import { atRandom, simulate } from "./simulate.js";
import { actionTexts, story } from "./story.js";

/** Two teams of cards with types, critical hits and dodges fight on their own. */
export const guardians = defineGame({
  name: "guardians",
  trust: "stock",
  contract: "Guardians",
  abi: Guardians__factory.abi,
  decoder: { contract: "GuardiansLog", abi: GuardiansLog__factory.abi },
  characters: cards,
  modes: {
    default: { content: "0x" },
    "1v1": teamsOf(1),
    "5v5": teamsOf(5),
  },
  modeFormat: format,
  errors: {
    CardNotOwned: "Card {cardId} belongs to {owner}, not to {player}.",
    SameCardTwice: "Card {cardId} is in the team twice.",
    WrongTeamSize: "A team of {size} cards is not one of {expected}.",
  },
  moves: committedMoves(teamRound),
  strategy: committedChooser(teamRound, chooseCards),
  assess: assessCards,
  moveChecks,
  replay,
  audit,
  decodeLog,
  story,
  actionTexts,
  atRandom,
  calculator,
  simulate,
});

/** Creates a mode that is the default but for the size of its teams. */
function teamsOf(teamSize: number): ModeDefinition {
  return { content: encodeMode({ ...defaultMode, teamSize }) };
}
