import { checkAway, mismatchText, replay, type AwayMove } from "duello";
import { Verdict } from "../parts/shown-match.tsx";
import { useLoaded } from "../parts/use.ts";
import type { OpenMatch } from "../store/open-match.ts";

/** Says what this page has verified of a match. @param transcript What the relay has shown of it; undefined as long as that is not read. */
export function Checked({ match, transcript }: { match: OpenMatch; transcript?: readonly AwayMove[] }) {
  const isOver = match.record.settlement !== undefined;
  const count = transcript?.length ?? 0;
  const { value } = useLoaded(transcript && isOver ? () => check(match, transcript) : undefined, [
    match.record,
    transcript && count,
  ]);
  if (!isOver) {
    if (count === 0) return null;
    return (
      <Verdict
        mark="good"
        title="Moves verified so far"
        text={`The engine of this page has put ${movesText(count)} through the rules, and has checked both players' signatures.`}
      />
    );
  }
  return value ? <Verdict {...value} /> : null;
}

type Told = Parameters<typeof Verdict>[0];

/** Checks a match that is over. */
async function check({ chain, module, summary }: OpenMatch, moves: readonly AwayMove[]): Promise<Told> {
  const archive = chain.archive.value!;
  const transcript = moves.length > 0 ? { transcript: moves } : {};
  const { record, mismatch } = await replay(archive, [module], summary.matchId, transcript);
  if (mismatch) {
    const text = `What the chain says and what the rules give differ: ${mismatchText(mismatch)}.`;
    return { mark: "bad", title: "The replay differs", text };
  }
  const { verdict, problem } = await checkAway(record, module, archive);
  const agreed = record.agreement
    ? "Both players have signed the result"
    : "Both players have signed the position from which the chain went on";
  switch (verdict) {
    case "replayed":
      return {
        mark: "good",
        title: "Replay verified in this page",
        text: "All that was played is on the chain: the engine of this page has put it through the rules again.",
      };
    case "agreed and shown":
      return {
        mark: "good",
        title: "Agreed and shown",
        text: `${agreed}. The engine of this page has replayed ${movesText(moves.length)}, which both have signed too, and they lead there.`,
      };
    default:
      return {
        mark: "none",
        title: "Agreed, not shown",
        text: `${agreed}. The moves that led there are not on the chain, and ${
          problem === undefined ? "no relay shows them" : `what the relay shows does not lead there: ${problem}`
        }.`,
      };
  }
}

function movesText(count: number): string {
  return count === 1 ? "the move" : `all ${count} moves`;
}
