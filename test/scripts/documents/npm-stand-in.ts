import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { mint } from "../../../cli/mint/program.js";
import { play } from "../../../cli/play/program.js";
import { simulate } from "../../../cli/simulate/simulation.js";
import { runVerify } from "../../../cli/verify/command.js";
import { runWriting, type Written } from "../../support/inside.js";
import { PATIENCE } from "../../support/patience.js";
import { commandFor } from "../../support/running.js";
import { ROOT, scripts } from "../../../scripts/document.js";

/** Scripts of package.json that run in this process, because starting a process takes longer than most commands. */
const PROGRAMS: Record<string, (args: string[]) => Promise<number>> = { mint, play, simulate, verify: runVerify };

/** File descriptor on which the stand-in announces its requests. */
const REQUESTS = 3;

/** Environment variable that marks a long-running command. */
const STAYS = "NPM_STAYS";

/** Exit code of a command, and its output. */
export interface Ran {
  code: number | null;
  output: string;
}

/** Runs a program without input in the project's folder. */
export function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return finished(spawned(program, args, env));
}

function spawned(program: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe", "pipe"], timeout: PATIENCE });
}

async function finished(child: ChildProcess): Promise<Ran> {
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { code, output };
}

/**
 * An `npm` of `npm run -s NAME -- ARGS` for shells, which split words, set variables and redirect output as always. It
 * sends its arguments and its environment to this process, which runs the program and replies with lines of the shell
 * that print the output.
 */
export class NpmStandIn {
  /** @param folder Folder for the stand-in and its requests. */
  constructor(private readonly folder: string) {
    mkdirSync(folder);
    const request = join(folder, "$$");
    const processes = Object.keys(scripts).filter((name) => !(name in PROGRAMS));
    const execute = (name: string) => `${name}) exec ${withoutSetup(scripts[name])} "$@" ;;`;
    const lines = [
      "#!/bin/sh",
      "name=$3",
      "shift 4",
      'case "$name" in',
      ...processes.map(execute),
      "esac",
      `if [ -n "$${STAYS}" ]; then case "$name" in`,
      ...Object.keys(PROGRAMS).map(execute),
      "esac; fi",
      `mkfifo "${request}.reply"`,
      `{ printf '%s\\0' "$name" "$#" "$@"; env -0; } >"${request}"`,
      `echo $$ >&${REQUESTS}`,
      `. "${request}.reply"`,
      "",
    ];
    writeFileSync(join(folder, "npm"), lines.join("\n"), { mode: 0o755 });
  }

  /**
   * Returns an environment in which the shell finds this `npm`.
   * @param stays True for a long-running command, which needs a separate process because others run meanwhile.
   */
  within(environment: NodeJS.ProcessEnv, stays = false): NodeJS.ProcessEnv {
    return { ...environment, PATH: `${this.folder}:${environment.PATH}`, ...(stays && { [STAYS]: "1" }) };
  }

  /** Runs a line of the shell with this `npm`, in the project's folder. */
  async run(line: string, environment: NodeJS.ProcessEnv): Promise<Ran> {
    const shell = spawned("sh", ["-c", line], this.within(environment));
    createInterface(shell.stdio[REQUESTS] as Readable).on("line", (id) => void this.answer(join(this.folder, id)));
    return finished(shell);
  }

  private async answer(request: string): Promise<void> {
    const [name, count, ...rest] = readFileSync(request, "utf8").split("\0").slice(0, -1);
    const args = rest.slice(0, Number(count));
    const variables = rest.slice(args.length).map((entry) => {
      const end = entry.indexOf("=");
      return [entry.slice(0, end), entry.slice(end + 1)];
    });
    const unset = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined]));
    const written: Written = [];
    const run = () => PROGRAMS[name](args);
    const code = await runWriting(run, { ...unset, ...Object.fromEntries(variables) }, written).catch(
      (error: unknown) => {
        written.push(["stderr", `${(error as Error).stack}\n`]);
        return 1;
      },
    );
    const lines = written.map(([stream, text], i) => {
      writeFileSync(`${request}.${i}`, text);
      return `cat "${request}.${i}" >&${stream === "stdout" ? 1 : 2}\n`;
    });
    await writeFile(`${request}.reply`, `${lines.join("")}exit ${code}\n`);
  }
}

/** Rewrites a script from package.json: it runs the program that the tests have bundled, not `tsx` or `run.sh`. */
function withoutSetup(script: string): string {
  const words = (file: string) => commandFor(file, []).map((word) => `"${word}"`);
  return script.replace(/^(?:tsx|exec sh scripts\/run\.sh) (\S+)/, (_, file: string) => words(file).join(" "));
}
