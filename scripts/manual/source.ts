import { statSync } from "node:fs";
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
const LINK = /(?<=\]\()(?![a-z]+:|#)[^)\s#]+/g;
/** Fenced blocks, as a separator that is kept. */
const FENCED = /^(```.*?^```)$/ms;
const PICTURE = /\.(?:gif|png|svg)$/;

/**
 * Writes the pages of the manual into a folder, with the same paths as in the project, so that their links work.
 * `README.md` becomes `index.md`, and a file of code that a page links to becomes a page that shows the file.
 * @returns the files that were read.
 */
export async function writeSource(folder: string, parts: readonly Part[]): Promise<string[]> {
  const pages = pagesOf(parts);
  const linked = new Set<string>();
  for (const page of pages) {
    const pieces = (await readFile(page, "utf8")).split(FENCED);
    const written = pieces.map((piece, i) => {
      if (i % 2 === 1) return piece;
      return piece.replace(LINK, (link) => {
        const target = join(dirname(page), link);
        if (isFile(target)) linked.add(target);
        return isCode(target) ? `${link}.html` : indexed(link);
      });
    });
    await write(folder, indexed(page), written.join(""));
  }
  const others = [...linked].filter((file) => !file.endsWith(".md"));
  for (const file of others) {
    if (isCode(file)) await write(folder, `${file}.md`, shown(file, await readFile(file, "utf8")));
    else await cp(file, join(folder, file));
  }
  return [...pages, ...others];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns true for a file that is neither a page nor a picture. */
function isCode(path: string): boolean {
  return isFile(path) && !path.endsWith(".md") && !PICTURE.test(path);
}

/** Lists the entries of the sidebar, with the headings of the pages in a folder that `writeSource` has written. */
export async function sidebarOf(folder: string, parts: readonly Part[]): Promise<SidebarItem[]> {
  return Promise.all(
    parts.map(async ({ title, pages, parts: inner = [] }) => {
      const entries = await Promise.all(
        pages.map(async (page) => ({ text: await headingOf(join(folder, indexed(page))), link: linkTo(page) })),
      );
      return { text: title, collapsed: title !== "Start", items: [...entries, ...(await sidebarOf(folder, inner))] };
    }),
  );
}

/** Returns the heading of a page as HTML. */
async function headingOf(file: string): Promise<string> {
  const heading = /^# (.+)$/m.exec(await readFile(file, "utf8"))?.[1];
  if (heading === undefined) throw new Error(`${file} has no heading.`);
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
