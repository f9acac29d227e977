import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** What `npm run` runs, by name. */
export const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Which kinds of fenced blocks a document may hold; whoever runs commands would miss any other. */
export const LANGUAGES = ["sh", "ts", "text", "json", "solidity", "mermaid"];

/** A fenced block: commands to type, TypeScript, what the block before prints, or something to look at. */
export interface Block {
  /** Where it stands, e.g. `README.md:12`. */
  at: string;
  language: string;
  /** The file of the project of which it is a piece, if it is one. */
  file?: string;
  text: string;
}

/** One command of a block of them. */
export interface DocumentedCommand {
  at: string;
  command: string;
  /** The exit code that the document says; 0 if it says none. */
  code: number;
}

/** A page of the project. */
export interface Document {
  file: string;
  text: string;
  blocks: Block[];
  /** The text without its fenced blocks. */
  prose: string;
}

const FENCE = /^```(\S*) ?([^\n]*)\n(.*?)^```$/gms;

/** All pages that tell people what to do. */
export function readDocuments(): Document[] {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const docs = pages.filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
  return ["README.md", "CONTRIBUTING.md", ...docs.sort()].map(readDocument);
}

/** One page, by its path in the project. */
export function readDocument(file: string): Document {
  const text = readFileSync(join(ROOT, file), "utf8");
  const blocks = [...text.matchAll(FENCE)].map(({ index, 1: language, 2: of, 3: inside }) => {
    const at = `${file}:${text.slice(0, index).split("\n").length}`;
    return { at, language, file: of === "" ? undefined : of, text: inside };
  });
  return { file, text, blocks, prose: text.replace(FENCE, "") };
}

/** The commands of a block. One that goes on in further lines has them indented. */
export function commandsOf({ at, text }: Block): DocumentedCommand[] {
  const lines = text.replace(/\\\n\s*/g, "").split(/\n(?! )/);
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [command, comment = ""] = line.split(/\s+# /);
      return { at, command: command.trim(), code: Number(/\bexits with (\d+)/.exec(comment)?.[1] ?? 0) };
    });
}

/** The commands of all pages. */
export function allCommands(documents: readonly Document[]): DocumentedCommand[] {
  return documents.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "sh").flatMap(commandsOf));
}

/** Where the links to other pages and places of a page lead: files of the project, with the heading if one is named. */
export function linksIn({ file, prose }: Document): { target: string; anchor?: string }[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor] = link.split("#");
      return { target: path === "" ? file : join(dirname(file), path), anchor };
    });
}

/** Blocks of TypeScript that run by themselves. */
export function isSnippet({ language, file }: Block): boolean {
  return language === "ts" && file === undefined;
}

/** Matches a text in which `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.split("…").map(literal).join(".*");
}

function literal(text: string): string {
  return text.replace(/[\^$.*+?()[\]{}|\\]/g, "\\$&");
}

/** The names by which links reach the headings of a page. */
export function anchorsOf({ prose }: Document): string[] {
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
}

/** What stands in `code` style within sentences and tables. */
export function inlineCode({ prose }: Document): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
}
