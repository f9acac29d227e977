import { expect } from "chai";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { games } from "../../sdk/games/index.js";

const LIST = join("sdk", "games", "index.ts");

/** Files whose values a file imports or exports. */
function importsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )([^;]*?) from "(\.[^"]+)\.js";/gm,
  );
  const withValues = [...statements].filter(([, names]) => !/^\{(\s*type [^,}]+,?)+\s*\}$/.test(names));
  return withValues.map(([, , path]) => relative(".", join(dirname(file), `${path}.ts`))).filter(existsSync);
}

/** How an import leads from one file to another, if one does. */
function wayTo(target: string, from: string, seen = new Set([from])): string[] | undefined {
  for (const file of importsOf(from)) {
    if (file === target) return [from, file];
    if (seen.has(file)) continue;
    const way = wayTo(target, file, seen.add(file));
    if (way) return [from, ...way];
  }
  return undefined;
}

/** Every file that leads back to itself by imports, types counted, and the next one on that way. */
function cycles(files: readonly string[]): string[] {
  const imports = new Map(files.map((file) => [file, namesIn(file).filter((each) => files.includes(each))]));
  const leads = (from: string, to: string, seen = new Set<string>()): boolean =>
    imports.get(from)!.some((file) => file === to || (!seen.has(file) && leads(file, to, seen.add(file))));
  return files.flatMap((file) =>
    imports
      .get(file)!
      .filter((next) => leads(next, file))
      .map((next) => `${file}: ${next}`),
  );
}

/** Files that a file imports anything from. */
function namesIn(file: string): string[] {
  const paths = readFileSync(file, "utf8").matchAll(/ from "(\.[^"]+)\.js"/g);
  return Array.from(paths, ([, path]) => relative(".", join(dirname(file), `${path}.ts`)));
}

describe("Imports", () => {
  it("make no cycle in the whole project, those of types counted", () => {
    expect(cycles(globSync(["sdk", "cli", "scripts", "test"].map((folder) => `${folder}/**/*.ts`)))).to.deep.equal([]);
  });

  for (const { name } of games) {
    it(`of a game do not need the list of games, so that it can be imported by itself: ${name}`, () => {
      const file = join("sdk", "games", name, "index.ts");
      expect(wayTo(file, LIST)).to.deep.equal([LIST, file]);
      expect(wayTo(LIST, file)).to.equal(undefined);
    });
  }
});
