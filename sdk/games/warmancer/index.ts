import type { Hex } from "../../protocol/hex.js";
import { Seat } from "../../protocol/status.js";
import { Warmancer__factory, WarmancerLog__factory } from "../../../typechain-types/index.js";
import { defineGame } from "../module.js";
import { priceOf } from "./army.js";
import { gameAtRandom } from "./random-game.js";
import { hiddenArmy } from "./hidden-army.js";
import { decodeEntry } from "./log.js";
import { CLASSIC, encodeMode, GRAND, QUICK, SKIRMISH } from "./mode.js";
import { format } from "./mode-format.js";
import { replayMatch } from "./replay.js";
import { stateHashIn } from "./state.js";
import { sentences } from "./contract-error.js";
import { simulateWarmancer } from "./simulate.js";
import { tellActions, tellMatch, viewOf } from "./story.js";
import { warmancerChooser } from "./strategy.js";
import { playerIn, warmancerMoves } from "./moves.js";

const stock = (content: Hex) => ({ content });

/** Hidden pawns and simultaneous moves. */
export const warmancer = defineGame({
  name: "warmancer",
  trust: "stock",
  contract: "Warmancer",
  abi: Warmancer__factory.abi,
  decoder: { contract: "WarmancerLog", abi: WarmancerLog__factory.abi },
  modes: {
    classic: stock("0x"),
    skirmish: stock(encodeMode(SKIRMISH)),
    quick: stock(encodeMode(QUICK)),
    "classic-casual": stock(encodeMode({ ...CLASSIC, casual: true })),
    "classic-always-hidden": stock(encodeMode({ ...CLASSIC, alwaysHidden: true })),
    "classic-sequential": stock(encodeMode({ ...CLASSIC, sequential: true })),
    "classic-casual-sequential": stock(encodeMode({ ...CLASSIC, casual: true, sequential: true })),
    "classic-always-hidden-sequential": stock(encodeMode({ ...CLASSIC, alwaysHidden: true, sequential: true })),
    "classic-bought": stock(encodeMode({ ...CLASSIC, budget: priceOf(CLASSIC.army) })),
    grand: stock(encodeMode(GRAND)),
  },
  modeFormat: format,
  demo: "quick",
  winRateRuns: 1_000,
  errors: sentences,
  moves: warmancerMoves,
  strategy: warmancerChooser(),
  atRandom: gameAtRandom,
  simulate: simulateWarmancer,
  async replay(record, history) {
    const { state, logs, turns } = await replayMatch(record, history);
    const { turn, winner } = state;
    return {
      logs,
      result: turn === Seat.None ? { winner, taker: winner } : undefined,
      turns,
      expectedAnswer: { view: "stateHashOf", args: [record.matchId], answer: [stateHashIn(state)] },
    };
  },
  async decodeLog({ logs }) {
    return logs.flatMap(({ entries }) => entries.map(decodeEntry));
  },
  async view(record, history, paint, viewer) {
    if (!viewer) return [];
    const past = await replayMatch(record, history);
    return viewOf(await playerIn(past, viewer.seat, viewer.secretStore), past.state.turn === viewer.seat, paint);
  },
  async story(record, history, paint, telling = {}) {
    return tellMatch(await replayMatch(record, history), record, paint, telling);
  },
  async actionTexts(record, history) {
    return tellActions(await replayMatch(record, history), record);
  },
  hidden: hiddenArmy,
});
