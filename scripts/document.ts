import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Scripts of `npm run`, by name. */
export const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Languages that fenced blocks can have. Commands in any other language would not be run. */
export const LANGUAGES = ["sh", "ts", "text", "json", "solidity", "mermaid", "graphql", "sql"];

/** Page whose commands start on an empty chain. All other pages assume a fresh `npm start`. */
export const EMPTY_CHAIN = "docs/own-chain.md";

/** Page that is followed in an empty folder, about the files of a project that it creates. */
export const TUTORIAL = "docs/tutorial.md";

/** Files of the project that the tutorial creates. */
export const TEMPLATE = join("create", "template");

/** Pages for one kind of reader: the first page, and a folder with the other pages. */
export interface Guide {
  first: string;
  folder: string;
}

export const PLAYING: Guide = { first: "docs/players.md", folder: "docs/playing" };

/** The TypeScript of this guide runs outside the project, where the packages are installed. */
export const INTEGRATING: Guide = { first: "docs/integrators.md", folder: "docs/integrating" };

/** A fenced block: commands to type, TypeScript, the output of the block before, or an illustration. */
export interface Block {
  /** File and line of the block, e.g. `README.md:12`. */
  at: string;
  language: string;
  /** File of the project that contains the block. */
  file?: string;
  text: string;
}

/** A single command of a block. */
export interface DocumentedCommand {
  at: string;
  command: string;
  /** Exit code that the document states; 0 if it states none. */
  code: number;
  /** True if the document says that the command runs until it is stopped. */
  stays: boolean;
}

/** A page of the project. */
export interface Document {
  file: string;
  text: string;
  blocks: Block[];
  /** Text without the fenced blocks. */
  prose: string;
}

const FENCE = /^```(\S*) ?([^\n]*)\n(.*?)^```$/gms;

/** Reads all pages for users and contributors. */
export function readDocuments(): Document[] {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  const docs = pages.filter((name) => name.endsWith(".md")).map((name) => join("docs", name));
  return ["README.md", "CONTRIBUTING.md", ...docs.sort()].map(readDocument);
}

/** Reads a page by its path in the project. */
export function readDocument(file: string): Document {
  const text = readFileSync(join(ROOT, file), "utf8");
  const blocks = [...text.matchAll(FENCE)].map(({ index, 1: language, 2: of, 3: inside }) => {
    const at = `${file}:${text.slice(0, index).split("\n").length}`;
    return { at, language, file: of === "" ? undefined : of, text: inside };
  });
  return { file, text, blocks, prose: text.replace(FENCE, "") };
}

/** Returns true if a page belongs to a guide. */
export function isPageOf({ first, folder }: Guide, file: string): boolean {
  return file === first || dirname(file) === folder;
}

/** Reads the pages of a guide, starting with the first page. */
export function readGuide({ first, folder }: Guide): Document[] {
  const names = readdirSync(join(ROOT, folder)).sort();
  return [first, ...names.map((name) => join(folder, name))].map(readDocument);
}

/** Lists the commands of a block. Continuation lines of a command are indented. */
export function commandsOf({ at, text }: Block): DocumentedCommand[] {
  const lines = text.replace(/\\\n\s*/g, "").split(/\n(?! )/);
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [command, comment = ""] = line.split(/\s+# /);
      const code = Number(/\bexits with (\d+)/.exec(comment)?.[1] ?? 0);
      return { at, command: command.trim(), code, stays: comment.includes("runs until it is stopped") };
    });
}

/** Lists the commands of all pages. */
export function allCommands(documents: readonly Document[]): DocumentedCommand[] {
  return documents.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "sh").flatMap(commandsOf));
}

/** Lists the links of a page to other pages and to its own headings: the file, and the heading if one is named. */
export function linksIn({ file, prose }: Document): { target: string; anchor?: string }[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor] = link.split("#");
      return { target: path === "" ? file : join(dirname(file), path), anchor };
    });
}

/** Returns true if a block is standalone TypeScript. */
export function isSnippet({ language, file }: Block): boolean {
  return language === "ts" && file === undefined;
}

/** Builds a pattern from a text in which `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.split("…").map(literal).join(".*");
}

function literal(text: string): string {
  return text.replace(/[\^$.*+?()[\]{}|\\]/g, "\\$&");
}

/** Lists the anchors of a page's headings. */
export function anchorsOf({ prose }: Pick<Document, "prose">): string[] {
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
}

/** Lists the texts in `code` style within sentences and tables. */
export function inlineCode({ prose }: Document): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
}
