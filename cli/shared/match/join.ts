import type { TransactionReceipt } from "ethers";
import type { GameModule } from "../../../sdk/games/module.js";
import { joinMatch } from "../../../sdk/player/join.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { readMove } from "../command/did-you-mean.js";
import { acceptWarnings, log, logOnce } from "../command/output.js";
import { acceptRisks, moveChecksOf } from "./risks.js";
import type { CommandContext } from "../command/context.js";

/** Joins a match with `joinMatch`; the warnings are accepted with --yes or at the terminal. */
export async function join(
  context: CommandContext,
  view: MatchView,
  game: GameModule,
  moveArgs: readonly string[],
  yes?: boolean,
): Promise<TransactionReceipt> {
  const { terms } = view;
  const client = await context.client();
  const logFirst = logOnce();
  return joinMatch(client, async () => context.history, view, {
    secretStore: context.keys.secretStoreOf(terms.game, client.address),
    shownAnswers: context.vault,
    move: async (turn) => readMove(game, moveArgs, turn),
    async accept({ step, move, exposures }) {
      if (step === "answer") {
        await acceptWarnings(exposures, yes);
        return {};
      }
      const moveChecks = step === "stake" ? await moveChecksOf(context, game, terms.game, move) : [];
      return acceptRisks(context, { terms, seat: Seat.Two }, [...exposures, ...moveChecks], yes);
    },
    onFunded: () =>
      log("Your stake is in, and player 1 is bound. Waiting until that is final before your move is shown."),
    onWait: (seconds, step) => {
      if (step === "answer") return;
      logFirst(`Waiting until the offer is final before your move is shown, for ${seconds} s at most.`);
    },
  });
}
