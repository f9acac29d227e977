import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../../scripts/document.js";

const PACK = "npm pack -w sdk -w contracts -w create";
const INSTALL = "npm install ./duello-*.tgz --prefer-offline --no-audit --no-fund";
const PROGRAMS = join(ROOT, "test", "scripts", "packages", "outside");

/** Packages that the packed ones need, and other tools in versions that are known to work with them. */
const VERSIONS = { chai: "6.3.0", ethers: "6.17.0", solc: "0.8.24", typescript: "5.9.3" };

/** Tools that are taken from the project, in the tested versions, because installing them takes longest. */
const LINKED = ["hardhat", "viem", "vite", ".bin/hardhat"];

let packs: Promise<string> | undefined;

/** Packs all packages, once for all tests of a run. @returns the folder with the packs. */
export function packed(): Promise<string> {
  return (packs ??= pack());
}

async function pack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "duello-packs-"));
  await run(`${PACK} --pack-destination ${folder}`, ROOT);
  return folder;
}

after(async () => {
  if (packs) rmSync(await packs, { recursive: true });
});

/** A folder outside the project with both packages installed. */
export class Outside {
  readonly folder = mkdtempSync(join(tmpdir(), "duello-outside-"));

  /** Installs both packed packages, and the tools that are used with them. */
  async install(): Promise<void> {
    cpSync(await packed(), this.folder, { recursive: true });
    this.write("package.json", JSON.stringify({ private: true, type: "module", dependencies: VERSIONS }));
    await this.run(INSTALL);
    for (const name of LINKED) symlinkSync(join(ROOT, "node_modules", name), join(this.folder, this.installed(name)));
    cpSync(PROGRAMS, this.folder, { recursive: true });
  }

  /** Runs a shell command there. @returns its output. @throws Error if it fails, with its output. */
  async run(command: string): Promise<string> {
    return run(command, this.folder);
  }

  /** Checks the types of files, including those of the packages. @returns the output of the compiler. */
  async compile(module: object, ...include: string[]): Promise<string> {
    const compilerOptions = { ...module, target: "es2023", strict: true, noEmit: true, types: [] };
    this.write("tsconfig.json", JSON.stringify({ compilerOptions, include }));
    return this.run("node_modules/.bin/tsc -p .");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  readJson(file: string): unknown {
    return JSON.parse(this.read(file));
  }

  /** Lists the files that match a pattern. */
  files(pattern: string): string[] {
    return globSync(pattern, { cwd: this.folder }).sort();
  }

  /** Returns the path of a file of an installed package. */
  installed(name: string, file = ""): string {
    return join("node_modules", name, file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Returns the environment of commands that a user types: without the settings of npm and Hardhat for this test. */
export function environment(changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^(npm_|HARDHAT_|HH_|DUELLO_|NODE_(ENV|OPTIONS)$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: "1", ...changes };
}

/** Runs a shell command in a folder. @returns its output. @throws Error if it fails, with its output. */
export async function run(command: string, cwd: string, changes: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = environment(changes);
  const child = spawn(command, { shell: true, cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [printed, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${printed}${errors}`);
  return printed;
}
