import { expect } from "chai";
import {
  layout,
  pack,
  partsOf,
  readField,
  sliceField,
  unpack,
  unpackEntry,
  writeField,
} from "../../../sdk/protocol/layout.js";

/** Creates a layout that nothing has read yet, with its fields out of order. */
const newFields = () =>
  layout({
    flag: [7, 1],
    low: [0, 7],
    across: [30, 16],
    edge: [48, 20],
    wide: [136, 48],
    next: [185, 3],
    high: [255, 1],
  });
const VALUES = { low: 101, flag: 1, across: 0xabcd, edge: 0xfffff, wide: 2 ** 48 - 1, next: 5, high: 1 };
const WORD =
  101n | (1n << 7n) | (0xabcdn << 30n) | (0xfffffn << 48n) | ((2n ** 48n - 1n) << 136n) | (5n << 185n) | (1n << 255n);

describe("A layout", () => {
  it("packs fields into their bits, across any boundary, and unpacks them", () => {
    const fields = newFields();
    expect(pack(fields, VALUES)).to.equal(WORD);
    for (const time of ["first", "second"]) expect(unpack(fields, WORD), time).to.deep.equal(VALUES);
  });

  it("refuses fields that overlap", () => {
    expect(() => layout({ one: [0, 8], other: [7, 2] })).to.throw(RangeError, "other starts at 7");
  });

  it("rejects a log entry with a bit outside its fields, or with impossible fields", () => {
    const fields = newFields();
    expect(unpackEntry(fields, WORD)).to.deep.equal(VALUES);
    expect(() => unpackEntry(fields, WORD | (1n << 8n))).to.throw("is no entry of it");
    expect(() => unpackEntry(fields, WORD, ({ low }) => low < 101)).to.throw("is no entry of it");
  });

  it("reads and writes fields of bytes", () => {
    const { count, name } = layout({ count: [1, 3], name: [4, 2] });
    const bytes = new Uint8Array(6).fill(7);
    writeField(bytes, count, 0x010203);
    expect([...bytes]).to.deep.equal([7, 1, 2, 3, 7, 7]);
    expect(readField(bytes, count)).to.equal(0x010203);
    expect([...sliceField(bytes, name)]).to.deep.equal([7, 7]);
  });

  it("splits a field of several numbers into separate numbers", () => {
    expect(partsOf({ at: 4, width: 6 }, 3)).to.deep.equal([
      { at: 4, width: 2 },
      { at: 6, width: 2 },
      { at: 8, width: 2 },
    ]);
  });
});
