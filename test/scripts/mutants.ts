import { expect } from "chai";
import { buildsOf, mutantsOf, spread, type Mutant } from "../../scripts/mutants/switched.js";

const FILE = "contracts/Sample.sol";

function mutantsIn(functions: string) {
  const code = `// SPDX-License-Identifier: MIT
    pragma solidity 0.8.37;
    enum Seat { None, One, Two }
    struct Pair { uint256 player1; uint256 player2; }
    contract Sample {
      event Done(uint256 value);
      uint256 public sum;
      modifier once() { require(sum == 0); _; sum = 1; }
      function note(uint256 one, uint256 other) internal {}
      ${functions}
    }`;
  return mutantsOf(new Map([[FILE, code]]));
}

function changesIn(functions: string): string[] {
  return mutantsIn(functions)
    .all.filter(({ place }) => place === `${FILE} run`)
    .map(({ operator, before, after }) => `${operator}: ${before} => ${after}`);
}

describe("Mutants of contracts", () => {
  const cases: Readonly<Record<string, { code: string; changes: string[] }>> = {
    "conditions, bounds and numbers": {
      code: "function run(uint256 a, uint256 b) external pure { if (a < 5 && b != a) revert(); }",
      changes: [
        "condition: a < 5 && b != a => true",
        "condition: a < 5 && b != a => false",
        "condition: a < 5 && b != a => a < 5 || b != a",
        "bound: a < 5 => a <= 5",
        "bound: a < 5 => a >= 5",
        "number: a < 5 => a < 6",
        "bound: b != a => b == a",
        "line dropped: revert() => ",
      ],
    },
    "arithmetic, lines, their order and arguments": {
      code: "function run(uint256 a, uint256 b) external { sum += a * b; emit Done(a); note(a, b); }",
      changes: [
        "line dropped: sum += a * b => ",
        "arithmetic: sum += a * b => sum -= a * b;",
        "arithmetic: a * b => a / b",
        "order of effects: emit Done(a); note(a, b) => note(a, b); emit Done(a);",
        "line dropped: emit Done(a) => ",
        "line dropped: note(a, b) => ",
        "arguments swapped: note(a, b) => note(b, a);",
      ],
    },
    "seats, negations and loops": {
      code: "function run(bool done, Seat seat) external pure { while (!done) { done = seat == Seat.One; } }",
      changes: [
        "condition: !done => false",
        "negation dropped: !done => (done)",
        "line dropped: done = seat == Seat.One => ",
        "bound: seat == Seat.One => seat != Seat.One",
        "seat swapped: Seat.One => Seat.Two",
      ],
    },
    "choices and returned values": {
      code: "function run(Pair memory pair) external pure returns (uint256) { return pair.player1 > 3 ? pair.player1 : 7; }",
      changes: [
        "returned value: pair.player1 > 3 ? pair.player1 : 7 => 0",
        "condition: pair.player1 > 3 => !(pair.player1 > 3)",
        "bound: pair.player1 > 3 => pair.player1 >= 3",
        "bound: pair.player1 > 3 => pair.player1 <= 3",
        "number: pair.player1 > 3 => pair.player1 > 4",
        "seat swapped: pair.player1 => pair.player2",
        "seat swapped: pair.player1 => pair.player2",
      ],
    },
  };
  for (const [title, { code, changes }] of Object.entries(cases)) {
    it(`change ${title}`, () => {
      expect(changesIn(code)).to.have.members(changes);
    });
  }

  it("leave out shifts by a constant of 0, and sums with it", () => {
    const code = (value: number) => `uint256 private constant _AT = ${value};
      function run(uint256 a) external pure returns (uint256) { return a >> _AT; }`;
    const dropped = "returned value: a >> _AT => 0";
    expect(changesIn(code(0))).to.deep.equal([dropped]);
    expect(changesIn(code(8))).to.deep.equal([dropped, "arithmetic: a >> _AT => a << _AT"]);
  });

  it("keep the order of arguments that have none", () => {
    const code = (name: string) => `function run(uint256 a, uint256 b) external { ${name}(a, b); }`;
    const library = "contract Other { } library Math { function min(uint256 a, uint256 b) internal pure {} }";
    const inContract = (name: string) => changesIn(`${code(name)} } ${library} contract Last {`);
    expect(inContract("note")).to.include("arguments swapped: note(a, b) => note(b, a);");
    expect(inContract("Math.min")).to.deep.equal(["line dropped: Math.min(a, b) => "]);
  });

  it("drop a modifier from one function, with all that it does before and after", () => {
    const { all, sourcesWith } = mutantsIn("function run() external once {} function walk() external once {}");
    const dropped = all.filter(({ operator }) => operator === "modifier dropped");
    expect(dropped.map(({ place, before }) => [place, before])).to.deep.equal([
      [`${FILE} run`, "once"],
      [`${FILE} walk`, "once"],
    ]);
    const source = sourcesWith(new Set([dropped[0].id])).get(FILE);
    const [on, name] = [`!mutantOn(${dropped[0].id})`, `unless${dropped[0].id}`];
    expect(source).to.contain(`function run() external ${name} {} function walk() external once {}`);
    expect(source).to.contain(`modifier ${name}() { if (${on}) { require(sum == 0); } _; if (${on}) { sum = 1; } }`);
  });

  it("leave out what the compiler refuses", () => {
    // One more would be beyond the largest integer.
    const largest = 2n ** 256n - 1n;
    expect(changesIn(`function run(uint256 a) external pure returns (bool) { return a != ${largest}; }`)).to.deep.equal(
      [`returned value: a != ${largest} => !(a != ${largest})`, `bound: a != ${largest} => a == ${largest}`],
    );
  });

  it("are in the sources with a switch, beside the original code", () => {
    const { all, sourcesWith } = mutantsIn("function run(uint256 a) external pure { if (a < 5) revert(); }");
    const bound = all.find(({ after }) => after === "a <= 5")!;
    const sources = sourcesWith(new Set([bound.id]));
    expect(sources.get(FILE)).to.contain(
      `(mutantOn(${bound.id}) ? (/*<${bound.id}*/ a <= 5 /*${bound.id}>*/) : (a < 5))`,
    );
    expect(sources.get("contracts/MutantSwitch.sol")).to.contain("coinbase()");
    expect(sourcesWith(new Set()).get(FILE)).to.not.contain("mutantOn");
  });

  it("have the same keys after a change elsewhere, and numbers for the same change in one function", () => {
    const run = "function run(uint256 a) external { sum = a + 1; sum = a + 1; }";
    const keysOfRun = (functions: string) =>
      mutantsIn(functions)
        .all.filter(({ place }) => place === `${FILE} run`)
        .map(({ key }) => key);
    const keys = keysOfRun(run);
    expect(keys).to.include(`${FILE} run: a + 1 => a - 1`).and.include(`${FILE} run: a + 1 => a - 1 #2`);
    expect(keysOfRun(`function before(uint256 a) external { sum = a - 1; } ${run}`)).to.deep.equal(keys);
  });

  it("are built with at most eight in each function", () => {
    const mutants = (place: string, count: number) => Array.from({ length: count }, () => ({ place }) as Mutant);
    const builds = buildsOf([...mutants("one", 20), ...mutants("other", 3)]);
    expect(builds.map(({ length }) => length)).to.deep.equal([11, 8, 4]);
    const inTurn = spread([...mutants("one", 3), ...mutants("other", 2)]).map(({ place }) => place);
    expect(inTurn).to.deep.equal(["one", "other", "one", "other", "one"]);
  });
});
