import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { entries, exportsOf, ROOT, type Entry, type Exported } from "./sdk-exports.js";

/** Page of the reference: the exports of an entry, or a group of them. */
export interface SdkPage {
  /** Name of the entry, e.g. `duello/bots`. */
  entry: string;
  title: string;
  /** What follows the title in the entry's comment; empty if nothing does. */
  about: string;
  /** Path of the page in the reference, without the extension. */
  path: string;
  exported: readonly Exported[];
}

/** TypeDoc, which needs a compiler of its own, is a package of the manual alone. */
export const TYPEDOC = join(ROOT, "manual", "node_modules", "typedoc", "bin", "typedoc");
const PLUGIN = join(ROOT, "manual", "typedoc-sdk.ts");
const PRELUDE = join(ROOT, "test", "support", "example-prelude.ts");

/** Lists the pages of the SDK's reference. */
export function sdkPages(): SdkPage[] {
  return entries().flatMap(pagesOf);
}

/**
 * Writes the pages of the SDK's reference into a folder, with a first page that lists them.
 * @throws Error for an export that has no docstring, and with the output of TypeDoc if it fails.
 */
export async function writeSdkReference(folder: string): Promise<void> {
  const pages = sdkPages();
  checkDocumented(pages);
  await mkdir(join(ROOT, "cache"), { recursive: true });
  const made = await mkdtemp(join(ROOT, "cache", "reference-"));
  try {
    const modules = await Promise.all(pages.map((page) => writeModule(page, made)));
    const settings = { extends: "../../tsconfig.json", include: ["**/*.ts"] };
    await writeFile(join(made, "tsconfig.json"), JSON.stringify(settings));
    await writeFile(join(made, "typedoc.json"), JSON.stringify(optionsFor(made, modules, resolve(folder))));
    await run(["--options", join(made, "typedoc.json")]);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  for (const page of pages) await writeHead(page, folder);
  await writeFile(join(folder, "index.md"), await firstPage(pages));
}

/** Checks that all exports have docstrings. @throws Error that lists those without one */
export function checkDocumented(pages: readonly SdkPage[]): void {
  const bare = pages.flatMap(({ exported }) => exported).filter(({ doc }) => doc === undefined);
  const places = bare.map(({ file, line, name }) => `${file}:${line}: ${name} has no docstring`);
  if (places.length > 0) throw new Error(places.join("\n"));
}

/** Returns the pages of an entry: one for each group of exports. */
function pagesOf(entry: Entry): SdkPage[] {
  const groups = new Map<string | undefined, Exported[]>();
  for (const each of exportsOf(entry)) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups].map(([group, exported]) => {
    const [, title, about] = /^(.*?)(?:[:.] (.*))?$/s.exec(group ?? entry.name)!;
    const path = groups.size === 1 ? entry.name : join(entry.name, slugOf(title));
    return { entry: entry.name, title: groups.size === 1 ? entry.name : title, about: about ?? "", path, exported };
  });
}

function slugOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

/** Writes a module with the exports of a page. @returns its file */
async function writeModule({ entry, path, exported }: SdkPage, folder: string): Promise<string> {
  const file = join(folder, `${path}.ts`);
  const names = exported.map(({ name, isType }) => (isType ? `type ${name}` : name));
  const source = entries()
    .find(({ name }) => name === entry)!
    .file.replace(/\.ts$/, ".js");
  await mkdir(dirname(file), { recursive: true });
  const from = relative(dirname(file), join(ROOT, source));
  await writeFile(file, `/** @module ${path} */\nexport { ${names.join(", ")} } from "${from}";\n`);
  return file;
}

function optionsFor(made: string, entryPoints: readonly string[], out: string): object {
  return {
    entryPoints,
    out,
    tsconfig: join(made, "tsconfig.json"),
    // The project's own compiler checks the types.
    skipErrorChecking: true,
    plugin: ["typedoc-plugin-markdown", PLUGIN],
    router: "module",
    entryFileName: "index",
    readme: "none",
    hideGenerator: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    disableSources: true,
    excludePrivate: true,
    excludeProtected: true,
    excludeExternals: true,
    useCodeBlocks: true,
    expandParameters: true,
    sanitizeComments: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    treatValidationWarningsAsErrors: true,
    logLevel: "Warn",
  };
}

async function run(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), TYPEDOC, ...args], {
    cwd: join(ROOT, "manual"),
    stdio: "pipe",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((done, failed) => child.on("error", failed).on("close", done));
  if (code !== 0) throw new Error(`TypeDoc has failed with code ${code}.\n${output}`);
}

/** Writes the head of a page: its title, what it is about, what to import, and where the examples' values are from. */
async function writeHead({ entry, title, about, path }: SdkPage, folder: string): Promise<void> {
  const file = join(folder, `${path}.md`);
  const text = await readFile(file, "utf8");
  const first = relative(dirname(file), join(folder, "index.md"));
  const lines = [
    `# ${title}`,
    ...(about === "" ? [] : [`${about.charAt(0).toUpperCase()}${about.slice(1)}.`]),
    `Import from \`${entry}\`. The examples use [values that are declared once](${first}#values-of-the-examples).`,
  ];
  await writeFile(file, text.replace(/^# .*\n/, `${lines.join("\n\n")}\n`));
}

/** Writes the first page: the list of all pages, and the values that examples use. */
async function firstPage(pages: readonly SdkPage[]): Promise<string> {
  const values = (await readFile(PRELUDE, "utf8")).replace(/^.*? from "[^"]+";\n(?!import )/s, "");
  const rows = pages.map(({ entry, title, path, exported }) => {
    return `| \`${entry}\` | [${title}](${path}.md) | ${exported.length} |`;
  });
  return [
    "# SDK reference",
    "All exports of the package `duello`, made from the docstrings of its sources. Each has its signature, the errors " +
      "that it throws, an example, and the version since which it exists.",
    ["| entry | page | exports |", "| ----- | ---- | ------- |", ...rows].join("\n"),
    "## Values of the examples",
    "The examples use these values without declaring them. A value that is only declared needs a node, a wallet or a " +
      "contract.",
    `\`\`\`ts\n${values.trim()}\n\`\`\``,
    "",
  ].join("\n\n");
}
