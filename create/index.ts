#!/usr/bin/env node
// `npm create duello-game NAME`: copies the template of a game into a new folder.
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HELP = `Usage: npm create duello-game NAME

Start a game of your own for Duello in the new folder NAME: a contract, its TypeScript module, tests and a web page.

Options:
  -h, --help  display this help`;

/** Names of folders that npm also accepts as names of packages. */
const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/;
/** Packages that are released together with this one. */
const RELEASED = ["duello", "duello-contracts"];

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

try {
  const options = { help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) console.log(HELP);
  else create(positionals);
} catch (error) {
  console.error((error as Error).message.replaceAll("\n", " "));
  process.exitCode = 1;
}

/** Copies the template. @throws Error unless there is one name, which is free. */
function create(names: readonly string[]): void {
  const [name] = names;
  if (names.length !== 1) throw new Error(`Name one new folder, not ${names.length}: npm create duello-game my-game`);
  if (!NAME.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not 1 to 100 small letters, digits and hyphens, the first no hyphen.`);
  }
  if (!isFree(name)) throw new Error(`${name} exists, and is not an empty folder.`);
  cpSync(fileURLToPath(new URL("template", import.meta.url)), name, { recursive: true });
  // npm includes no file with this name in a package.
  renameSync(join(name, "gitignore"), join(name, ".gitignore"));
  const { version } = read(new URL("package.json", import.meta.url));
  const manifest = read(join(name, "package.json"));
  for (const each of RELEASED) manifest.dependencies[each] = version;
  writeFileSync(join(name, "package.json"), `${JSON.stringify({ ...manifest, name }, undefined, 2)}\n`);
  console.log(`Your game is in ${name}. Next:\n  cd ${name} && npm install\n  npm test && npm start`);
}

/** Returns whether a path is an empty folder, or does not exist. */
function isFree(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function read(file: string | URL): Manifest {
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}
