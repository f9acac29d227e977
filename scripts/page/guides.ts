import { anchorsOf, isSnippet, readDocuments, type Block, type Document } from "../document.js";

/** Snippets of the guides that the playground of the page does not run, and why. */
export const NOT_IN_PLAYGROUND: Readonly<Record<string, string>> = {
  "docs/integrating/from-a-contract.md": "it deploys a contract that its reader compiles",
  "docs/integrating/viem-and-wagmi.md": "it needs viem, which would be as large as everything else in the playground",
};

/** A snippet of the guides that the playground runs. */
export interface PlaygroundSnippet {
  /** Name in addresses: the heading above the snippet. */
  name: string;
  /** Title of its page, and the heading above it. */
  page: string;
  heading: string;
  /** File of its page. */
  file: string;
  block: Block;
  /** What the page says that it prints; empty if the page does not. */
  output: string;
}

/** Lists the snippets that the playground runs, in the order of the pages. */
export function playgroundSnippets(): PlaygroundSnippet[] {
  return readDocuments()
    .filter(({ file }) => !(file in NOT_IN_PLAYGROUND))
    .flatMap(snippetsOf);
}

function snippetsOf({ file, text, blocks }: Document): PlaygroundSnippet[] {
  const [, page] = /^# (.+)$/m.exec(text)!;
  return blocks.flatMap((block, i) => {
    if (!isSnippet(block)) return [];
    const above = text.split("\n").slice(0, lineOf(block));
    const heading = above.findLast((line) => /^#+ /.test(line))!;
    const [name] = anchorsOf({ prose: heading });
    const next = blocks.at(i + 1);
    const output = next?.language === "text" ? next.text : "";
    return [{ name, page, heading: heading.replace(/^#+ /, ""), file, block, output }];
  });
}

function lineOf({ at }: Block): number {
  return Number(at.split(":")[1]);
}

const IMPORTS = /^import [^;]+;\n/gm;
const DEPLOYMENT = /^import (\w+) from "duello-contracts\/deployments\/31337\.json" with \{ type: "json" \};\n/m;

/**
 * Writes a module with a snippet as a function. Its parameters replace the console, the provider of ethers, and the file
 * of the deployment.
 */
export function moduleOf({ block }: PlaygroundSnippet): string {
  const [line = "", deployment = "_deployment"] = DEPLOYMENT.exec(block.text) ?? [];
  const text = block.text.replace(line, "");
  const imports = text.match(IMPORTS) ?? [];
  return `${imports.join("")}
export async function run({ console, JsonRpcProvider, deployment: ${deployment} }) {
${text.replace(IMPORTS, "")}}
`;
}
