/** Sentences by the name of a custom error; `{name}` in a sentence stands for the error's value of that name. */
export type Sentences = Readonly<Record<string, string>>;

/** Words for the values of custom errors, by the name of the value; other values are shown unchanged. */
export type ErrorValues = Readonly<Record<string, (value: bigint | number | string) => string>>;

/** Sentences for errors of the arena and of several games. */
export const commonSentences: Sentences = {
  WrongLength: "{length} bytes are not between {min} and {max}.",
  ModeOutOfBounds: "The mode's value {value} at byte {offset} is not between {min} and {max}.",
  ZeroCommitment: "A commitment of zero commits to nothing.",
  ZeroSalt: "A salt of zero hides nothing.",
  WrongRound: "This does not fit what was committed and answered in match {matchId}.",
  NotYourTurn: "It is the turn of {player} in match {matchId}; {caller} may not act for it.",
};
