import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import { JsonRpcProvider } from "ethers";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { readJson } from "../../cli/shared/files/json.js";
import { urlOf } from "../../scripts/local-chain.js";
import { play } from "../../cli/play/program.js";
import { Arena__factory, Fighters__factory } from "../../typechain-types/index.js";
import { runInside } from "./inside.js";
import { PATIENCE } from "./patience.js";
import {
  commandFor,
  freePort,
  listens,
  runScript,
  startScript,
  stopScripts,
  type Ended,
  type Running,
} from "./running.js";

/** A person's terminal, with its own files and the person's account. */
export class Terminal {
  constructor(
    readonly home: string,
    private readonly who: readonly string[],
    private readonly environment: NodeJS.ProcessEnv,
    private readonly isOutside = false,
  ) {}

  /** Starts a command in a separate process. */
  start(...args: string[]): Running {
    return this.script("cli/play/main.ts", ...args);
  }

  /** Starts another program in a separate process. */
  script(script: string, ...args: string[]): Running {
    return runScript(script, [...this.who, ...args], this.variables);
  }

  /** Environment variables of its commands. */
  get variables(): NodeJS.ProcessEnv {
    return { ...this.environment, DUELLO_HOME: this.home };
  }

  /** Runs a command to its end, in this process, because starting another takes longer than most commands. */
  async end(...args: string[]): Promise<Ended> {
    if (this.isOutside) return this.start(...args).ended;
    return runInside(() => play([...this.who, ...args]), { ...this.environment, DUELLO_HOME: this.home });
  }

  /** Returns another terminal of the same person, one that runs commands in separate processes. */
  outside(): Terminal {
    return new Terminal(this.home, this.who, this.environment, true);
  }

  /** Runs a command that must succeed without output on standard error. @returns its standard output. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.end(...args);
    expect([code, stderr], args.join(" ")).to.deep.equal([0, ""]);
    return stdout.trimEnd();
  }

  /** Runs a command with --json. */
  async json<T = Record<string, string>>(...args: string[]): Promise<T> {
    return JSON.parse(await this.run(...args, "--json")) as T;
  }

  /** Runs a command that must fail with one line on standard error, and none on standard output. @returns the line. */
  async fail(code: number, ...args: string[]): Promise<string> {
    const ended = await this.end(...args);
    expect(ended.stderr, args.join(" ")).to.match(/^[^\n]+\n$/);
    expect([ended.code, ended.stdout], ended.stderr).to.deep.equal([code, ""]);
    return ended.stderr.trimEnd();
  }

  /** Runs a command in a pseudo-terminal, and types a text. @returns the screen output. */
  async attended(typed: string, ...args: string[]): Promise<string> {
    const child = this.atTerminal(args);
    let screen = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
    const closed = once(child, "close").then(() => true);
    // Input before the prompt is on the screen may be lost.
    while (!(await Promise.race([closed, pause(200, false)]))) {
      if (screen.includes("Warning")) child.stdin.write(typed);
    }
    return screen;
  }

  /**
   * Runs a command in a pseudo-terminal. Types each text as soon as its pattern appears after the previous screen
   * content.
   * @returns the exit code, and the screen without colours.
   */
  async typing(
    steps: readonly (readonly [RegExp, string])[],
    ...args: string[]
  ): Promise<{ code: number; screen: string }> {
    // Without a width, each line would be one character wide.
    const child = this.atTerminal(args, "stty cols 200 rows 50; ");
    let [screen, typed] = ["", 0];
    const left = [...steps];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
    const closed = once(child, "close").then(() => true);
    while (!(await Promise.race([closed, pause(100, false)]))) {
      if (left.length === 0 || !left[0][0].test(stripVTControlCharacters(screen.slice(typed)))) continue;
      typed = screen.length;
      child.stdin.write(left.shift()![1]);
    }
    return { code: child.exitCode!, screen: stripVTControlCharacters(screen) };
  }

  /** Starts a command in a pseudo-terminal. @param before Shell commands to run before it. */
  private atTerminal(args: readonly string[], before = "") {
    const command = commandFor("cli/play/main.ts", [...this.who, ...args]).join(" ");
    const env = { ...process.env, TERM: "xterm", CI: undefined, ...this.environment, DUELLO_HOME: this.home };
    const child = spawn("script", ["-qec", `${before}${command}`, "/dev/null"], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
      timeout: PATIENCE,
    });
    // The command may end while text is being typed.
    child.stdin.on("error", () => undefined);
    return child;
  }

  /** Returns the same terminal with other environment variables. */
  with(changes: NodeJS.ProcessEnv): Terminal {
    return new Terminal(this.home, this.who, { ...this.environment, ...changes });
  }

  /** Returns a terminal of the same person without files. */
  async elsewhere(changes: NodeJS.ProcessEnv = {}): Promise<Terminal> {
    return new Terminal(await mkdtemp(`${this.home}-`), this.who, { ...this.environment, ...changes });
  }
}

/** A running `npm start`, and the folder of its deployment. */
interface Started {
  chain: Running;
  port: number;
  deployments: string;
}

let started: Promise<Started> | undefined;

async function start(): Promise<Started> {
  const port = await freePort();
  const deployments = await mkdtemp(join(tmpdir(), "duello-"));
  const chain = startScript(
    "scripts/start.ts",
    ["--port", String(port), "--game", "auto-battler", "--no-agent", "--no-page"],
    {
      DUELLO_DEPLOYMENTS: deployments,
    },
  );
  await listens(chain);
  return { chain, port, deployments };
}

after(async () => {
  if (!started) return;
  const { chain, deployments } = await started;
  chain.child.kill("SIGKILL");
  await rm(deployments, { recursive: true });
});

/**
 * Returns a running `npm start`, with terminals and direct access to the chain. All tests of a run share it, because
 * starting it takes longer than most of them. Closing a world reverts the chain.
 */
export async function startWorld() {
  const { port, deployments } = await (started ??= start());
  const folder = await mkdtemp(join(tmpdir(), "duello-"));
  await copyFile(join(deployments, "31337.json"), join(folder, "31337.json"));
  const environment = { DUELLO_RPC_URL: urlOf(port), DUELLO_DEPLOYMENTS: folder };
  const provider = new JsonRpcProvider(urlOf(port), 31_337, { cacheTimeout: -1, staticNetwork: true });
  const { addresses } = (await readJson(join(folder, "31337.json"))) as Deployment;
  const fresh: unknown = await provider.send("evm_snapshot", []);
  return {
    port,
    /** Folder for the files of tests, with the deployment file. */
    folder,
    provider,
    /** Addresses of the test accounts, by number. */
    accounts: (await provider.listAccounts()).map(({ address }) => address),
    addresses,
    arena: Arena__factory.connect(addresses.Arena, provider),
    fighters: Fighters__factory.connect(addresses.Fighters, provider),
    /** Opens a terminal without files. */
    terminal: async (who: readonly string[], changes: NodeJS.ProcessEnv = {}) => {
      return new Terminal(await mkdtemp(join(folder, "home-")), who, { ...environment, ...changes });
    },
    /** Advances the chain's time to a timestamp. */
    until: async (time: bigint) => {
      await provider.send("evm_setNextBlockTimestamp", [Number(time)]);
      await provider.send("evm_mine", []);
    },
    /** Advances the chain's time by seconds. */
    pass: async (seconds: number) => {
      await provider.send("evm_increaseTime", [seconds]);
      await provider.send("evm_mine", []);
    },
    close: async () => {
      stopScripts();
      await provider.send("evm_revert", [fresh]);
      provider.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

export type PlayWorld = Awaited<ReturnType<typeof startWorld>>;
