import { expect } from "chai";
import { InputError } from "../../sdk/protocol/input.js";

/** A wrong value, and its error message. */
type Row = [value: unknown, message: string];

/**
 * Returns a function that expects a simulation to reject an input, and one that declares a test of many such inputs.
 */
export function refusalsBy(simulate: (input: unknown) => Promise<unknown>) {
  async function expectRefused(input: unknown, message: string): Promise<void> {
    const error: unknown = await simulate(input).catch((reason: unknown) => reason);
    expect(error, JSON.stringify(input)).to.be.instanceOf(InputError);
    expect((error as InputError).message).to.equal(message);
    expect(message.startsWith(`${(error as InputError).path}: `)).to.equal(true);
  }

  function refuses(what: string, inputOf: (value: unknown) => unknown, rows: Row[]): void {
    it(`refuses ${what}`, async () => {
      for (const [value, message] of rows) await expectRefused(inputOf(value), message);
    });
  }

  return { expectRefused, refuses };
}
