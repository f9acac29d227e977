/** Sentences by the name of a custom error; `{name}` in a sentence stands for the error's value of that name. */
export type Sentences = Readonly<Record<string, string>>;

/** Words for the values of custom errors, by the name of the value; other values are shown unchanged. */
export type ErrorValues = Readonly<Record<string, (value: bigint | number | string) => string>>;
