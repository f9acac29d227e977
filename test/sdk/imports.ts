import { expect } from "chai";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { games } from "../../sdk/games/index.js";

const LIST = join("sdk", "games", "index.ts");

interface Import {
  file: string;
  /** False if only types are imported. */
  hasValues: boolean;
}

/** Returns the files that a file imports. */
type Reader = (file: string) => readonly string[];

/** Reads a file's imports from, and re-exports of, other files of the project. */
function importsIn(file: string): Import[] {
  const statements = readFileSync(file, "utf8").matchAll(/^(?:import|export) (type )?([^;]*?) from "(\.[^"]+)\.js";/gm);
  const imports = Array.from(statements, ([, type, names, path]) => ({
    file: relative(".", join(dirname(file), `${path}.ts`)),
    hasValues: type === undefined && !/^\{(\s*type [^,}]+,?)+\s*\}$/.test(names),
  }));
  return imports.filter((each) => existsSync(each.file));
}

/** Returns the files through which imports lead from one file to another, both included; undefined if none do. */
function wayTo(read: Reader, target: string, from: string, seen = new Set([from])): string[] | undefined {
  for (const file of read(from)) {
    if (file === target) return [from, file];
    if (seen.has(file)) continue;
    const way = wayTo(read, target, file, seen.add(file));
    if (way) return [from, ...way];
  }
  return undefined;
}

/** Returns every import that leads back to its file, including imports of types. */
function cyclesIn(files: readonly string[]): string[] {
  const imports = new Map(files.map((file) => [file, importsIn(file).map((each) => each.file)]));
  const read: Reader = (file) => imports.get(file) ?? [];
  return files.flatMap((file) =>
    read(file)
      .filter((next) => wayTo(read, file, next))
      .map((next) => `${file}: ${next}`),
  );
}

describe("The graph of imports", () => {
  it("forms no cycle in the whole project, including imports of types", () => {
    const files = globSync(["sdk", "cli", "scripts", "test"].map((folder) => `${folder}/**/*.ts`));
    expect(cyclesIn(files)).to.deep.equal([]);
  });

  const values: Reader = (file) => importsIn(file).flatMap((each) => (each.hasValues ? [each.file] : []));
  for (const { name } of games) {
    it(`does not lead from a game to the list of all games: ${name}`, () => {
      const file = join("sdk", "games", name, "index.ts");
      expect(wayTo(values, file, LIST)).to.deep.equal([LIST, file]);
      expect(wayTo(values, LIST, file)).to.equal(undefined);
    });
  }
});
