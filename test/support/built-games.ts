import { join } from "node:path";
import { build } from "esbuild";

/**
 * Path of the games of `own-games.ts` as JavaScript: otherwise each command that loads TypeScript would compile the
 * whole SDK.
 */
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
