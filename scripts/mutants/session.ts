/**
 * Runs the tests in the files that are its arguments, in the folder of a project whose contracts contain mutants, for
 * `Session`.
 */
import hre from "hardhat";
import "../../test/support/keccak.js";
import { restartable } from "./chains.js";
import type { MutantId } from "./messages.js";
import { Runner } from "./runner.js";

/** Milliseconds after which a test counts as failed. */
const TIMEOUT = 180_000;
/**
 * Bytes of memory at which this process ends: the chain keeps each step of a call, and a mutant may make a call loop until
 * it has used up its gas.
 */
const MAX_MEMORY = 6 * 2 ** 30;
/** Beneficiary of blocks which makes the contracts report each mutant that they reach. */
const RECORDING = `0x${"f".repeat(40)}`;
/** Beneficiary that switches no mutant on: the number of none. */
const NONE = `0x${"e".repeat(40)}`;

process.env.NODE_ENV = "test";
process.env.HH_TEST = "true";

let beneficiary = RECORDING;
let reached = new Set<MutantId>();
const restart = restartable(async ({ provider }) => {
  await provider.request({ method: "hardhat_setCoinbase", params: [beneficiary] });
});
hre.hooks.registerHandlers("network", {
  onCoverageData: async (_context, tags) => {
    for (const tag of tags) reached.add(Number(`0x${tag}`));
  },
});

const switches = {
  async activate(mutant: MutantId | undefined) {
    beneficiary = mutant === undefined ? NONE : `0x${mutant.toString(16).padStart(40, "0")}`;
    await restart();
  },
  takeReached() {
    const taken = reached;
    reached = new Set();
    return taken;
  },
};

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY) process.kill(process.pid, "SIGKILL");
}, 500).unref();

// The first connection registers the assertions about transactions.
await hre.network.create();
await new Runner(switches, TIMEOUT).serve(process.argv.slice(2));
