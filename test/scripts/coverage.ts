import { expect } from "chai";
import { judge } from "../../scripts/lcov.js";

const FILE = "contracts/A.sol";
const SOURCES = new Map([[FILE, "contract A {\n  a();\n  b();\n}\n"]]);
const lcov = (...records: string[]) => ["TN:", `SF:${FILE}`, ...records, "LH:1", "end_of_record", ""].join("\n");

describe("Coverage", () => {
  it("is complete when every line is reached", () => {
    const verdict = judge(lcov("DA:2,1", "DA:3,7"), SOURCES);
    expect(verdict).to.deep.equal({ reached: 2, lines: 2, problems: [] });
  });

  it("names a line that no test reaches, even if the report lists it twice", () => {
    const problems = [`${FILE}:3: no test reaches \`b();\``];
    for (const records of [["DA:3,0"], ["DA:3,0", "DA:3,1"], ["DA:3,1", "DA:3,0"]]) {
      expect(judge(lcov("DA:2,1", ...records), SOURCES)).to.deep.equal({ reached: 1, lines: 2, problems });
    }
  });

  it("names a source that is missing in the report", () => {
    const problems = [`${FILE}: not in the report`];
    for (const report of ["", "TN:\n", lcov("DA:2,1").replace("A.sol", "B.sol")]) {
      expect(judge(report, SOURCES)).to.deep.equal({ reached: 0, lines: 0, problems });
    }
  });
});
