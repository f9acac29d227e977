import { join } from "node:path";
import { build } from "esbuild";

/**
 * Path of the games of `own-games.ts` as JavaScript. From TypeScript, each command that loads them would compile the
 * whole SDK.
 */
export const BUILT_GAMES = join("cache", "bundled", "own-games.js");

/** Compiles the games into `BUILT_GAMES`. */
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
