import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { urlOf } from "../../../scripts/local-chain.js";
import { PATIENCE } from "../../support/patience.js";
import { commandFor, rpc } from "../../support/running.js";
import {
  commandsOf,
  isSnippet,
  patternOf,
  ROOT,
  scripts,
  type Block,
  type Document,
  type DocumentedCommand,
} from "./document.js";
import { ELSEWHERE } from "./elsewhere.js";

/** Commands that a document may contain, with settings before and files behind them. */
const RUNNABLE =
  /^(DUELLO_\w+=("[^"]*"|\S+) )*(npm run -s (play|simulate|verify|agent|relay|mint|deploy) -- |node --input-type=module -e |sed )|^export \w+=/;

const SNIPPETS = join(ROOT, "cache", "documents");

/** Place where documents are followed: the port of a chain, and the folder of its deployment. */
export interface Place {
  port: number;
  deployments: string;
  /** True if the document itself says where the chain is. */
  isUnnamed?: boolean;
  /** Folder outside the project in which TypeScript runs, with the packages installed; left out: beside their sources. */
  outside?: string;
}

interface Ran {
  code: number | null;
  output: string;
}

/** Finds the test that runs a command in place of this one. */
function elsewhere({ command }: DocumentedCommand) {
  return ELSEWHERE.find((each) => each.command === command);
}

/** Returns whether the test can handle a command. */
export function isKnown(documented: DocumentedCommand): boolean {
  return elsewhere(documented) !== undefined || RUNNABLE.test(documented.command);
}

/** A reader who follows documents with an empty home folder, beside a fresh local chain. */
export class Reader {
  /** Settings of the terminal, as the document has them typed. */
  private readonly exports: string[] = [];
  private readonly staying: ChildProcess[] = [];

  private constructor(
    private readonly home: string,
    private readonly place: Place,
  ) {}

  /**
   * Follows a document from top to bottom, and reverts the chain afterwards.
   * @throws Error where the output differs from the document.
   */
  static async follow({ blocks, file }: Document, place: Place): Promise<void> {
    const { port } = place;
    const snapshot = await rpc(port, "evm_snapshot");
    const reader = new Reader(mkdtempSync(join(tmpdir(), "duello-home-")), place);
    if (file !== "README.md") writeNpm(reader.home);
    try {
      for (const [i, block] of blocks.entries()) {
        if (block.file?.startsWith("deployments/")) reader.write(block);
        const lines = block.language === "sh" ? await reader.type(block) : await reader.execute(block);
        const next = blocks.at(i + 1);
        if (next?.language === "text") expectLines(next, lines);
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
      else lines.push(...(await this.run(documented, "sh", ["-c", moved])));
    }
    return lines;
  }

  /** Returns a text with the chain's URL in place of the usual one. */
  private moved(text: string): string {
    return text.replaceAll(urlOf(8545), urlOf(this.place.port));
  }

  /** Starts a command that stays, with a group of processes of its own. */
  private start(command: string): void {
    const env = this.environment();
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

  private async execute(block: Block): Promise<string[]> {
    if (!isSnippet(block)) return [];
    return this.run({ at: block.at, command: "the snippet", code: 0 }, process.execPath, [
      "--import",
      import.meta.resolve("tsx"),
      snippetFile(block, this.place),
    ]);
  }

  private async run(
    { at, command, code }: Omit<DocumentedCommand, "stays">,
    program: string,
    args: string[],
  ): Promise<string[]> {
    const ran = await finished(program, args, this.environment());
    if (ran.code !== code) throw new Error(`${at}: ${command}\nexited with ${ran.code}, not ${code}:\n${ran.output}`);
    return ran.output.split("\n");
  }

  private environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("DUELLO_"));
    // The pre-scripts are left out: nothing should be installed or built during a test run.
    return {
      ...Object.fromEntries(own),
      HOME: this.home,
      NO_COLOR: "1",
      npm_config_ignore_scripts: "true",
      PATH: `${this.home}:${process.env.PATH}`,
      ...(this.place.isUnnamed ? {} : { DUELLO_RPC_URL: urlOf(this.place.port) }),
      DUELLO_DEPLOYMENTS: this.place.deployments,
    };
  }
}

/** Writes an `npm` that only runs the scripts of package.json: npm itself would take a part of a second each time. */
export function writeNpm(folder: string): void {
  const cases = Object.entries(scripts).map(([name, script]) => {
    const words = (file: string) => commandFor(file, []).map((word) => `"${word}"`);
    return `${name}) exec ${script.replace(/^(?:tsx|exec sh scripts\/run\.sh) (\S+)/, (_, file: string) => words(file).join(" "))} "$@" ;;`;
  });
  const text = ["#!/bin/sh", "name=$3", "shift 4", 'case "$name" in', ...cases, "esac", "exit 127", ""].join("\n");
  writeFileSync(join(folder, "npm"), text, { mode: 0o755 });
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

/** Compiles the files that were written beside the sources. @returns the result of the compiler. */
export async function compileSnippets(): Promise<Ran> {
  return finished(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", SNIPPETS], process.env);
}

/** Removes the files that were written beside the sources. */
export function removeSnippets(): void {
  rmSync(SNIPPETS, { recursive: true, force: true });
}

function snippetFile({ at }: Block, { outside = SNIPPETS }: Place): string {
  return join(outside, `${at.replace(/\W/g, "-")}.ts`);
}

/** Checks that every line of a block is printed, in the same order; `…` stands for anything. */
function expectLines({ at, text }: Block, printed: readonly string[]): void {
  let from = 0;
  for (const line of text.trimEnd().split("\n")) {
    const pattern = new RegExp(`^${patternOf(line)}$`);
    const found = printed.findIndex((each, i) => i >= from && pattern.test(each));
    if (found < 0) throw new Error(`${at}: nothing like this was printed:\n${line}\nbut:\n${printed.join("\n")}`);
    from = found + 1;
  }
}

async function finished(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { code, output };
}
