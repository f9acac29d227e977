import {
  Warmancer__factory,
  WarmancerLog__factory,
  WarmancerPreview__factory,
} from "../../../typechain-types/index.js";
import { defineGame } from "../module.js";
import { channels } from "./channels.js";
import { facts } from "./facts.js";
import { frames } from "./frames.js";
import { gameAtRandom } from "./random-game.js";
import { hiddenArmy } from "./hidden-army.js";
import { decodeEntry } from "./log.js";
import { format } from "./mode-format.js";
import { replay, replayMatch } from "./replay.js";
import { errorValues, sentences } from "./contract-error.js";
import { simulateWarmancer } from "./simulate.js";
import { tellActions, tellMatch, viewOf } from "./story.js";
import { warmancerChooser } from "./strategy.js";
import { playerIn, warmancerMoves } from "./moves.js";

export { checkRanks, maxOf, priceOf, type ArmyRules } from "./army.js";
export { battleOdds, type BattleOdds } from "./bot/battle-odds.js";
export { SETUP_STYLES, suggestSetup, type SetupStyle } from "./bot/setup.js";
export {
  boardPawns,
  foreseenTurn,
  pendingMoves,
  frames,
  ownRanks,
  type BoardPawn,
  type FallenPawn,
  type OwnRanks,
  type PawnBattle,
  type PawnId,
  type PawnMove,
  type RankedPawn,
  type WarmancerFrame,
} from "./frames.js";
export { isFar, legalMoves, moveOf, NONE, STUCK, tilesOfMove, type Move } from "./legal-moves.js";
export { BOARDS, decodeMode, encodeMode, type Mode } from "./mode.js";
export { playerIn, readRanks, type WarmancerMove } from "./moves.js";
export { moveText, RANK_LETTERS, readMove, readSetup, setupText } from "./notation.js";
export { Phase, type Position, type Side } from "./position.js";
export { possibleRanks } from "./possible-ranks.js";
export type { Own, Player, Prospect } from "./player.js";
export { battle, isMobile, RANKS, type Rank } from "./ranks.js";
export { Kind } from "./state.js";
export { replayMatch, type ReplayedMatch } from "./replay.js";
export { slotAt } from "./position.js";
export { tileName, tileOf, tilesOf, WIDTH } from "./tiles.js";

/** Hidden pawns and simultaneous moves. */
export const warmancer = defineGame({
  ...facts,
  trust: "stock",
  abi: Warmancer__factory.abi,
  channels,
  decoder: { contract: "WarmancerLog", abi: WarmancerLog__factory.abi },
  preview: { contract: "WarmancerPreview", abi: WarmancerPreview__factory.abi },
  modeFormat: format,
  errors: sentences,
  errorValues,
  moves: warmancerMoves,
  bot: { strategy: warmancerChooser() },
  odds: { atRandom: gameAtRandom, winRateRuns: 1_000 },
  simulate: simulateWarmancer,
  replay,
  frames,
  async decodeLog({ logs }) {
    return logs.flatMap(({ entries }) => entries.map(decodeEntry));
  },
  async view(record, history, paint, viewer) {
    if (!viewer) return [];
    const past = await replayMatch(record, history);
    const { seat, secretStore } = viewer;
    return viewOf(await playerIn(past, seat, secretStore), { turn: past.state.turn, seat }, paint);
  },
  async story(record, history, paint, telling = {}) {
    return tellMatch(await replayMatch(record, history), record, paint, telling);
  },
  async actionTexts(record, history) {
    return tellActions(await replayMatch(record, history), record);
  },
  hidden: hiddenArmy,
});
