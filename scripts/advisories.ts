/**
 * `npm run advisories`: reads the answers of `npm audit --json` for both lock files, and fails on an advisory of moderate or higher severity
 * that scripts/advisories/accepted.json does not accept with a reason.
 */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { openAdvisories } from "./advisories/open.js";

const accepted = JSON.parse(readFileSync("scripts/advisories/accepted.json", "utf8")) as Record<string, string>;
const open = openAdvisories(await text(process.stdin), accepted);
for (const line of open) console.error(line);
if (open.length > 0) process.exitCode = 1;
else console.log(`No open advisory; ${Object.keys(accepted).length} accepted.`);
