/** Writes the reference into the folder that is its argument, and its part of the manual beside it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeReference } from "./reference.js";

const [root] = process.argv.slice(2);
await writeFile(join(root, "reference.json"), JSON.stringify(await writeReference(root)));
