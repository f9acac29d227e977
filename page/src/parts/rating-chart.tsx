import { Person } from "../people/person.tsx";
import { linkTo } from "../router.ts";
import type { RatingPoint } from "../store/rankings.ts";
import { Table } from "./table.tsx";

/** Size of the drawing, which is stretched to its place. */
const WIDTH = 600;
const HEIGHT = 120;
/** Distance of the highest and the lowest rating from the edge. */
const EDGE = 6;

const RESULTS = { win: "won", loss: "lost", draw: "drawn", forfeit: "lost on time" } as const;

/** Draws the course of a rating as a line, and lists the same ratings in a table. @param points The latest first. */
export function RatingChart({ title, points }: { title: string; points: readonly RatingPoint[] }) {
  if (points.length === 0) return <p class="muted">No rated match yet.</p>;
  const [last, first] = [points[0], points[points.length - 1]];
  const ratings = [first.before, ...points.map(({ after }) => after).reverse()];
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const x = (i: number) => (i * WIDTH) / (ratings.length - 1);
  const y = (rating: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((rating - low) / (high - low)) * (HEIGHT - 2 * EDGE);
  const line = ratings.map((rating, i) => `${x(i).toFixed(1)},${y(rating).toFixed(1)}`).join(" ");
  const count = points.length === 1 ? "the last rated match" : `the last ${points.length} rated matches`;
  const told = `${title}: from ${first.before} to ${last.after} in ${count}, ${low} at the lowest, ${high} at the highest.`;
  return (
    <>
      <p class="small">{told}</p>
      <div class="chart">
        <span class="small muted" aria-hidden="true">
          {high}
        </span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
          <polyline points={line} />
        </svg>
        <span class="small muted" aria-hidden="true">
          {low}
        </span>
      </div>
      <details>
        <summary>As a table</summary>
        <Table
          caption={`Rating at ${title} after each rated match, the latest first`}
          columns={["Match", "Opponent", "Result", "Rating"]}
          names={2}
          rows={points.map(({ matchId, opponent, result, before, after }) => ({
            key: String(matchId),
            cells: [
              <a href={linkTo("match", [String(matchId)])}>#{String(matchId)}</a>,
              <Person address={opponent} />,
              RESULTS[result],
              `${after} (${changeText(after - before)})`,
            ],
          }))}
        />
      </details>
    </>
  );
}

function changeText(change: number): string {
  return change === 0 ? "±0" : `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
}
