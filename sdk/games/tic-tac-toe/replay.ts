import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { pack } from "../../protocol/layout.js";
import { takingTurns } from "../revealed-rounds.js";
import { play } from "./engine.js";
import { decodeMark, POSITION, type Mark } from "./log.js";
import { tiesOf } from "./mode.js";
import { cellsOf } from "./moves.js";

/**
 * Replays a match from its events: every mark is checked against the position that its sender has named, and the
 * engine plays the game.
 * @throws RecordError for a mark that was sent for another position or out of turn.
 * @throws InputError for a cell that cannot be marked.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const ties = await tiesOf(record.terms, history);
  const entries = play(cellsOf(record), ties, `match ${record.matchId}: mark`);
  const logs = entries.map((entry, i) => ({ round: BigInt(i + 1), entries: [entry] }));
  const { winner, finished, x, o } = decodeMark(entries.at(-1)!);
  return {
    logs,
    result: finished ? { winner: BigInt(winner), taker: BigInt(winner) } : undefined,
    turns: takingTurns(record, finished),
    expectedAnswer: { view: "positionOf", args: [record.matchId], answer: [pack(POSITION, { x, o })] },
  };
}

/** Decodes the log of a match. */
export async function decodeLog({ logs }: MatchRecord): Promise<Mark[]> {
  return logs.flatMap(({ entries }) => entries.map(decodeMark));
}
