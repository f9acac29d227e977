import { writeReference } from "./reference.js";

// Writes the pages of the SDK's reference, in Markdown, into a folder.

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: tsx scripts/docs/sdk-reference.ts FOLDER");
  process.exit(2);
}
await writeReference(folder);
