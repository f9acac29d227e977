import { expect } from "chai";
import { InputError, object, text } from "../../../sdk/protocol/input.js";
import {
  checkVersion,
  checkVersionLine,
  isVersionLine,
  NewerVersion,
  readVersioned,
  versioned,
  versionLine,
  VERSIONS,
  type Format,
} from "../../../sdk/protocol/version.js";

const formats = Object.keys(VERSIONS) as Format[];

describe("The version of stored data", () => {
  it("is accepted in each format if this program writes the same version", () => {
    for (const format of formats) {
      const kept: unknown = JSON.parse(JSON.stringify(versioned(format, { a: "b" })));
      expect(readVersioned(format, object({ a: text }))(kept, "file")).to.deep.equal({ a: "b" });
      expect(isVersionLine([format], versionLine(format), "file:1")).to.equal(true);
    }
  });

  it("is rejected in each format if it is newer, and the error names the file, both versions and a remedy", () => {
    for (const format of formats) {
      const known = VERSIONS[format];
      const problem = `file: it has version ${known + 1} of ${format}, and this program reads version ${known}: use the newer program that wrote it`;
      expect(() => checkVersion(format, known + 1, "file")).to.throw(NewerVersion, problem);
      const line = versionLine(format).replace(`:${known},`, `:${known + 1},`);
      expect(() => isVersionLine([format], line, "file")).to.throw(NewerVersion, problem);
    }
  });

  it("is rejected if it is older or invalid", () => {
    for (const version of [0, -1, 1.5, "1", null, undefined, NaN, [1], {}]) {
      const found = typeof version === "number" && Number.isInteger(version) ? `version ${version}` : "no version";
      expect(() => checkVersion("the vault", version, "file"))
        .to.throw(`file: it has ${found} of the vault, and this program reads version 1: it is damaged, or too old`)
        .and.to.be.instanceOf(InputError)
        .and.not.instanceOf(NewerVersion);
    }
  });

  it("is required in data and in the first line of a file", () => {
    const read = readVersioned("the vault", object({ a: text }));
    for (const content of [{ a: "b" }, { a: "b", version: 0 }]) {
      expect(() => read(content, "file")).to.throw(InputError, "is damaged, or too old");
    }
    // The reader of the content reports data of another type.
    for (const other of [null, "text", 7, []]) expect(() => read(other, "file")).to.throw(InputError, "not an object");

    checkVersionLine("the vault", versionLine("the vault"), "file:1");
    for (const line of ["", "null", "{}", '{"version":1}', '{"format":"chess","version":1}']) {
      expect(() => checkVersionLine("the vault", line, "file:1")).to.throw(InputError, /^file:1: it has no version/);
    }
  });

  it("is not found in lines of a file that has no version", () => {
    for (const line of ["", "null", "7", "[]", "{}", '{"format":"chess","version":1}', '{"type":"move"}']) {
      expect(isVersionLine(formats, line, "file:1")).to.equal(false);
    }
  });
});
