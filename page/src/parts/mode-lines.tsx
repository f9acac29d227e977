import { oneLine } from "./text.ts";

/** What a mode says, a line each; anybody may have made it. */
export function ModeLines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="small stack tight">
      {lines.map((line) => (
        <li key={line}>{oneLine(line, 400)}</li>
      ))}
    </ul>
  );
}
