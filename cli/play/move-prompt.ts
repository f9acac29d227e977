import { customError, explain } from "../../sdk/player/errors.js";
import { modeContent } from "../../sdk/games/modes.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import type { GameModule } from "../../sdk/games/module.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { SecretStore, Turn } from "../../sdk/games/moves.js";
import { viewMode } from "../../sdk/player/modes.js";
import { usageOf } from "../shared/command/did-you-mean.js";
import { askMove, isAttended, log, paint } from "../shared/command/output.js";

/** A game, and the turn for which a move is needed. */
export interface MoveRequest {
  game: GameModule;
  turn: Turn;
  secretStore: SecretStore;
}

/** Thrown if the person who was asked for a move did not enter one. */
export class NoMove extends Error {
  override readonly name = "NoMove";

  constructor() {
    super("No move was given: nothing was sent.");
  }
}

/** The person stopped before the end of the match. */
export class Stopped extends Error {
  override readonly name = "Stopped";

  constructor() {
    super("Stopped.");
  }
}

/**
 * Uses the move that the game's strategy suggests, or asks the person at the terminal. The person sees the match and
 * the choices first, and is asked again if the game refuses the move.
 * @param use Function that takes the move; its result is returned.
 * @param silent Whether to take the suggestion without asking.
 * @throws NoMove if the person enters no move.
 */
export async function withMove<T>(
  mover: MoveRequest,
  use: (moveArgs: readonly string[]) => Promise<T>,
  silent = false,
  signal?: AbortSignal,
): Promise<T> {
  const { game, turn, secretStore } = mover;
  let moveArgs = await game.moves.args(await strategyOf(game)(turn, secretStore), turn);
  if (moveArgs.length === 0 || silent || !isAttended()) return use(moveArgs);
  for (const line of await viewLines(mover)) console.error(line);
  const choices = (await game.moves.choices?.(turn, secretStore)) ?? [];
  if (choices.length > 0) log(`You can choose from: ${choices.join(", ")}.`);
  for (;;) {
    const given = await askMove(`Your move: ${usageOf(game.moves, turn)}`, moveArgs, signal);
    if (given === undefined) throw new NoMove();
    moveArgs = given;
    try {
      return await use(moveArgs);
    } catch (error) {
      if (!isWrongMove(error, game)) throw error;
      log(explain(error, { games: [game] }));
    }
  }
}

/** Returns the lines that a player sees before making a move. */
async function viewLines({ game, turn, secretStore }: MoveRequest): Promise<string[]> {
  const { seat, record, history } = turn;
  if (record?.joinData === undefined) {
    return viewMode(game, await modeContent(game, turn, history)).rules;
  }
  if (!game.view) return [];
  return game.view(record, history, paint, { seat, secretStore });
}

/** Returns whether the move itself was refused before anything was sent, by its parser or by the game's contract. */
function isWrongMove(error: unknown, game: GameModule): boolean {
  return isKind(error, InputError) || Object.hasOwn(game.errors, customError(error, [game])?.name ?? "");
}
