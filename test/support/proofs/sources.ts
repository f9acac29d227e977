import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CONTRACTS = join(import.meta.dirname, "../../../contracts");

/** Functions of which laws have been made, as `file:name`. */
const taken = new Set<string>();

/** Returns a file of `contracts/` without comments. */
export function sourceOf(file: string): string {
  return readFileSync(join(CONTRACTS, file), "utf8").replace(/\/\/.*$/gm, "");
}

/** Returns the index after the bracket that closes the first bracket from `start` on. */
function endOf(source: string, start: number): number {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    if (source[i] === "{") depth++;
    if (source[i] === "}" && --depth === 0) return i + 1;
  }
  throw new Error("A bracket is not closed.");
}

/** Returns all functions of a file that have a body. */
function allFunctions(file: string): { name: string; code: string }[] {
  const source = sourceOf(file);
  return [...source.matchAll(/\bfunction (\w+)\([^;{]*\{/g)].map(({ 0: head, 1: name, index }) => ({
    name,
    code: source.slice(index, endOf(source, index + head.length - 1)),
  }));
}

/**
 * Returns the functions of `contracts/` that contain a pattern, as `file:name`.
 * @throws Error if other code contains it
 */
export function functionsWith(pattern: RegExp): string[] {
  return globSync("**/*.sol", { cwd: CONTRACTS })
    .flatMap((file) => {
      const functions = allFunctions(file);
      const others = functions.reduce((source, { code }) => source.replace(code, ""), sourceOf(file));
      if (pattern.test(others)) throw new Error(`${file} has ${pattern} outside of its functions.`);
      return functions.filter(({ code }) => pattern.test(code)).map(({ name }) => `${file}:${name}`);
    })
    .sort();
}

/** Returns whether a law contains a function, given as `file:name`. */
export function isInLaw(id: string): boolean {
  return taken.has(id);
}

/**
 * Returns a function of `contracts/` as it is.
 * @throws Error unless the file has exactly one function of this name
 */
function originalIn(file: string, name: string): string {
  const found = allFunctions(file).filter((each) => each.name === name);
  if (found.length !== 1) throw new Error(`${file} has ${found.length} functions ${name}.`);
  taken.add(`${file}:${name}`);
  return found[0].code;
}

/**
 * Returns a function of `contracts/`. The engine ignores a revert with an error, so `require` takes its place. Events
 * change no state, so they are left out.
 */
export function functionIn(file: string, name: string): string {
  return originalIn(file, name)
    .replaceAll(/\brevert [\w.]+\([^;]*\);/g, "require(false);")
    .replaceAll(/\bemit \w+\([^;]*\);/g, "");
}

/**
 * Returns the condition on which a function of `contracts/` reverts with an error.
 * @throws Error unless there is exactly one
 */
export function conditionOf(file: string, name: string, error: string): string {
  const conditions = [
    ...originalIn(file, name).matchAll(new RegExp(`\\bif \\(([^;{]*)\\) \\{?\\s*revert ${error}\\(`, "g")),
  ];
  if (conditions.length !== 1) throw new Error(`${name} has ${conditions.length} conditions for ${error}.`);
  return conditions[0][1];
}

/** Returns a struct of `contracts/`. */
export function structIn(file: string, name: string): string {
  return between(sourceOf(file), `struct ${name} {`, "}");
}

/** Returns code whose `unchecked` blocks are checked. */
export function asChecked(code: string): string {
  return code.replaceAll(/\bunchecked \{/g, "{");
}

/** Returns the statements of a function of `contracts/`, as `functionIn` does. */
export function bodyIn(file: string, name: string): string {
  const code = functionIn(file, name);
  return code.slice(code.indexOf("{") + 1, -1);
}

/** Returns functions of a file. */
export function functionsIn(file: string, ...names: string[]): string {
  return names.map((name) => functionIn(file, name)).join("\n");
}

/** Returns the code from a text to another one, both included. @throws Error unless both occur in that order */
export function between(code: string, from: string, to: string): string {
  const start = code.indexOf(from);
  const end = code.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`There is no code from ${from} to ${to}.`);
  return code.slice(start, end + to.length);
}

/** Replaces the fields of a struct by variables: the checker is slow with structs. */
export function withFields(code: string, name: string): string {
  return code.replaceAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"), `${name}_$1`);
}

/** Replaces each text by another one. @throws Error unless each occurs exactly once */
export function replaced(code: string, ...replacements: (readonly [text: string, by: string])[]): string {
  return replacements.reduce((changed, [text, by]) => {
    const parts = changed.split(text);
    if (parts.length !== 2) throw new Error(`${text} occurs ${parts.length - 1} times.`);
    return parts.join(by);
  }, code);
}

/** Returns the constants that a file declares with this pattern of names. */
export function constantsIn(file: string, names = /\w+/): string {
  const all = sourceOf(file).matchAll(/^ *(?:\w+ )+constant (\w+) =[^;]+;/gm);
  return [...all]
    .filter(([, name]) => names.test(name))
    .map(([code]) => code.trim())
    .join("\n");
}
