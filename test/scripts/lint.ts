import { expect } from "chai";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OxlintConfig } from "oxlint";
import config from "../../oxlint.config.js";

/** Examples of time limits in tests, which the rules must find. */
const PLANTED = [
  "it('a', function () { this.timeout(5000); });",
  "await page.getByText('Done').waitFor({ timeout: 6_000 });",
  "await page.waitForResponse(isTold, { timeout: SOON * 1000 });",
  "await button.click({ timeout: SHORT });",
  "await page.waitForTimeout(100);",
  "context.setDefaultTimeout(120_000);",
  "const child = spawn(program, args, { timeout: 60_000 });",
  "const client = await IndexClient.open(url, deployment, { timeLimit: 2000 });",
  "options.timeLimit = 2000;",
  "await fetch(url, { signal: AbortSignal.timeout(500) });",
  "await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 500))]);",
  "setTimeout(reject, 500);",
  "setTimeout(() => reject(new Error('too late')), 500);",
  "setTimeout(() => { throw new Error('too late'); }, 500);",
  "for (let tries = 0; tries < 50; tries++) await pause(100);",
  "for (let tries = 0; tries < 50 && !isDone(); tries++) await pause(100);",
  "while (performance.now() - start < 5000) await look();",
  "expect(performance.now() - start).to.be.lessThan(100);",
  "while (Date.now() < end) await look();",
];

/** Waits without a time limit, or with one that does not depend on the speed of the machine. */
const ALLOWED = [
  "while (!isDone()) await pause(50);",
  "await new Promise((resolve) => setTimeout(resolve, 20));",
  "context.setDefaultTimeout(PATIENCE);",
  "const child = spawn(program, args, { timeout: PATIENCE });",
  "await untilMined(node, sent, { clock, timeout: 60_000 });",
  "const mocha = new Mocha({ timeout: 0 });",
  "const calls = { timeout: everybody('TooEarly') };",
  "await arena.timeout(1);",
  "for (let i = 0; i < 3; i++) await step();",
  "await Promise.race([ended, listens(chain)]);",
];

/** Rules about time limits in tests. */
const OWN = ["eslint-js/no-restricted-syntax", "no-restricted-properties"];

describe("The lint rules for tests", () => {
  /** Messages of the linter by source. */
  const found = new Map<string, string[]>();

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), "duello-lint-"));
    const { rules } = (config as OxlintConfig).overrides!.find(({ files }) => files.includes("test/**"))!;
    const [plugin] = config.jsPlugins as { name: string; specifier: string }[];
    const specifier = fileURLToPath(import.meta.resolve(plugin.specifier));
    const own = {
      jsPlugins: [{ ...plugin, specifier }],
      categories: { correctness: "off" },
      rules: Object.fromEntries(OWN.map((name) => [name, rules![name]])),
    };
    const file = join(folder, "config.json");
    await writeFile(file, JSON.stringify(own));
    const codes = [...PLANTED, ...ALLOWED];
    for (const [i, code] of codes.entries()) {
      found.set(code, []);
      await writeFile(join(folder, `${i}.ts`), code);
    }
    const { stdout } = spawnSync("node_modules/.bin/oxlint", ["-c", file, "-f", "json", folder], { encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { message: string; help: string; filename: string }[];
    };
    for (const { message, help, filename } of diagnostics) {
      found.get(codes[Number(/(\d+)\.ts$/.exec(filename)![1])])!.push(`${message} ${help}`);
    }
    await rm(folder, { recursive: true });
  });

  for (const code of PLANTED) {
    it(`reject the time limit in: ${code}`, () => {
      const messages = found.get(code)!;
      expect(messages).to.have.length.greaterThan(0);
      for (const message of messages) expect(message).to.match(/Wait for what is meant|one limit|chain's time/);
    });
  }

  for (const code of ALLOWED) {
    it(`accept: ${code}`, () => {
      expect(found.get(code)).to.deep.equal([]);
    });
  }
});
