/** Returns a player as the subject of a sentence about the present: "You win", or "Iron Willow wins". */
export function subjectOf(player: number, viewer: number, names: readonly [string, string]) {
  const isYou = player === viewer;
  const name = names[player - 1];
  return {
    name,
    /** With a verb in the form for "you", and one for a name. */
    does: (you: string, other = `${you}s`) => `${isYou ? "You" : name} ${isYou ? you : other}`,
    /** As the object of a sentence. */
    object: isYou ? "you" : name,
  };
}
