import { randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { cp, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withPolicy } from "../page/policy.js";
import { manualPolicy } from "./policy.js";
import { runQuietly, type Running } from "./run.js";
import { PARTS, type Part } from "./sidebar.js";
import { sidebarOf, writeSource, type SiteFacts } from "./source.js";

/** Folder of the built manual. */
export const MANUAL = join("manual", "dist");

/** Folder of a manual that was built with options; `npm start` serves the one without. */
export const HOSTED_MANUAL = join("manual", "dist-hosted");

/** File with the pages of the last build. Its modification time is the time of that build. */
const STAMP = join("cache", "manual-built");

/** Sources of the manual besides its pages, and settings of its build. */
const SOURCES = [
  "cli/**",
  "contracts/**",
  "docs/**",
  "sdk/**/*.ts",
  "manual/.vitepress/{*,theme/*}",
  "manual/package-lock.json",
  "package.json",
  "page/public/icon.svg",
  "scripts/manual/*",
];

/** Options of a build. */
export interface ManualOptions extends Running, Partial<Pick<SiteFacts, "base" | "others">> {
  /** Pages of the manual; defaults to all. */
  parts?: readonly Part[];
  /** False to leave out the reference, whose pages take most of the build; defaults to true. */
  hasReference?: boolean;
}

/** Builds the manual into a folder. @throws Error with the message of the tool. */
export async function buildManual(folder = MANUAL, options: ManualOptions = {}): Promise<void> {
  const { base = "/", others = [], parts = PARTS, hasReference = true, ...running } = options;
  const started = new Date();
  // Other programs may build or read the same folder, so it appears complete or not at all.
  const root = resolve("cache", `manual.${randomUUID()}`);
  try {
    await cp("manual/.vitepress", join(root, ".vitepress"), { recursive: true });
    await cp("manual/package.json", join(root, "package.json"));
    await symlink(resolve("manual", "node_modules"), join(root, "node_modules"), "junction");
    await cp("page/public/icon.svg", join(root, "public", "icon.svg"));
    const pages = await writeSource(root, parts);
    const all = hasReference ? [...parts, await referenceIn(root, running)] : parts;
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const facts: SiteFacts = { base, others, version, sidebar: await sidebarOf(root, all) };
    await writeFile(join(root, ".vitepress", "facts.json"), JSON.stringify(facts));
    await runVitePress(root, running);
    const built = join(root, ".vitepress", "dist");
    await putPolicy(built);
    await rm(folder, { recursive: true, force: true });
    await rename(built, folder).catch((error: unknown) => {
      // Another program may have built the folder first.
      if (!existsSync(folder)) throw error;
    });
    if (folder !== MANUAL) return;
    await writeFile(STAMP, pages.join("\n"));
    await utimes(STAMP, started, started);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns whether the manual is newer than its sources. */
export function isManualBuilt(): boolean {
  const built = existsSync(MANUAL) ? (statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
  if (built === 0) return false;
  const pages = readFileSync(STAMP, "utf8").split("\n");
  // Adding or removing a file changes its folder's time.
  return [...globSync(SOURCES), ...pages].every(
    (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= built,
  );
}

/** Builds the manual unless it is newer than its sources. */
export async function buildManualIfChanged(): Promise<void> {
  if (!isManualBuilt()) await buildManual();
}

/** Installs the packages of the manual if they are missing, and builds the manual, while other programs have priority. */
export async function buildManualInBackground(signal: AbortSignal): Promise<void> {
  const running = { signal, isBackground: true };
  const { code, output } = await runQuietly("sh", [join("scripts", "manual", "setup.sh")], running);
  if (code !== 0) throw new Error(`The packages of the manual cannot be installed: ${output.trim()}`);
  await buildManual(MANUAL, running);
}

/**
 * Writes the reference into a folder. A process of its own does that, since compilers would keep this one busy, and since
 * a bundled program is not where its sources are.
 */
export async function referenceIn(root: string, running: Running = {}): Promise<Part> {
  const script = join("scripts", "manual", "write-reference.ts");
  const { code, output } = await runQuietly(process.execPath, ["--import", "tsx", script, root], running);
  if (code !== 0) throw new Error(`The reference cannot be written: ${output.trim()}`);
  return JSON.parse(await readFile(join(root, "reference.json"), "utf8")) as Part;
}

/** Runs VitePress in a folder. */
async function runVitePress(root: string, options: Running): Promise<void> {
  const program = resolve("manual", "node_modules", "vitepress", "bin", "vitepress.js");
  const env = { ...process.env, NODE_ENV: "production", NO_COLOR: "1" };
  const { code, output } = await runQuietly(process.execPath, [program, "build"], { ...options, cwd: root, env });
  if (code === 0) return;
  const lines = output.split("\n");
  const reasons = lines.filter((line) => /dead link .* in file|^\w*Error: /.test(line));
  throw new Error(`The manual cannot be built: ${reasons.length > 0 ? reasons.join("; ") : lines.join(" ").trim()}`);
}

/** Style of a menu that is closed when a page is loaded. VitePress sets it again as it opens the menu. */
const CLOSED_MENU = ' style="--vp-vh:0px;"';

/** Writes the policy into every page, for hosts that send no headers. */
async function putPolicy(folder: string): Promise<void> {
  const files = globSync("**/*.html", { cwd: folder }).map((name) => join(folder, name));
  const pages = await Promise.all(
    files.map(async (file) => (await readFile(file, "utf8")).replaceAll(CLOSED_MENU, "")),
  );
  const policy = manualPolicy(pages);
  await Promise.all(files.map((file, i) => writeFile(file, withPolicy(pages[i], policy))));
}
