import { oneLine } from "./text.ts";

/** Rules of a mode, a line each; anybody may have created the mode. */
export function ModeLines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="small stack tight">
      {lines.map((line) => (
        <li key={line}>{oneLine(line, 400)}</li>
      ))}
    </ul>
  );
}
