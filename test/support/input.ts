import { expect } from "chai";
import { InputError } from "../../sdk/protocol/input.js";

/** A wrong value, and what the error says. */
type Row = [value: unknown, message: string];

/** Returns what expects a simulation to refuse one input, and what declares a test that it refuses many alike. */
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
