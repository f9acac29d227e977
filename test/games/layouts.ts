import { expect } from "chai";
import type { Layout } from "../../sdk/protocol/layout.js";
import { constantOf, numbersIn } from "../support/solidity.js";

/** A layout, the Solidity file that packs the same, and what its constants of it begin with. */
type Row = [what: string, fields: Layout, file: string, prefix: string];

const ROWS: Row[] = [];

describe("Packed layouts", () => {
  for (const [what, fields, file, prefix] of ROWS) {
    it(`start each field where the constants of the contract do: ${what}`, () => {
      const constants = [...numbersIn(file)].filter(([name]) => name.startsWith(`_${prefix}_`) && name.endsWith("_AT"));
      const expected = Object.entries(fields).map(([name, { at }]) => [constantOf(prefix, name), at]);
      expect(Object.fromEntries(constants)).to.deep.equal(Object.fromEntries(expected));
    });
  }
});
