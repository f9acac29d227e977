const icons = import.meta.glob<string>("../games/*.svg", { query: "?url", import: "default", eager: true });

/** Draws the sign of a game, which stands beside its name; a disc for a game that has none. */
export function GameIcon({ name, size = 40 }: { name: string; size?: number }) {
  const icon = icons[`../games/${name}.svg`];
  if (icon === undefined) return <span class="mark" aria-hidden="true" />;
  return <img src={icon} width={size} height={size} alt="" />;
}
