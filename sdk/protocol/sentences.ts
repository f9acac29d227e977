/** Sentences by the name of a custom error; `{name}` in a sentence stands for the error's value of that name. */
export type Sentences = Readonly<Record<string, string>>;

/** Words for the values of custom errors, by the name of the value; a value of another name is told as it is. */
export type ErrorValues = Readonly<Record<string, (value: bigint | number | string) => string>>;
