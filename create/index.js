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
const PACKAGES = ["duello", "duello-contracts"];

const read = (file) => JSON.parse(readFileSync(file, "utf8"));

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) console.log(HELP);
  else create(positionals);
} catch (error) {
  console.error(error.message.replaceAll("\n", " "));
  process.exitCode = 1;
}

/** Copies the template. @throws Error unless there is one name, which is free. */
function create(names) {
  const [name] = names;
  if (names.length !== 1) throw new Error(`Name one new folder, not ${names.length}: npm create duello-game my-game`);
  if (!NAME.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not 1 to 100 small letters, digits and hyphens, the first no hyphen.`);
  }
  if (!isFree(name)) throw new Error(`${name} exists, and is not an empty folder.`);
  cpSync(fileURLToPath(new URL("template", import.meta.url)), name, { recursive: true });
  // npm includes no file with this name in a package.
  renameSync(join(name, "gitignore"), join(name, ".gitignore"));
  const manifest = read(join(name, "package.json"));
  const { version } = read(new URL("package.json", import.meta.url));
  // The packages are released together.
  for (const each of PACKAGES) manifest.dependencies[each] = version;
  writeFileSync(join(name, "package.json"), `${JSON.stringify({ ...manifest, name }, undefined, 2)}\n`);
  console.log(`Your game is in ${name}. Next:\n  cd ${name} && npm install\n  npm test && npm start`);
}

/** Returns whether a path is an empty folder, or does not exist. */
function isFree(path) {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    return error.code === "ENOENT";
  }
}
