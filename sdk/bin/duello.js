#!/usr/bin/env node
// Runs the command line: from the current sources in a checkout, from the build in a package.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROGRAM = "cli/duello/main.ts";
const root = new URL("../../", import.meta.url);

if (existsSync(new URL(PROGRAM, root))) {
  execFileSync("sh", ["scripts/bundle.sh", PROGRAM], { cwd: fileURLToPath(root), stdio: "inherit" });
  await import(new URL(`cache/programs/${PROGRAM}.mjs`, root).href);
} else {
  await import("./cli.js");
}
