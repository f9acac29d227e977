import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type BuildOptions, type OutputFile, type Plugin } from "esbuild";

const FOLDER = join("cache", "bundled");

/** Makes a module look for neighbouring files in its original folder. */
const placed: Plugin = {
  name: "placed",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](cli|indexer|scripts)[/\\].*\.ts$/ }, async ({ path }) => {
      const place = JSON.stringify(pathToFileURL(path).href);
      return { contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", place), loader: "ts" };
    });
  },
};

/** Packages that commands load at start. Loading them file by file takes as long as everything else. */
const LOADED = /^(@adraffy|@noble|aes-js|ethers)(\/|$)/;

/** Bundles the packages that match `LOADED`, and treats all other packages as external. */
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
  // These scripts load Hardhat, which loads the same packages.
  bundle(["indexer/main.ts", "scripts/{bench,deploy,docs,load,page,soak,start}.ts"], {
    plugins: [placed],
    packages: "external",
  }),
]);

for (const { path, contents } of outputFiles.flat()) {
  mkdirSync(dirname(path), { recursive: true });
  // Other test runs read and write the same files, and must never see a partly written file.
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/**
 * Returns the file to run for a script, which contains all its current modules. Loading and compiling them one by one
 * takes four times longer than most commands.
 */
export function bundled(script: string): string {
  return join(FOLDER, script.replace(/\.ts$/, ".js"));
}
