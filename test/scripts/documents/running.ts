import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { urlOf } from "../../../scripts/local-chain.js";
import { runWriting, type Written } from "../../support/inside.js";
import { rpc } from "../../support/running.js";
import {
  commandsOf,
  isSnippet,
  patternOf,
  ROOT,
  type Block,
  type Document,
  type DocumentedCommand,
} from "../../../scripts/document.js";
import { ELSEWHERE } from "./elsewhere.js";
import { NpmStandIn, runProgram, type Ran } from "./npm-stand-in.js";

/** Commands that a document can contain, with settings before them and files after them. */
const RUNNABLE =
  /^(DUELLO_\w+=("[^"]*"|\S+) )*(npm run -s (play|simulate|verify|agent|relay|api|mint|deploy) -- |node --input-type=module -e |sed )|^export \w+=/;

const SNIPPETS = join(ROOT, "cache", "documents");

/** Environment in which the documents are executed: the port of a chain, and the folder of its deployment. */
export interface Place {
  port: number;
  deployments: string;
  /** True if the document itself contains the URL of the chain. */
  isUnnamed?: boolean;
  /**
   * Folder outside the project, with the packages installed. By default TypeScript runs next to the sources.
   */
  outside?: string;
}

/** Scripts of package.json that npm itself has run once. That takes a second, so the stand-in runs repetitions. */
const proven = new Set<string>();

/** Folders in which tsx itself has run a snippet once, because each run takes a second. */
const executed = new Set<string>();

/** Finds the other test that runs this command; undefined if the command runs here. */
function elsewhere({ command }: DocumentedCommand) {
  return ELSEWHERE.find((each) => each.command === command);
}

/** Returns true if the test can handle a command. */
export function isKnown(documented: DocumentedCommand): boolean {
  return elsewhere(documented) !== undefined || RUNNABLE.test(documented.command);
}

/** A reader who executes documents with an empty home folder and a fresh local chain. */
export class Reader {
  /** Settings of the terminal, as typed in the document. */
  private readonly exports: string[] = [];
  private readonly staying: ChildProcess[] = [];
  private readonly npm: NpmStandIn;

  private constructor(
    private readonly home: string,
    private readonly place: Place,
  ) {
    this.npm = new NpmStandIn(join(home, ".npm"));
  }

  /**
   * Follows a document from top to bottom, and reverts the chain afterwards.
   * @throws Error if an output differs from the document.
   */
  static async follow({ blocks }: Document, place: Place): Promise<void> {
    const { port } = place;
    const snapshot = await rpc(port, "evm_snapshot");
    const reader = new Reader(mkdtempSync(join(tmpdir(), "duello-home-")), place);
    try {
      for (const [i, block] of blocks.entries()) {
        if (block.file?.startsWith("deployments/")) reader.write(block);
        const lines = block.language === "sh" ? await reader.type(block) : await reader.execute(block);
        const next = blocks.at(i + 1);
        if (next?.language === "text" && (block.language === "sh" || isSnippet(block))) expectLines(next, lines);
      }
    } finally {
      await reader.stop();
      await rpc(port, "evm_revert", [snapshot]);
      rmSync(reader.home, { recursive: true });
    }
  }

  private async type(block: Block): Promise<string[]> {
    const lines: string[] = [];
    for (const documented of commandsOf(block)) {
      if (elsewhere(documented)) continue;
      const moved = [...this.exports, this.moved(documented.command)].join("\n");
      if (documented.command.startsWith("export ")) this.exports.push(documented.command);
      else if (documented.stays) this.start(moved);
      else lines.push(...outputOf(documented, await this.shell(moved)));
    }
    return lines;
  }

  /** Returns a text with the chain's URL in place of the default one. */
  private moved(text: string): string {
    return text.replaceAll(urlOf(8545), urlOf(this.place.port));
  }

  /** Runs a shell command line, in which npm itself runs a script only the first time. */
  private async shell(line: string): Promise<Ran> {
    const name = /\bnpm run -s (\w+)/.exec(line)?.[1];
    const isFirst = name !== undefined && !proven.has(name);
    if (isFirst) proven.add(name);
    const env = this.environment();
    return isFirst ? runProgram("sh", ["-c", line], env) : this.npm.run(line, env);
  }

  /** Starts a long-running command in a separate process group. */
  private start(command: string): void {
    const env = this.npm.within(this.environment(), true);
    this.staying.push(spawn("sh", ["-c", command], { cwd: ROOT, env, stdio: "ignore", detached: true }));
  }

  private async stop(): Promise<void> {
    for (const child of this.staying) {
      if (child.exitCode !== null) throw new Error(`A command that stays has ended with ${child.exitCode}.`);
      const ended = once(child, "exit");
      process.kill(-child.pid!, "SIGTERM");
      await ended;
    }
  }

  /** Writes a block that is a file of the project's deployments. */
  private write({ file, text }: Block): void {
    writeFileSync(join(this.place.deployments, basename(file!)), this.moved(text));
  }

  /** Runs the first snippet of each folder as readers do, and the others in this process. */
  private async execute(block: Block): Promise<string[]> {
    if (!isSnippet(block)) return [];
    const file = snippetFile(block, this.place);
    const ran = executed.has(dirname(file)) ? await imported(file) : await this.tsx(file);
    executed.add(dirname(file));
    return outputOf({ at: block.at, command: "the snippet", code: 0 }, ran);
  }

  private async tsx(file: string): Promise<Ran> {
    return runProgram(process.execPath, ["--import", import.meta.resolve("tsx"), file], this.environment());
  }

  private environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("DUELLO_"));
    // The pre-scripts are skipped, because a test run must not install or build anything.
    return {
      ...Object.fromEntries(own),
      HOME: this.home,
      NO_COLOR: "1",
      npm_config_ignore_scripts: "true",
      ...(this.place.isUnnamed ? {} : { DUELLO_RPC_URL: urlOf(this.place.port) }),
      DUELLO_DEPLOYMENTS: this.place.deployments,
    };
  }
}

/** Writes the TypeScript of documents into files, for the chain of a place. */
export function writeSnippets(documents: readonly Document[], place: Place): void {
  const { port, deployments, outside } = place;
  const blocks = documents.flatMap((document) => document.blocks).filter(isSnippet);
  const folder = outside ?? SNIPPETS;
  mkdirSync(folder, { recursive: true });
  const beside = (text: string) =>
    text
      .replaceAll('from "duello"', 'from "../../sdk/index.js"')
      .replaceAll('"duello-contracts/deployments/', `"${deployments}/`);
  for (const block of blocks) {
    const moved = block.text.replaceAll(urlOf(8545), urlOf(port));
    writeFileSync(snippetFile(block, place), outside === undefined ? beside(moved) : moved);
  }
  if (outside !== undefined) return;
  const settings = { extends: "../../tsconfig.json", include: ["*.ts"] };
  writeFileSync(join(SNIPPETS, "tsconfig.json"), JSON.stringify(settings));
}

/** Compiles the files that were written next to the sources. @returns the result of the compiler. */
export async function compileSnippets(): Promise<Ran> {
  return runProgram(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", SNIPPETS], process.env);
}

/** Removes the files that were written next to the sources. */
export function removeSnippets(): void {
  rmSync(SNIPPETS, { recursive: true, force: true });
}

function snippetFile({ at }: Block, { outside = SNIPPETS }: Place): string {
  return join(outside, `${at.replace(/\W/g, "-")}.ts`);
}

/** Checks that every line of a block is printed, in the same order; `…` stands for anything. @throws Error otherwise. */
export function expectLines({ at, text }: Block, printed: readonly string[]): void {
  let from = 0;
  for (const line of text.trimEnd().split("\n")) {
    const pattern = new RegExp(`^${patternOf(line)}$`);
    const found = printed.findIndex((each, i) => i >= from && pattern.test(each));
    if (found < 0) throw new Error(`${at}: nothing like this was printed:\n${line}\nbut:\n${printed.join("\n")}`);
    from = found + 1;
  }
}

/** Returns the lines that a command printed. @throws Error if its exit code differs from the document. */
function outputOf({ at, command, code }: Omit<DocumentedCommand, "stays">, ran: Ran): string[] {
  if (ran.code !== code) throw new Error(`${at}: ${command}\nexited with ${ran.code}, not ${code}:\n${ran.output}`);
  return ran.output.split("\n");
}

/** Runs a module in this process. */
async function imported(file: string): Promise<Ran> {
  const written: Written = [];
  const main = () => import(pathToFileURL(file).href).then(() => 0);
  const code = await runWriting(main, {}, written);
  return { code, output: written.map(([, text]) => text).join("") };
}
