import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type BuildOptions, type OutputFile, type Plugin } from "esbuild";

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

/** Packages that commands need at their start: to load them file by file takes as long as all else. */
const LOADED = /^(@adraffy|@noble|aes-js|ethers)(\/|$)/;

/** Puts those packages into the bundle, and no others. */
const withPackages: Plugin = {
  name: "with-packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === "entry-point" || LOADED.test(path) ? undefined : { external: true },
    );
  },
};

async function bundle(files: readonly string[], options: BuildOptions): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: globSync(files),
    outbase: ".",
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    keepNames: true,
    ...options,
    write: false,
  });
  return outputFiles;
}

const outputFiles = await Promise.all([
  bundle(["cli/*/main.ts"], { plugins: [placed, withPackages] }),
  // Hardhat brings those packages with it.
  bundle(["indexer/main.ts", "scripts/{bench,deploy,page,soak,start}.ts"], { plugins: [placed], packages: "external" }),
]);

for (const { path, contents } of outputFiles.flat()) {
  mkdirSync(dirname(path), { recursive: true });
  // Other test runs read and write the same: nobody may see half of it.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/**
 * What to run for one of the scripts, with Node: all its modules in one file, as they are now. To load them one by one, and
 * compile each, takes four times longer than most commands.
 */
export function bundled(script: string): string {
  return join(FOLDER, script.replace(/\.ts$/, ".js"));
}
