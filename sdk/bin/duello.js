#!/usr/bin/env node
// Runs the command line: in a checkout as its sources are now, in a package as it was built.
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
