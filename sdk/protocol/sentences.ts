/** Sentences by the name of a custom error; `{name}` in a sentence stands for the error's value of that name. */
export type Sentences = Readonly<Record<string, string>>;
