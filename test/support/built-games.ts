import { join } from "node:path";
import { build } from "esbuild";

/** Path of the games of `own-games.ts` as JavaScript. Each command that loads TypeScript compiles the whole SDK for it. */
export const BUILT_GAMES = join("cache", "bundled", "own-games.js");

/** Writes that file. */
export async function buildGames(): Promise<void> {
  await build({
    entryPoints: ["test/support/own-games.ts"],
    outfile: BUILT_GAMES,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    keepNames: true,
  });
}
