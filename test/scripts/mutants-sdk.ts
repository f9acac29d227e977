import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "chai";
import { instrumented } from "../../scripts/mutants/sdk/instrumented.js";
import { trySdk } from "../../scripts/mutants/sdk.js";

const CODE = `/** Returns whether a hand is full. */
export function isFull(cards: number): boolean {
  return cards >= 5;
}

/** Counts down to zero. */
export function countDown(from: number): number {
  let steps = 0;
  while (from > 0) {
    from -= 1;
    steps += 1;
  }
  return steps;
}
`;
const WEAK = `
  it("is full with six cards", () => expect(isFull(6)).to.equal(true));
  it("is not full with four cards", () => expect(isFull(4)).to.equal(false));
  it("counts down", () => expect(countDown(3)).to.equal(3));`;
const STRONG = `${WEAK}
  it("is full with five cards", () => expect(isFull(5)).to.equal(true));`;
/** Tests with other results if they run again, or alone. */
const REPEATED = `
  it("needs a block", () => networkHelpers.mine());
  async function cards() { return (await ethers.provider.getBlockNumber()) === 0 ? 6 : 5; }
  it("is full with five cards after a block", async () => expect(isFull(await loadFixture(cards))).to.equal(true));
  let steps: number;
  it("is counted once", () => expect((steps ??= countDown(3))).to.equal(3));`;

describe("Mutants of the SDK", () => {
  let folder: string;

  beforeEach(() => {
    mkdirSync("cache", { recursive: true });
    folder = relative(process.cwd(), mkdtempSync("cache/mutants-"));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Tries mutants with tests. @returns the killers by the mutants, as changes of code. */
  async function tried(tests: string, { killer, changes }: { killer?: string; changes?: readonly string[] } = {}) {
    const [file, test] = ["hand.ts", "hand-tests.ts"].map((name) => join(folder, name));
    writeFileSync(file, CODE);
    writeFileSync(
      test,
      `import { expect } from "chai";
import { ethers, loadFixture, networkHelpers } from "../../test/support/index.js";
import { countDown, isFull } from "./hand.js";
describe("A hand", () => {${tests}
});
`,
    );
    const mutants = await instrumented([file]);
    const changeOf = ({ before, after }: { before: string; after: string }) => `${before} => ${after}`;
    const chosen = mutants.all.filter((mutant) => changes?.includes(changeOf(mutant)) ?? true);
    const killers = new Map<string, string | undefined>();
    await trySdk(mutants, chosen, {
      tests: [test],
      ...(killer !== undefined && { killerOf: () => killer }),
      onVerdict: (mutant, verdict) => killers.set(changeOf(mutant), verdict.killer),
      tell: () => undefined,
    });
    return killers;
  }

  it("survive tests that do not try the limit, and no others", async () => {
    const weak = await tried(WEAK);
    expect([...weak].filter(([, killer]) => killer === undefined).map(([change]) => change)).to.deep.equal([
      "cards >= 5 => cards > 5",
    ]);
    const strong = await tried(STRONG);
    expect(strong.get("cards >= 5 => cards > 5")).to.equal("A hand is full with five cards");
    expect([...strong.values()]).not.to.include(undefined);
  });

  it("have the same killers whatever earlier runs of the tests have left on a chain or in a variable", async () => {
    const [bound, steps] = ["cards >= 5 => cards > 5", "steps += 1 => steps -= 1"];
    const killers = await tried(REPEATED, { changes: [bound, steps] });
    expect(Object.fromEntries(killers)).to.deep.equal({ [bound]: undefined, [steps]: "A hand is counted once" });
  });

  it("are killed by an endless loop, whose process is replaced", async () => {
    const killers = await tried(STRONG);
    expect(killers.get("from -= 1 => from += 1")).to.equal("A hand counts down");
    expect(killers.get("steps += 1 => steps -= 1")).to.equal("A hand counts down");
  });

  it("are found to survive once their recorded killer no longer kills them", async () => {
    const killer = "A hand is full with six cards";
    const killers = await tried(WEAK, { killer });
    expect(killers.get("cards >= 5 => cards < 5")).to.equal(killer);
    expect(killers.has("cards >= 5 => cards > 5")).to.equal(true);
    expect(killers.get("cards >= 5 => cards > 5")).to.equal(undefined);
  });

  it("keep their names while other lines change", async () => {
    const file = join(folder, "hand.ts");
    const keysOf = async (code: string) => {
      writeFileSync(file, code);
      return (await instrumented([file])).all.map(({ key }) => key);
    };
    const keys = await keysOf(CODE);
    expect(new Set(keys).size).to.equal(keys.length);
    const moved = await keysOf(`export const HAND = 5;\n\n${CODE.replace("steps = 0", "steps = 1 - 1")}`);
    expect(moved).to.include.members(keys);
  });
});
