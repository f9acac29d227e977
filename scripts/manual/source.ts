import { globSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { pagesOf, type Part } from "./sidebar.js";

/** Entry of the sidebar, in the form of VitePress. */
export interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

/** What the configuration of the site reads. */
export interface SiteFacts {
  /** Path of the site on its host, with a slash at both ends. */
  base: string;
  version: string;
  /** Sites of other versions. */
  others: { text: string; link: string }[];
  sidebar: SidebarItem[];
}

/** Links of a page, up to an anchor; those to other hosts do not match. */
const LINK = /\]\((?![a-z]+:|#)([^)\s#]+)/g;
const FENCED = /^```.*?^```$/gms;
const PICTURE = /\.(?:gif|png|svg)$/;

/**
 * Writes the pages of the manual into a folder, with the same paths as in the project, so that their links work
 * unchanged. A file of code that a page links to becomes a page that shows the file. `README.md` becomes `index.md`.
 * @returns the files that were read.
 * @throws Error if a page of `docs/` is missing in the parts.
 */
export async function writeSource(folder: string, parts: readonly Part[]): Promise<string[]> {
  const pages = pagesOf(parts);
  const missing = globSync("docs/**/*.md").find((file) => !pages.includes(file));
  if (missing !== undefined) throw new Error(`${missing} is not in the sidebar: add it to scripts/manual/sidebar.ts.`);
  const linked = new Set<string>();
  for (const page of pages) {
    const text = await readFile(page, "utf8");
    for (const [, link] of text.replace(FENCED, "").matchAll(LINK)) linked.add(join(dirname(page), link));
    await write(folder, indexed(page), text.replace(/(\]\((?![a-z]+:)[^)\s#]*)README\.md(?=[)#])/g, "$1index.md"));
  }
  const files = [...linked].filter(
    (file) => !file.endsWith(".md") && statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
  for (const file of files) {
    if (PICTURE.test(file)) await cp(file, join(folder, file));
    else await write(folder, `${file}.md`, shown(file, await readFile(file, "utf8")));
  }
  return [...pages, ...files];
}

/** Lists the entries of the sidebar. Each page has its heading as text. */
export async function sidebarOf(parts: readonly Part[]): Promise<SidebarItem[]> {
  return Promise.all(
    parts.map(async ({ title, pages, parts: inner = [] }) => {
      const entries = await Promise.all(
        pages.map(async (page) => ({ text: await headingOf(page), link: linkTo(page) })),
      );
      return { text: title, collapsed: title !== "Start", items: [...entries, ...(await sidebarOf(inner))] };
    }),
  );
}

/** Returns the heading of a page as HTML. */
async function headingOf(page: string): Promise<string> {
  const heading = /^# (.+)$/m.exec(await readFile(page, "utf8"))?.[1];
  if (heading === undefined) throw new Error(`${page} has no heading.`);
  return heading.replaceAll("`", "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Returns the link to a page within the site. */
export function linkTo(page: string): string {
  return `/${indexed(page).replace(/(?:(?<=^|\/)index)?\.md$/, "")}`;
}

function indexed(page: string): string {
  return page.replace(/(?<=^|\/)README\.md$/, "index.md");
}

/** Writes the page that shows a file. */
function shown(file: string, text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/^`+/gm)].map(([ticks]) => ticks.length + 1)));
  const language = { ".sol": "solidity", ".ts": "ts" }[extname(file)] ?? "text";
  return `# \`${file}\`\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}
