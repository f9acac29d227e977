import { expect } from "chai";
import { existsSync, readFileSync } from "node:fs";
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

describe("Imports", () => {
  for (const { name } of games) {
    it(`of a game do not need the list of games, so that it can be imported by itself: ${name}`, () => {
      const file = join("sdk", "games", name, "index.ts");
      expect(wayTo(file, LIST)).to.deep.equal([LIST, file]);
      expect(wayTo(LIST, file)).to.equal(undefined);
    });
  }
});
