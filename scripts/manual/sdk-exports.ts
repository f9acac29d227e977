import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Entry of the package `duello`. */
export interface Entry {
  /** What programs import, e.g. `duello/bots`. */
  name: string;
  /** Source, e.g. `sdk/bots.ts`. */
  file: string;
}

/** Export of an entry. */
export interface Exported {
  name: string;
  /** Comment above its line in the entry, without the full stop; undefined if there is none. */
  group?: string;
  isType: boolean;
  /** File that declares the export, and its line. */
  file: string;
  line: number;
  /** Docstring without its frame; undefined if there is none. */
  doc?: string;
}

interface Declaration {
  name: string;
  line: number;
  isType: boolean;
  doc?: string;
}

interface Names {
  index: number;
  /** Module that the names come from; undefined for names of the file itself. */
  from?: string;
  /** Local name, exported name, and whether it is a type. Undefined for all types of the module. */
  names?: { local: string; name: string; isType: boolean }[];
}

const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(function\*?|class|const enum|enum|const|let|interface|type) (\w+)/gm;
const REEXPORT = /^export (type )?(?:\*|\{([^}]*)\})(?: from "(\.[^"]+)\.js")?;/gm;
const IMPORT = /^import (type )?(?:\w+, )?\{([^}]*)\} from "(\.[^"]+)\.js";/gm;
const GROUP = /^\/\/ (.+)$/gm;

/** Lists the entries of the package that are written by hand: all but the factories, which TypeChain generates. */
export function entries(): Entry[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "sdk/package.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.entries(exports)
    .filter(([, target]) => target.startsWith("./dist/sdk/"))
    .flatMap(([path, target]) => {
      const source = target.replace("./dist/", "").replace(/\.js$/, ".ts");
      const files = globSync(source, { cwd: ROOT }).sort();
      const [before, after] = source.split("*");
      return files.map((file) => ({
        name: join("duello", path.replace("*", file.slice(before.length, file.length - (after ?? "").length))),
        file,
      }));
    });
}

/** Reads the exports of an entry, in their order. @throws Error for an export whose declaration is not found */
export function exportsOf({ file }: Entry): Exported[] {
  const text = read(file);
  const groups = Array.from(text.matchAll(GROUP), ({ index, 1: title }) => ({
    index,
    title: title.replace(/\.$/, ""),
  }));
  const groupAt = (index: number) => groups.findLast((each) => each.index < index)?.title;
  const passed = namesIn(text).flatMap(({ index, from, names }) => {
    const source = from === undefined ? file : beside(file, from);
    const listed = names ?? typesOf(source).map((name) => ({ local: name, name, isType: true }));
    return listed.map(({ local, name, isType }) => {
      const found = declarationOf(source, local);
      return { ...found, name, isType: isType || found.isType, group: groupAt(index), index };
    });
  });
  const own = declarationsIn(text).map((each) => ({ ...each, file, group: groupAt(each.index) }));
  const all = [...passed, ...own].sort((a, b) => a.index - b.index);
  const seen = new Set<string>();
  return all.flatMap(({ index: _, ...each }) => {
    if (seen.has(each.name)) return [];
    seen.add(each.name);
    return [each];
  });
}

/** Returns the text of the first example in a docstring. */
export function exampleIn(doc: string): string | undefined {
  return /^@example\n```ts\n(.*?)^```$/ms.exec(doc)?.[1];
}

function typesOf(file: string): string[] {
  const text = read(file);
  const passed = namesIn(text).flatMap(({ names = [] }) =>
    names.filter(({ isType }) => isType).map(({ name }) => name),
  );
  return [...declarationsIn(text).flatMap(({ isType, name }) => (isType ? [name] : [])), ...passed];
}

/** Follows a name through imports and re-exports to its declaration. */
function declarationOf(file: string, name: string): Declaration & { file: string } {
  const text = read(file);
  const found = declarationsIn(text).find((each) => each.name === name);
  if (found) return { ...found, file };
  for (const { from, names = [] } of [...namesIn(text), ...importsIn(text)]) {
    const passed = names.find((each) => each.name === name);
    if (passed && from !== undefined) return declarationOf(beside(file, from), passed.local);
  }
  throw new Error(`${file}: no declaration of ${name}`);
}

function declarationsIn(text: string): (Declaration & { index: number })[] {
  return Array.from(text.matchAll(DECLARATION), ({ index, 1: kind, 2: name }) => ({
    index,
    name,
    line: text.slice(0, index).split("\n").length,
    isType: kind === "interface" || kind === "type",
    doc: docBefore(text, index),
  }));
}

/** Returns the docstring that ends right before a position. An overload has the docstring of its first signature. */
function docBefore(text: string, index: number): string | undefined {
  const before = text.slice(0, index);
  const start = before.lastIndexOf("/**");
  if (start < 0 || !/\*\/\n$/.test(before) || before.indexOf("*/", start) !== before.length - 3) return undefined;
  const inner = before.slice(start + 3, -3);
  return inner
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

function namesIn(text: string): Names[] {
  return Array.from(text.matchAll(REEXPORT), ({ index, 1: type, 2: list, 3: from }) => ({
    index,
    from,
    names: list === undefined ? undefined : parsed(list, type),
  }));
}

function importsIn(text: string): Names[] {
  return Array.from(text.matchAll(IMPORT), ({ index, 1: type, 2: list, 3: from }) => ({
    index,
    from,
    names: parsed(list, type),
  }));
}

function parsed(list: string, type?: string): { local: string; name: string; isType: boolean }[] {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [, own, local, name = local] = /^(type )?(\w+)(?: as (\w+))?$/.exec(part) ?? [];
      return { local, name, isType: (type ?? own) !== undefined };
    });
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function beside(file: string, from: string): string {
  return join(dirname(file), `${from}.ts`);
}
