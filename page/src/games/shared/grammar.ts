/** Returns a player as the subject of a sentence about the present: "You win", or "Iron Willow wins". */
export function subjectOf(player: number, viewer: number, names: readonly [string, string]) {
  const isYou = player === viewer;
  const name = names[player - 1];
  const doing =
    (subject: string) =>
    /** Takes a verb in the form for "you", and in the form for a name. */
    (you: string, other = `${you}s`) =>
      `${isYou ? subject : name} ${isYou ? you : other}`;
  return {
    /** Begins a sentence. */
    does: doing("You"),
    /** Continues a sentence. */
    alsoDoes: doing("you"),
    /** The player as the object of a sentence. */
    object: isYou ? "you" : name,
  };
}

/** Lists both players, the viewer first. */
export function fromViewer(viewer: number): readonly [1 | 2, 1 | 2] {
  return viewer === 2 ? [2, 1] : [1, 2];
}
