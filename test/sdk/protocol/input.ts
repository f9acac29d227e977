import { expect } from "chai";
import { address } from "../../../sdk/protocol/address.js";
import type * as Address from "../../../sdk/protocol/address.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import {
  boolean,
  bytes32,
  fields,
  InputError,
  integer,
  list,
  listUpTo,
  nullable,
  object,
  oneOf,
  optional,
} from "../../../sdk/protocol/input.js";

const WORD = `0x${"1a".repeat(32)}`;
const NOT_A_WORD = "is not 0x and 64 hex digits";

/** Number of additional instances of modules. */
let instances = 0;

describe("A reader of input", () => {
  it("reads values of the described type", () => {
    const read = object({ flag: boolean, moveArgs: list(bytes32, 2), size: optional(integer(-1, 1), null) });
    const moveArgs = [WORD, `0x${"1A".repeat(32)}`];
    expect(read({ moveArgs, flag: false }, "")).to.deep.equal({ flag: false, moveArgs: [WORD, WORD], size: null });
    expect(Object.is(read({ moveArgs, flag: true, size: -0 }, "").size, 0)).to.equal(true);
    expect(read(JSON.parse(`{"flag":true,"size":1.0,"moveArgs":["${WORD}","${WORD}"]}`), "").size).to.equal(1);
  });

  it("names the field by its path, however deep", () => {
    const read = object({ a: list(object({ b: list(integer(0, 9), 1) }), 2), c: optional(boolean, true) });
    expect(() => read({ a: [{ b: [1] }, { b: [10] }] }, "")).to.throw(InputError, /^a\[1\]\.b\[0\]: 10 is above 9$/);
    expect(() => read({ a: [{ b: [1] }, {}] }, "")).to.throw(InputError, /^a\[1\]\.b: left out$/);
    expect(() => read({ a: [{ b: [1] }, { b: [1], d: 1 }] }, "")).to.throw(InputError, /^a\[1\]\.d: unknown field$/);
    expect(() => read({ a: [{ b: [1] }, { b: [1], "d.e\n": 1 }] }, "")).to.throw(
      /^a\[1\]\["d\.e\\n"\]: unknown field$/,
    );
    expect(() => read({ a: new Array(2) }, "")).to.throw(InputError, /^a\[0\]: left out$/);
    expect(() => read({ a: [{ b: [1] }, { b: [1] }], c: "true" }, "x")).to.throw(/^x\.c: "true" is not true or false$/);
  });

  it("reports an invalid field before an unknown one", () => {
    const read = object({ a: boolean });
    expect(() => read({ why: 1, a: 0 }, "")).to.throw(InputError, /^a: 0 is not true or false$/);
    expect(() => read({ why: 1 }, "")).to.throw(InputError, /^a: left out$/);
    expect(() => read({ why: 1, a: true }, "")).to.throw(InputError, /^why: unknown field$/);
  });

  it("rejects a list of another length, and anything but a list", () => {
    const digit = integer(0, 9);
    expect(list(digit, 2)([1, 2], "a")).to.deep.equal([1, 2]);
    expect(() => list(digit, 2)([1, 2, 3], "a")).to.throw(InputError, /^a: 3 items instead of 2$/);
    for (const length of [0, 1, 2]) expect(listUpTo(digit, 2)(Array(length).fill(1), "a")).to.have.lengthOf(length);
    expect(() => listUpTo(digit, 2)([1, 2, 3], "a")).to.throw(InputError, /^a: more than 2 items$/);
    expect(() => listUpTo(digit, 2)([1, 10], "a")).to.throw(InputError, /^a\[1\]: 10 is above 9$/);
    for (const read of [list(digit, 2), listUpTo(digit, 2)]) {
      for (const value of ["12", null, { length: 2 }])
        expect(() => read(value, "a")).to.throw(InputError, "not a list");
    }
  });

  it("rejects anything but an object", () => {
    for (const read of [object({ a: boolean }), fields((value) => value)]) {
      for (const value of [null, "a", 1, true, []]) {
        expect(() => read(value, "at"), String(value)).to.throw(InputError, /^at: .*is not an object$/);
      }
    }
  });

  it("reads an object with any names, and names the wrong field", () => {
    const read = fields((value, path, name) => `${name} ${integer(0, 9)(value, path)}`);
    expect([...read({ a: 1, b: 2 }, "")]).to.deep.equal([
      ["a", "a 1"],
      ["b", "b 2"],
    ]);
    expect(() => read({ a: 1, b: 10 }, "x")).to.throw(InputError, /^x\.b: 10 is above 9$/);
  });

  it("reads one of several words, and null where it is allowed", () => {
    const read = nullable(oneOf("yes", "no"));
    expect([read("yes", "a"), read("no", "a"), read(null, "a")]).to.deep.equal(["yes", "no", undefined]);
    expect(() => read("maybe", "a")).to.throw(InputError, /^a: "maybe" is not one of yes, no$/);
    expect(() => read(undefined, "a")).to.throw(InputError, "a: left out");
  });

  it("reports errors whose class another copy of the SDK knows by its name", () => {
    const copy = new Error("a copy");
    copy.name = InputError.name;
    for (const error of [new InputError("a", "wrong"), copy]) expect(isKind(error, InputError)).to.equal(true);
    for (const other of [new Error("other"), { name: InputError.name }, undefined]) {
      expect(isKind(other, InputError)).to.equal(false);
    }
  });

  it("shows 1000 characters of an error, and cuts the middle out of a longer one", () => {
    const whole = new InputError("a", "x".repeat(997)).message;
    expect(whole).to.equal(`a: ${"x".repeat(997)}`);
    const cut = new InputError("a", `${"x".repeat(997)}y`).message;
    expect(cut)
      .to.have.lengthOf(1000)
      .and.to.match(/^a: x{497}…x{498}y$/);
  });

  it("ignores inherited fields", () => {
    expect(() => object({ toString: integer(0, 1) })({}, "")).to.throw(InputError, /^toString: left out$/);
    expect(() => object({})({ valueOf: 1 }, "")).to.throw(InputError, /^valueOf: unknown field$/);
  });

  it("refuses words that are not 32 bytes of hex", () => {
    const near = [
      "",
      "0x",
      WORD.slice(2),
      WORD.slice(0, -1),
      `${WORD}00`,
      `${WORD.slice(0, -1)}g`,
      WORD.replace("x", "X"),
    ];
    for (const text of near) expect(() => bytes32(text, "seed")).to.throw(InputError, `seed: "${text}" ${NOT_A_WORD}`);
    expect(() => bytes32(`${WORD}\n`, "seed")).to.throw(InputError, `seed: "${WORD}\\n" ${NOT_A_WORD}`);
    expect(() => bytes32("0".repeat(81), "seed")).to.throw(InputError, `seed: a text of 81 characters ${NOT_A_WORD}`);
    expect(() => bytes32("0".repeat(80), "seed")).to.throw(InputError, `seed: "${"0".repeat(80)}" ${NOT_A_WORD}`);
    expect(() => bytes32(1, "seed")).to.throw(InputError, `seed: 1 ${NOT_A_WORD}`);
    expect(() => bytes32([WORD], "seed")).to.throw(InputError, `seed: a list ${NOT_A_WORD}`);
    expect(() => bytes32(null, "seed")).to.throw(InputError, `seed: null ${NOT_A_WORD}`);
  });

  it("reads an address in lower case or with its checksum, and rejects other texts", () => {
    const checksum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    for (const text of [checksum, checksum.toLowerCase()]) expect(address(text, "to")).to.equal(checksum);
    for (const text of [checksum.replace("aA", "Aa"), checksum.slice(0, -1), ""]) {
      expect(() => address(text, "to")).to.throw(InputError, `to: "${text}" is not an address`);
    }
  });

  it("adds the checksum to an address in lower case, the first time and again", async () => {
    // A new instance of the module remembers no address yet.
    const path = `../../../sdk/protocol/address.js?${++instances}`;
    const { checksumAddress } = (await import(path)) as typeof Address;
    const checksum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const digits = checksum.slice(2).toLowerCase();
    for (let i = 0; i < 2; i++) expect(checksumAddress(digits)).to.equal(checksum);
  });

  it("rejects fractional or missing numbers", () => {
    for (const value of [1.5, NaN, Infinity, "1", null, true]) {
      const shown = typeof value === "string" ? `"${value}"` : String(value);
      expect(() => integer(0, 9)(value, "n")).to.throw(InputError, `n: ${shown} is not an integer`);
    }
    expect(() => integer(0, 9)(1e300, "n")).to.throw(InputError, "n: 1e+300 is above 9");
    expect(() => integer(0, 9)(undefined, "n")).to.throw(InputError, "n: left out");
  });
});
