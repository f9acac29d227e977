import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ownGamesText, type OwnGames } from "./own-games.js";

/** Folder of the built page. */
export const DIST = join("page", "dist");

/** Folder of the page with the games of the user's list; other programs use the folder without them. */
export const OWN_DIST = join("page", "dist-own");

/** File whose modification time is the time of the last build. */
const STAMP = join("cache", "page-built");

const VITE = join("node_modules", "vite", "bin", "vite.js");
const CONFIG = join("page", "vite.config.ts");

/** Sources of the page, and settings of its build. */
const SOURCES = [
  "page/{src,public}/**",
  "page/*.*",
  "sdk/{bots,chain,games,player,protocol,verify}/**",
  "sdk/*.ts",
  "typechain-types/**",
  "scripts/page/*.ts",
  // The playground runs the snippets of the guides.
  "scripts/document.ts",
  "README.md",
  "docs/**/*.md",
  "package-lock.json",
];

/**
 * Builds the page into a folder. The same sources give the same bytes.
 * @param own Games that the page shows after the stock games.
 * @throws Error with the message of the tool.
 */
export async function buildPage(folder = DIST, own?: OwnGames): Promise<void> {
  const started = new Date();
  // Other programs may build or read the same folder, so it appears complete or not at all.
  const partial = join("cache", `page.${randomUUID()}`);
  await mkdir("cache", { recursive: true });
  const list = `${partial}.own-games.js`;
  if (own) await writeFile(list, ownGamesText(own));
  const env = { ...process.env, NODE_ENV: "production", DUELLO_PAGE_GAMES: own && list };
  const args = [VITE, "build", "page", "--config", CONFIG, "--outDir", join("..", partial), "--logLevel", "warn"];
  const complaint = await new Promise<string | undefined>((resolve) => {
    execFile(process.execPath, args, { env }, (error, _, stderr) => resolve(error ? stderr : undefined));
  });
  await rm(list, { force: true });
  if (complaint !== undefined) {
    const text = stripVTControlCharacters(complaint);
    // The guides are built within this build, whose error contains theirs.
    const reason =
      /^(?:\w*Error: (?!Build failed)|(?=\[[A-Z_]+\] ))(.+)$/m.exec(text)?.[1] ?? text.replaceAll("\n", " ");
    throw new Error(`The page cannot be built: ${reason}`);
  }
  await rm(folder, { recursive: true, force: true });
  try {
    await rename(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    // Another program has built the folder first.
    await rm(partial, { recursive: true });
  }
  if (folder !== DIST) return;
  await writeFile(STAMP, "");
  await utimes(STAMP, started, started);
}

/** Builds the page unless it is newer than its sources. */
export async function buildPageIfChanged(): Promise<void> {
  const built = existsSync(DIST) ? (statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
  // Adding or removing a file changes its folder's time.
  if (globSync(SOURCES).some((file) => statSync(file).mtimeMs > built)) await buildPage();
}
