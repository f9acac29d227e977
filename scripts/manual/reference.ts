import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commandPages } from "./commands-reference.js";
import { ContractsReference, type ReferencePage } from "./contracts-reference.js";
import { indexPage } from "./index-reference.js";
import { requestsPage } from "./requests-reference.js";
import { sdkPages, writeSdkReference } from "./sdk-reference.js";
import type { Part } from "./sidebar.js";

/** Folder of the generated pages in the manual. */
const FOLDER = "reference";

/**
 * Writes the reference into a folder: commands, SDK, contracts, requests of servers, and tables of an index, made from
 * their sources.
 * @returns the part of the manual with its pages
 * @throws Error for anything without a description
 */
export async function writeReference(root: string): Promise<Part> {
  const contractPages = new ContractsReference().pages();
  await writeSdkReference(join(root, FOLDER, "sdk"));
  const write = async (folder: string, pages: readonly ReferencePage[]) =>
    Promise.all(
      pages.map(async ({ name, markdown }) => {
        const page = join(FOLDER, folder, name);
        await mkdir(dirname(join(root, page)), { recursive: true });
        await writeFile(join(root, page), markdown);
        return page;
      }),
    );
  const overview = { name: "index.md", markdown: OVERVIEW };
  return {
    title: "Reference",
    pages: await write("", [overview, ...commandPages(), requestsPage(), indexPage()]),
    parts: [
      { title: "SDK", pages: ["index", ...sdkPages().map(({ path }) => path)].map((path) => sdkPage(path)) },
      { title: "Contracts", pages: await write("contracts", contractPages) },
    ],
  };
}

const sdkPage = (path: string) => join(FOLDER, "sdk", `${path}.md`);

const OVERVIEW = `# Reference

After this page you can find every command, function, contract, error, request and table by its name.

These pages are made from the sources of this version:

- [commands of \`play\`](play.md) and [programs](programs.md), from their own help;
- the [SDK](sdk/index.md), from its docstrings: signature, errors, and an example that the tests compile and run;
- the contracts, from their documentation: functions with the errors that they revert with, events, errors with the
  sentences that programs show for them. Begin with [Arena](contracts/Arena.md) and [Channels](contracts/Channels.md);
- the [requests](requests.md) of a relay, of an index and of the API for bots;
- the [tables of an index](tables.md), which GraphQL queries.
`;
