import type { Chain } from "../store/chain.ts";
import { oneLine } from "./text.ts";
import type { Source } from "./use-source.ts";

/** Names the source of a view's numbers, if its deployment names an index. */
export function SourceLine({ chain, source }: { chain: Chain; source: Source }) {
  if (chain.deployment.index === undefined || !source) return null;
  return (
    <p class="small muted" role="status">
      {sentenceOf(source)}
    </p>
  );
}

function sentenceOf(source: Exclude<Source, undefined>): string {
  if (source.from === "events") {
    return source.reason === undefined ? "From the events." : `From the events: ${oneLine(source.reason, 300)}`;
  }
  const { block, late, trouble } = source;
  const lateness = late === undefined ? "" : `, ${late} blocks behind the chain`;
  return `From the index, up to block ${block}${lateness}.${trouble === undefined ? "" : ` ${oneLine(trouble, 300)}`}`;
}
