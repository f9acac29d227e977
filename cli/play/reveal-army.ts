import { isFinal } from "../../sdk/chain/finality.js";
import { seatOfPlayer } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import { InputError } from "../../sdk/protocol/input.js";
import {
  checkShownState,
  hiddenIn,
  honestText,
  type CheckedState,
  type ShownState,
} from "../../sdk/verify/shown-state.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import { textOf, type PlayCommand } from "../shared/command/command.js";
import { writeNew } from "../shared/files/files.js";
import { secretOf } from "../../sdk/player/key-store.js";
import { paint } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { checkShownFile, requireHonest } from "../shared/files/shown-states.js";

/** Commands that show the state that is still hidden after a match. */
export const reveals: readonly PlayCommand[] = [
  {
    usage: "reveal-army <match> [file]",
    description: "show your army after a match that did not; or check the army that another player shows in a file",
    examples: ["reveal-army 7 --out army.json", "reveal-army 7 army.json"],
    options: [["--out <file>", "write your army to a new file, for others to check"]],
    async run(context, [id, file], flags) {
      const matchId = readMatchId(id);
      const out = textOf(flags, "out");
      if (file !== undefined) {
        if (out !== undefined) throw new InputError("--out", "only your own army is written");
        const checked = await checkShownFile(context, file, matchId);
        const { record, seat } = checked;
        const player = seat === Seat.One ? record.player1 : record.player2;
        return { data: { matchId, seat, player, identical: true }, text: await linesOf(context, checked) };
      }
      const shown = await ownState(context, matchId);
      const checked = requireHonest(await checkShownState(context.history, context.games, shown, "your secret"));
      const lines = await linesOf(context, checked);
      if (out === undefined) return { data: shown, text: [...lines, "With --out FILE it is written for others."] };
      if (!(await writeNew(out, { ...shown, matchId: String(matchId) }))) {
        throw new InputError(out, "the file exists, and is not replaced");
      }
      return { data: shown, text: [...lines, `It is in ${out}, for others to check.`] };
    },
  },
];

/**
 * Reads the caller's hidden state of a finished match, with the caller's key or an imported secret.
 * @throws Error if the caller has no hidden state to show, or the end of the match could still be undone.
 */
async function ownState(context: CommandContext, matchId: bigint): Promise<ShownState> {
  const { arena, history, chainId } = context;
  const record = await history.match(matchId);
  const { game } = record.terms;
  const player = await context.address();
  const seat = seatOfPlayer(player, record);
  if (seat === Seat.None) throw new Error(`${player} is no player of match ${matchId}.`);
  const { hidden, commitment } = await hiddenIn(record, seat, history, context.games);
  if (!(await isFinal(arena, matchId))) {
    throw new Error(`The end of match ${matchId} is not final yet: show your ${hidden.noun} in some minutes.`);
  }
  const { move, salt } = await secretOf(context.keys, { chainId, game, player }, commitment);
  return { chainId, game, matchId, player, move, salt };
}

async function linesOf({ history }: CommandContext, checked: CheckedState): Promise<string[]> {
  const { record, seat, secret, hidden } = checked;
  return [...(await hidden.draw(record, seat, secret, history, paint)), "", honestText(checked)];
}
