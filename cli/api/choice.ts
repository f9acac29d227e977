import type { MatchRecord } from "../../sdk/chain/record.js";
import { newSalt } from "../../sdk/protocol/commit-reveal.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError } from "../../sdk/protocol/input.js";
import { channelRecord, isRefusal, type OfferedMatch } from "../../sdk/games/channel-match.js";
import { RecordError } from "../../sdk/games/revealed-rounds.js";
import type { GameModule } from "../../sdk/games/module.js";
import { isOpenTurn, type SecretStore, type Turn } from "../../sdk/games/moves.js";
import type { History } from "../../sdk/chain/history.js";
import { readMove, usageOf } from "../shared/command/did-you-mean.js";

/** Maximum number of legal moves that are listed. */
const MAX_LISTED = 512;

/** Moves from which a player can choose in its turn. */
export interface Choice {
  /** Arguments of a move, e.g. `CELL`. */
  usage: string;
  /** All legal moves, as text; null if there are too many to list. */
  legalMoves: string[] | null;
  /** Any legal move, as text; null if the game finds none. */
  anyMove: string | null;
}

/** Returns the number of data that the players have sent in a match. */
export function plyOf(record?: MatchRecord): number {
  if (!record) return 0;
  return record.joinData === undefined ? 1 : 2 + record.actions.length;
}

/**
 * Finds the moves of a turn.
 * @returns the choice; or the move, usually undefined, of a turn in which there is nothing to choose, for example one
 * that only reveals
 */
export async function choiceIn(
  module: GameModule,
  turn: Turn,
  store: SecretStore,
): Promise<{ choice: Choice } | { move: unknown }> {
  const { moves } = module;
  const usage = usageOf(moves, turn);
  const found = await moves.suggest(turn, store).then(
    (move) => ({ move }),
    // Without a legal move, for example without fighters, the player still sees what is needed.
    () => undefined,
  );
  if (!found) return { choice: { usage, legalMoves: null, anyMove: null } };
  const any = await moves.args(found.move, turn);
  if (any.length === 0) return found;
  return { choice: { usage, legalMoves: await legalMovesIn(module, turn, store, any.length), anyMove: any.join(" ") } };
}

/**
 * Lists all legal moves of a turn; null if the game does not list them.
 * @param length Number of arguments of a move: a game may list only parts of moves, such as fighters.
 */
async function legalMovesIn({ moves }: GameModule, turn: Turn, store: SecretStore, length: number) {
  const choices = (await moves.choices?.(turn, store).catch(() => [])) ?? [];
  const isListed = choices.length > 0 && choices.length <= MAX_LISTED;
  return isListed && choices.every((each) => each.split(" ").length === length) ? choices : null;
}

/**
 * Reads a move, and tries it in the game's engine.
 * @param args Arguments as in the terminal.
 * @param offered Match that the first move of seat One offers.
 * @throws InputError for an illegal move, with the rule and the values
 */
export async function readLegalMove(
  module: GameModule,
  turn: Turn,
  args: readonly string[],
  store: SecretStore,
  offered: Omit<OfferedMatch, "data">,
): Promise<unknown> {
  const move = await readMove(module, args, turn, store);
  // Engines remember unfinished matches by their history. This match may never be played.
  const history = Object.create(turn.history) as History;
  const refusal = await refusalOf(module, { ...turn, history }, move, trialOf(store), offered);
  if (refusal !== undefined) throw new InputError("move", refusal);
  return move;
}

/** Returns why the engine refuses a move; undefined if it does not. */
async function refusalOf(
  module: GameModule,
  turn: Turn,
  move: unknown,
  store: SecretStore,
  offered: Omit<OfferedMatch, "data">,
): Promise<string | undefined> {
  try {
    await module.replay(await recordWith(module, turn, move, store, offered), turn.history);
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return isKind(error, InputError) || isKind(error, RecordError) ? error.problem : error.message;
  }
}

/** Returns the record of a match with another move. @throws InputError for a move against the rules */
async function recordWith(
  { moves }: GameModule,
  turn: Turn,
  move: unknown,
  store: SecretStore,
  offered: Omit<OfferedMatch, "data">,
): Promise<MatchRecord> {
  if (!isOpenTurn(turn)) return channelRecord({ ...offered, data: await moves.create(move, turn, store) });
  const { record, seat } = turn;
  if (record.joinData === undefined) return { ...record, joinData: await moves.join(move, turn, store) };
  return { ...record, actions: [...record.actions, { seat, data: await moves.act(move, turn, store) }] };
}

/** Returns a store that reveals the same secrets, and whose commitments are not stored. */
function trialOf(store: SecretStore): SecretStore {
  return {
    reveal: (committed, scheme) => store.reveal(committed, scheme),
    commit: async (move, scheme) => {
      const salt = newSalt();
      return scheme ? scheme({ move, salt }) : salt;
    },
  };
}
