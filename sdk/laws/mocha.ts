/** Context of a test or hook, as far as the laws need it. */
interface Context {
  skip(): void;
  readonly currentTest?: { readonly title: string };
}

/** Functions of Mocha that declare tests, as far as the laws need them. */
interface Mocha {
  describe(title: string, declare: () => void): unknown;
  it(title: string, run: (this: Context) => Promise<void>): unknown;
  beforeEach(run: (this: Context) => Promise<void>): unknown;
}

/** Returns the functions that Mocha gives to a file of tests as globals. @throws Error elsewhere. */
export function mocha(): Mocha {
  const globals = globalThis as unknown as Partial<Mocha>;
  if (!globals.describe) throw new Error("The laws are declared in a file of tests that Mocha runs.");
  return globals as Mocha;
}
