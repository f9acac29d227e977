import { globSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const FOLDER = join("cache", "bundled");

/** Has a module look for the files beside it where it was written. */
const placed: Plugin = {
  name: "placed",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](cli|indexer|scripts)[/\\].*\.ts$/ }, async ({ path }) => {
      const place = JSON.stringify(pathToFileURL(path).href);
      return { contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", place), loader: "ts" };
    });
  },
};

const { outputFiles } = await build({
  entryPoints: globSync(["cli/*/main.ts", "indexer/main.ts", "scripts/{bench,deploy,page,soak,start}.ts"]),
  outbase: ".",
  outdir: FOLDER,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  keepNames: true,
  plugins: [placed],
  write: false,
});

for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // Other test runs read and write the same: nobody may see half of it.
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * What to run for one of the scripts, with Node: all its modules in one file, as they are now. To load them one by one, and
 * compile each, takes four times longer than most commands.
 */
export function bundled(script: string): string {
  return join(FOLDER, script.replace(/\.ts$/, ".js"));
}
