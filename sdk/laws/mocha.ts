/** Context of a test or hook, with the parts that the laws need. */
interface Context {
  skip(): void;
  readonly currentTest?: { readonly title: string };
}

/** Functions of Mocha that declare tests, with the parts that the laws need. */
interface Mocha {
  describe(title: string, declare: () => void): unknown;
  it(title: string, run: (this: Context) => Promise<void>): unknown;
  beforeEach(run: (this: Context) => Promise<void>): unknown;
}

/** Returns the functions that Mocha provides to test files as globals. @throws Error outside Mocha. */
export function mocha(): Mocha {
  const globals = globalThis as unknown as Partial<Mocha>;
  if (!globals.describe) throw new Error("The laws are declared in a file of tests that Mocha runs.");
  return globals as Mocha;
}
