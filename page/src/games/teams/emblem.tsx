import type { ComponentChildren } from "preact";

interface EmblemProps {
  /** Hue of the tile. */
  hue: number;
  isGolden?: boolean;
  /** True without a tile. */
  isCut?: boolean;
  /** Drawing in a square of 64. */
  children: ComponentChildren;
}

/** Frame of a character's face. It has no text, because the figures beside the face state the same facts. */
export function Emblem({ hue, isGolden = false, isCut = false, children }: EmblemProps) {
  return (
    <svg class={isCut ? "teams-emblem is-cut" : "teams-emblem"} viewBox="0 0 64 64" aria-hidden="true">
      {!isCut && <rect width="64" height="64" fill={`hsl(${hue} 34% 78%)`} />}
      {children}
      {isGolden && !isCut && (
        <rect x="1.5" y="1.5" width="61" height="61" rx="7" fill="none" stroke="#e3b341" stroke-width="3" />
      )}
    </svg>
  );
}
