import { PlayerMark } from "../parts/player-name.tsx";
import { spanText } from "../parts/text.ts";
import type { OnChain } from "./session.ts";

/** Shows the state of the match as the contracts keep it. @param mover Player in turn. */
export function OnChainCard({ onChain, mover }: { onChain: OnChain; mover: number }) {
  const { matchId, status, position, left, isOpen, isJoined, purses } = onChain;
  return (
    <section class="card stack tight" aria-label="State of the match">
      <h3>Match {String(matchId)} in the arena</h3>
      <dl class="fields small">
        <div>
          <dt>status</dt>
          <dd>{status}</dd>
        </div>
        {isOpen && (
          <div>
            <dt>{isJoined ? `clock of player ${mover}` : "time to join"}</dt>
            <dd>{left < 0n ? "has run out" : spanText(Number(left))}</dd>
          </div>
        )}
        {([1, 2] as const).map((player) => (
          <div key={player}>
            <dt>
              <PlayerMark player={player} /> purse
            </dt>
            <dd>{purses[player - 1]}</dd>
          </div>
        ))}
        <div class="whole">
          <dt>position hash</dt>
          <dd class="mono">{/^0x0*$/.test(position) ? "none: the match is over" : position}</dd>
        </div>
      </dl>
    </section>
  );
}
