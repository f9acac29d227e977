/**
 * Runs the tests in the files that are its arguments, on the instrumented code in the folder that comes first, for
 * `Session`.
 */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { MutantId } from "../messages.js";

/** State that instrumented code shares with its process. */
interface Instrumentation {
  activeMutant?: string;
  hitCount?: number;
  hitLimit: number;
  mutantCoverage: { static: Record<string, number> };
}

/** Milliseconds after which a test counts as failed. */
const TIMEOUT = 60_000;
/** Runs of a mutant before it throws, since a mutant may never leave a loop. No test runs a line so often. */
const MAX_RUNS = 3_000_000;

const [folder, ...files] = process.argv.slice(2);
const shared: Instrumentation = { hitLimit: MAX_RUNS, mutantCoverage: { static: {} } };
(globalThis as { __stryker__?: Instrumentation }).__stryker__ = shared;

registerHooks({
  load(url, context, next) {
    const file = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : "";
    const instrumented = join(folder, file);
    if (file === "" || file.startsWith("..") || !existsSync(instrumented)) return next(url, context);
    return { format: "module", source: readFileSync(instrumented, "utf8"), shortCircuit: true };
  },
});

process.env.NODE_ENV = "test";
process.env.HH_TEST = "true";
const { restartable } = await import("../chains.js");
const { Runner } = await import("../runner.js");

const restart = restartable();

const switches = {
  async activate(mutant: MutantId | undefined) {
    await restart();
    shared.activeMutant = mutant?.toString();
  },
  takeReached() {
    const reached = new Set<MutantId>(Object.keys(shared.mutantCoverage.static));
    [shared.mutantCoverage.static, shared.hitCount] = [{}, 0];
    return reached;
  },
};
await new Runner(switches, TIMEOUT).serve(files);
