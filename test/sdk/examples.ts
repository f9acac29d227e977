import { expect } from "chai";
import { transformSync } from "esbuild";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entries, exampleIn, exportsOf, ROOT, type Entry, type Exported } from "../../scripts/manual/sdk-exports.js";
import { runProgram } from "../scripts/documents/npm-stand-in.js";

const PRELUDE = "test/support/example-prelude.ts";
/** Folder for the snippets, two levels below the project's folder. */
const SNIPPETS = join(ROOT, "cache", "examples");
/** Packages that examples may import besides the SDK's own entries. */
const PACKAGES = ["ethers", "hardhat", "node:fs/promises", "node:fs"];

const prelude = readFileSync(join(ROOT, PRELUDE), "utf8");
/** Names of the prelude that have a value, and names that are only declared because they need a chain. */
const provided = namesBy(/^export const (\w+)/gm);
const declared = namesBy(/^export declare const (\w+)/gm);

/** A snippet of a docstring. */
interface Snippet {
  /** File and line of the function or class. */
  at: string;
  /** Names under which the function or class is exported. */
  names: string[];
  code: string;
}

function namesBy(pattern: RegExp): string[] {
  return Array.from(prelude.matchAll(pattern), ([, name]) => name);
}

/** Returns whether a snippet uses a name as an identifier: not in quotes or comments, nor as the name of a property. */
function uses({ code }: Snippet, name: string): boolean {
  const plain = code.replace(/"[^"\n]*"/g, '""').replace(/\/\/(?! =>).*$/gm, "");
  return new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${name}(?![\\w$])(?!\\s*:)|[?:] ${name}(?![\\w$])`).test(plain);
}

/** Returns the names of the prelude that a snippet uses and does not declare itself. */
function assumedBy(snippet: Snippet, names: readonly string[]): string[] {
  const own = /^(?:import|const|let|for).*$/gm;
  const declarations = (snippet.code.match(own) ?? []).map((line) => line.replace(/ (=|from|of) .*/, "")).join("\n");
  return names.filter((name) => uses(snippet, name) && !new RegExp(`\\b${name}\\b`).test(declarations));
}

/** Returns the functions and classes of an entry, with their declarations. */
async function callable(entry: Entry): Promise<Exported[]> {
  const exported = exportsOf(entry);
  const values = (await import(join(ROOT, entry.file))) as Record<string, unknown>;
  for (const name of Object.keys(values)) {
    expect(
      exported.filter((each) => each.name === name && !each.isType),
      `${entry.name}: ${name}`,
    ).to.have.length(1);
  }
  return exported.filter(({ name }) => typeof values[name] === "function");
}

/** Makes the text of a module out of a snippet, for the compiler. */
function moduleOf(snippet: Snippet): string {
  const names = assumedBy(snippet, [...provided, ...declared]);
  const assumed =
    names.length === 0 ? "" : `import { ${names.join(", ")} } from "../../${PRELUDE.replace(/ts$/, "js")}";\n`;
  const local = snippet.code.replace(/ from "(duello[\w/-]*)";$/gm, (_, name: string) => {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`${snippet.at}: there is no entry ${name}`);
    return ` from "../../${source.replace(/ts$/, "js")}";`;
  });
  return `${local}${assumed}`;
}

/** Called with each line that states a result: the result, and what the line states. */
type Check = (line: string, actual: unknown, stated: unknown) => void;

/** A snippet as a function. */
type Runnable = (modules: object, check: Check, thrownText: (error: Error) => string) => Promise<void>;

/** Runs a snippet, and checks its results. */
async function run(snippet: Snippet, check: Check): Promise<void> {
  const paths = new Map([["prelude", join(ROOT, PRELUDE)]]);
  const lines = snippet.code.split("\n").map((line) => {
    const [, names, from] = /^import \{ (.*) \} from "(.*)";$/.exec(line) ?? [];
    if (names === undefined) return checked(line);
    const source = sources.get(from);
    paths.set(from, source === undefined ? from : join(ROOT, source));
    const values = names
      .split(", ")
      .filter((name) => !name.startsWith("type "))
      .map((name) => name.replace(" as ", ": "));
    return `const { ${values.join(", ")} } = modules[${JSON.stringify(from)}];`;
  });
  const assumed = `const { ${assumedBy(snippet, provided).join(", ")} } = modules.prelude;`;
  const text = ["export default async (modules, check, thrownText) => {", assumed, ...lines, "};"].join("\n");
  const file = join(SNIPPETS, "run", `${nameOf(snippet)}.mjs`);
  writeFileSync(file, transformSync(text, { loader: "ts", target: "es2023" }).code);
  const loaded = [...paths].map(async ([name, path]): Promise<[string, unknown]> => [name, await import(path)]);
  const modules = Object.fromEntries(await Promise.all(loaded));
  const { default: runnable } = (await import(file)) as { default: Runnable };
  await runnable(modules, check, thrownText);
}

/** Returns a file's name for a snippet. */
function nameOf({ at }: Snippet): string {
  return at.replace(/\W+/g, "-");
}

/** Adds a check to a line that states its result, or the error that it throws. */
function checked(line: string): string {
  const [, statement, what, stated] = /^\s*(.*?);? *\/\/ (=>|throws) (.*)$/.exec(line) ?? [];
  if (statement === undefined) return line;
  const at = JSON.stringify(line);
  if (what === "throws") {
    return `check(${at}, await (async () => ${statement})().then(() => "nothing", thrownText), ${JSON.stringify(stated)});`;
  }
  const name = /^const (\w+)(?:: [^=]+)? = /.exec(statement)?.[1];
  return `${name === undefined ? "" : `${statement};`} check(${at}, ${name ?? `(${statement})`}, (${stated}));`;
}

/** Describes an error as examples do, e.g. `InputError: match: abc is not a whole number`. */
function thrownText(error: Error): string {
  return `${error.constructor.name}: ${error.message}`;
}

/** Compares values; `…` in a stated text stands for anything. */
function expectSame(line: string, actual: unknown, stated: unknown): void {
  if (typeof stated === "string" && typeof actual === "string" && stated.includes("…")) {
    const [start, end] = stated.split("…");
    expect(actual.startsWith(start) && actual.endsWith(end), `${line}: ${actual}`).to.equal(true);
  } else expect(actual, line).to.deep.equal(stated);
}

const all = entries();
const sources = new Map(all.map(({ name, file }) => [name, file]));

describe("The examples of the SDK's docstrings", () => {
  const snippets: Snippet[] = [];

  after(() => rmSync(SNIPPETS, { recursive: true, force: true }));

  before(async () => {
    mkdirSync(join(SNIPPETS, "run"), { recursive: true });
    for (const entry of all) {
      for (const { file, line, name, doc = "" } of await callable(entry)) {
        const at = `${file}:${line}`;
        const known = snippets.find((each) => each.at === at);
        const code = exampleIn(doc);
        if (known) known.names.push(name);
        else if (code !== undefined) snippets.push({ at, names: [name], code });
      }
    }
  });

  for (const entry of all) {
    it(`accompany every function and class: ${entry.name}`, async () => {
      const exported = await callable(entry);
      const without = exported.filter(({ doc = "" }) => exampleIn(doc) === undefined);
      expect(without.map(({ file, line, name }) => `${file}:${line}: ${name} has no @example`)).to.deep.equal([]);
    });
  }

  it("use what they are for, import it, and are short", () => {
    for (const { at, names, code } of snippets) {
      const imports = code.split("\n").filter((line) => line.startsWith("import "));
      expect(imports.join("\n"), at).to.match(new RegExp(`\\b(${names.join("|")})\\b.* from "duello`));
      for (const line of imports) {
        const from = / from "([^"]+)";$/.exec(line)?.[1] ?? "";
        expect(sources.has(from) || PACKAGES.includes(from), `${at}: ${line}`).to.equal(true);
      }
      expect(code.trim().split("\n").length, at).to.be.at.most(10);
      expect(Math.max(...code.split("\n").map((line) => line.length)), at).to.be.at.most(117);
    }
  });

  it("compile", async () => {
    for (const snippet of snippets) writeFileSync(join(SNIPPETS, `${nameOf(snippet)}.ts`), moduleOf(snippet));
    // The configuration extends the types of Hardhat by those of its plugins.
    const settings = { extends: "../../tsconfig.json", include: ["*.ts", "../../hardhat.config.ts"] };
    writeFileSync(join(SNIPPETS, "tsconfig.json"), JSON.stringify(settings));
    const compiler = join(ROOT, "node_modules", ".bin", "tsc");
    const { code, output } = await runProgram(compiler, ["-p", SNIPPETS], process.env);
    expect([output, code]).to.deep.equal(["", 0]);
  });

  it("have the results and errors that they state, if they need no chain", async () => {
    const faults: string[] = [];
    let results = 0;
    for (const snippet of snippets.filter(({ code }) => / \/\/ (=>|throws) /.test(code))) {
      const { at } = snippet;
      const note = (error: unknown) => faults.push(`${at}: ${error instanceof Error ? error.message : String(error)}`);
      if (assumedBy(snippet, declared).length > 0) {
        note("only a chain has the result that it states");
        continue;
      }
      const check: Check = (line, actual, stated) => {
        results++;
        try {
          expectSame(line, actual, stated);
        } catch (error) {
          note(error);
        }
      };
      await run(snippet, check).catch(note);
    }
    expect(faults).to.deep.equal([]);
    expect(results).to.be.above(300);
  });
});
