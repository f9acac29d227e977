/** A sentence for each custom error; `{name}` stands for the error's value of that name. */
export type Sentences = Readonly<Record<string, string>>;
