import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { PATIENCE } from "../../support/patience.js";

/** Names under which systems install the browser. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Folder into which packages write files for themselves. */
const CACHE = resolve("node_modules", ".cache");

interface Program {
  path: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts Chromium; undefined if it is not installed. @throws Error if an installed Chromium does not start. */
export async function startChromium(): Promise<Browser | undefined> {
  const program = findChromium();
  if (!program) return undefined;
  // Tests that run as root, as in containers, have no sandbox. Only the page under test is opened.
  const args = ["--no-sandbox"];
  const env = { ...process.env, ...program.env };
  return chromium.launch({ executablePath: program.path, args, env, timeout: PATIENCE });
}

/** Finds the browser that DUELLO_CHROMIUM names, one of the system, or the one from a package. */
function findChromium(): Program | undefined {
  const path = process.env.DUELLO_CHROMIUM ?? installed();
  return path === undefined ? packaged() : { path };
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the browser of the package once, with the fonts that it needs to draw text. */
function packaged(): Program | undefined {
  const root = folderOf("@sparticuz/chromium");
  if (root === undefined) return undefined;
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) unpackInto(folder, root);
  const path = join(folder, "chromium");
  const env = { FONTCONFIG_PATH: folder };
  const missing = execFileSync("ldd", [path], { encoding: "utf8" }).includes("not found");
  return { path, env: missing ? { ...env, LD_LIBRARY_PATH: join(folder, "al2023", "lib") } : env };
}

/** Makes the package unpack into this folder instead of the shared temporary folder. */
function unpackInto(folder: string, root: string): void {
  const partial = `${folder}.${randomUUID()}`;
  mkdirSync(partial, { recursive: true });
  // Libraries that a bare system lacks are unpacked automatically only on the package's target platform.
  const unpack = `
    const { default: chromium, inflate } = await import("@sparticuz/chromium");
    await chromium.executablePath();
    await inflate(${JSON.stringify(join(root, "bin", "al2023.tar.br"))});`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", unpack], {
    env: { ...process.env, TMPDIR: partial },
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(
    join(partial, "fonts.conf"),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
  <config></config>
</fontconfig>
`,
  );
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another run may have unpacked the browser meanwhile.
    if (!existsSync(folder)) throw error;
    rmSync(partial, { recursive: true });
  }
}

/** Returns the folder of an installed package; undefined if it isn't installed. */
function folderOf(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}
