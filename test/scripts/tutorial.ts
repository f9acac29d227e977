import { expect } from "chai";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { startChromium } from "../page/support/chromium.js";
import { PATIENCE } from "../support/patience.js";
import { commandsOf, patternOf, readDocument, ROOT, TEMPLATE, TUTORIAL, type Block } from "../../scripts/document.js";
import { environment, packed, run } from "./packages/outside.js";
import { PackRegistry } from "./packages/registry.js";

/** Files of the smallest complete game, and how many lines they have together. */
const GAME = ["contracts/Brink.sol", "src/brink.ts"];
const MAX_LINES = 100;

/** Any free ports, instead of those that a chain and page of the machine may have. */
const FREE_PORTS = { CHAIN_PORT: "0", PAGE_PORT: "0" };

const START = "npm start";
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

const CREATE = join(ROOT, "create", "index.js");

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifestIn = (...folders: string[]) =>
  JSON.parse(readFileSync(join(...folders, "package.json"), "utf8")) as Manifest;

/** Reader who starts in an empty folder, and does what the tutorial says. */
class Reader {
  readonly outputs: string[] = [];
  /** Excerpt of a file that the next block of this file may replace. */
  private excerpt?: Block;
  private started?: ChildProcess;
  private printed = "";

  constructor(
    private folder: string,
    private readonly settings: NodeJS.ProcessEnv,
    private readonly freshCache: string,
  ) {}

  /** Follows a block: types commands, compares or changes files, or compares what `npm start` has printed. */
  async follow(block: Block): Promise<void> {
    if (block.file !== undefined) return this.edit(block, block.file);
    if (block.language === "text") return this.expectPrinted(block);
    for (const { command, stays } of commandsOf(block)) {
      if (command.startsWith("cd ")) this.folder = join(this.folder, command.slice(3));
      else if (stays) await this.start(command);
      else this.outputs.push(await run(command, this.folder, this.settingsFor(command)));
    }
  }

  /** npm keeps what it runs by its version, so a package that has changed needs a fresh cache. */
  private settingsFor(command: string): NodeJS.ProcessEnv {
    return command.startsWith("npm create") ? { ...this.settings, npm_config_cache: this.freshCache } : this.settings;
  }

  /** Address of the page that `npm start` serves. */
  get address(): string {
    return ADDRESS.exec(this.printed)![0];
  }

  /** Stops what runs until it is stopped. @returns its exit code. */
  async stop(): Promise<number | null> {
    const { started } = this;
    if (!started || started.exitCode !== null) return started?.exitCode ?? null;
    const ended = once(started, "exit") as Promise<[number | null]>;
    started.kill("SIGTERM");
    return (await ended)[0];
  }

  /** Checks that a block is in its file, or replaces the block before it. */
  private edit(block: Block, file: string): void {
    const path = join(this.folder, file);
    const text = readFileSync(path, "utf8");
    const parts = text.split(block.text);
    if (parts.length === 2) this.excerpt = block;
    else {
      expect([parts.length, this.excerpt?.file], `${block.at} is not in its file once`).to.deep.equal([1, file]);
      writeFileSync(
        path,
        text.replace(this.excerpt!.text, () => block.text),
      );
      this.excerpt = undefined;
    }
  }

  private async start(command: string): Promise<void> {
    expect(command).to.equal(START);
    const env = environment({ ...this.settings, ...FREE_PORTS });
    const [program, ...args] = command.split(" ");
    const child = spawn(program, args, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.started = child;
    const failed = new Promise<never>((_, reject) => {
      child.once("close", (code) => reject(new Error(`${command} ended with ${code}:\n${this.printed}`)));
    });
    const ready = new Promise<void>((resolve) => {
      for (const output of [child.stdout, child.stderr])
        output.setEncoding("utf8").on("data", (text: string) => {
          this.printed += text;
          if (ADDRESS.test(this.printed)) resolve();
        });
    });
    await Promise.race([ready, failed]);
    failed.catch(() => undefined);
  }

  /** Compares with the start of lines, whatever the port. */
  private expectPrinted({ text }: Block): void {
    expect(text).to.match(ADDRESS);
    const pattern = patternOf(text.trimEnd().replace(ADDRESS, "…"));
    expect(this.printed).to.match(new RegExp(`^${pattern}$`, "m"));
  }
}

describe("The tutorial, from an empty folder to a staked match in a browser", () => {
  const { blocks } = readDocument(TUTORIAL);
  let folder: string;
  let registry: PackRegistry;
  let reader: Reader;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-tutorial-"));
    const empty = join(folder, "empty");
    mkdirSync(empty);
    registry = await PackRegistry.start(await packed());
    const npm = { registry: registry.url, prefer_offline: "true", audit: "false", fund: "false", yes: "true" };
    const settings = Object.fromEntries(Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]));
    reader = new Reader(empty, settings, join(folder, "npm"));
  });

  after(async () => {
    await reader.stop();
    registry.close();
    rmSync(folder, { recursive: true });
  });

  it("works as written, with a page on which the program plays for a stake", async function () {
    const begun = performance.now();
    for (const block of blocks) await reader.follow(block);
    const tests = reader.outputs.filter((output) => / passing/.test(output));
    expect(tests).to.have.length(2);
    expect(tests[0])
      .to.include("✔ is won by the player at the edge")
      .and.not.match(/ failing/);
    expect(tests[1])
      .to.include("✔ is lost by the player at the edge")
      .and.not.match(/ failing/);
    const browser = await startChromium();
    if (!browser) this.skip();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE);
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.goto(reader.address);
      await page.getByText("Your purse: 1000 FIGHT").waitFor();
      await page.getByRole("button", { name: "4", exact: true }).click();
      await page.getByText("The TypeScript engine computes the same match.").waitFor();
      const text = await page.locator("main").innerText();
      const [, outcome, paid] = /^(You win|You lose|A draw)\b.*You receive (\d+) FIGHT\.$/m.exec(text)!;
      expect(paid).to.equal({ "You win": "16", "You lose": "0", "A draw": "10" }[outcome]);
      await page.getByText(`Your purse: ${990 + Number(paid)} FIGHT`).waitFor();
      const [log] = /\{"one":4,.*\}/.exec(text)!;
      const { one, two, edge } = JSON.parse(log) as Record<"one" | "two" | "edge", number>;
      await page.getByRole("img", { name: `You: ${one} steps, The program: ${two} steps, edge: ${edge}` }).waitFor();
      expect(errors).to.deep.equal([]);
    } finally {
      await browser.close();
    }
    expect(await reader.stop()).to.equal(0);
    console.log(`      The tutorial took ${Math.round((performance.now() - begun) / 1000)} seconds.`);
  });
});

describe("The package create-duello-game", () => {
  let folder: string;
  const create = (...args: string[]) =>
    run(`node ${CREATE} ${args.join(" ")}`, folder).catch((error: unknown) => (error as Error).message);

  before(async () => {
    // Packing also builds the command.
    await packed();
    folder = mkdtempSync(join(tmpdir(), "duello-create-"));
  });

  after(() => rmSync(folder, { recursive: true }));

  it("passes publint", async () => {
    const { messages } = await publint({ pkgDir: join(ROOT, "create"), pack: false, strict: true });
    expect(messages).to.deep.equal([]);
  });

  it(`has a template whose contract and module have at most ${MAX_LINES} lines together`, () => {
    const lines = GAME.map(
      (file) =>
        readFileSync(join(ROOT, TEMPLATE, file), "utf8")
          .trimEnd()
          .split("\n").length,
    );
    expect(lines[0] + lines[1]).to.be.at.most(MAX_LINES);
  });

  it("has a template with the tested versions of packages", () => {
    const { dependencies, devDependencies } = manifestIn(ROOT, TEMPLATE);
    const tested = ["", "page", "examples/blotto"].map((each) => manifestIn(ROOT, each));
    const known = Object.assign({}, ...tested.flatMap((each) => [each.devDependencies, each.dependencies])) as object;
    const { duello, "duello-contracts": contracts, ...others } = dependencies;
    expect([duello, contracts]).to.deep.equal(["*", "*"]);
    expect(known).to.include({ ...others, ...devDependencies });
  });

  it("creates a project of the given name, which uses the packages of its own version", async () => {
    expect(await create("sticks-2")).to.match(/^Your game is in sticks-2\. Next:\n/);
    const { version } = manifestIn(ROOT, "create");
    const manifest = manifestIn(folder, "sticks-2");
    expect(manifest).to.include({ name: "sticks-2" });
    expect(manifest.dependencies).to.include({ duello: version, "duello-contracts": version });
    expect(existsSync(join(folder, "sticks-2", ".gitignore"))).to.equal(true);
  });

  it("rejects a bad name or a folder that is not free, in one line, and writes nothing", async () => {
    mkdirSync(join(folder, "taken"));
    writeFileSync(join(folder, "taken", "notes"), "");
    writeFileSync(join(folder, "file"), "");
    const before = readdirSync(folder, { recursive: true });
    for (const [args, message] of [
      [["taken"], "taken exists, and is not an empty folder."],
      [["file"], "file exists, and is not an empty folder."],
      [["../up"], '"../up" is not 1 to 100 small letters, digits and hyphens, the first no hyphen.'],
      [["My-Game"], '"My-Game" is not 1 to 100 small letters, digits and hyphens, the first no hyphen.'],
      [[], "Name one new folder, not 0: npm create duello-game my-game"],
      [["one", "two"], "Name one new folder, not 2: npm create duello-game my-game"],
    ] as const) {
      expect((await create(...args)).split("\n").slice(1), args.join(" ")).to.deep.equal([
        "ended with 1:",
        message,
        "",
      ]);
    }
    expect(readdirSync(folder, { recursive: true })).to.deep.equal(before);
  });
});
