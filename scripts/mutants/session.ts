/**
 * Runs the tests in the files that are its arguments, in the folder of a project whose contracts contain mutants, for
 * `Session`.
 */
import hre from "hardhat";
import "../../test/support/keccak.js";
import type { MutantId } from "./messages.js";
import { Runner } from "./runner.js";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/** Milliseconds after which a test counts as failed. */
const TIMEOUT = 180_000;
/** Beneficiary of blocks which makes the contracts report each mutant that they reach. */
const RECORDING = `0x${"f".repeat(40)}`;
/** Beneficiary that switches no mutant on: the number of none. */
const NONE = `0x${"e".repeat(40)}`;

process.env.NODE_ENV = "test";
process.env.HH_TEST = "true";

const connections = new Set<Connection>();
let beneficiary = RECORDING;
let reached = new Set<MutantId>();
hre.hooks.registerHandlers("network", {
  onCoverageData: async (_context, tags) => {
    for (const tag of tags) reached.add(Number(`0x${tag}`));
  },
  newConnection: async (context, next) => {
    const connection = await next(context);
    connections.add(connection);
    await setBeneficiary(connection);
    return connection;
  },
  closeConnection: async (context, connection, next) => {
    connections.delete(connection);
    await next(context, connection);
  },
});

const switches = {
  async activate(mutant: MutantId | undefined) {
    beneficiary = mutant === undefined ? NONE : `0x${mutant.toString(16).padStart(40, "0")}`;
    for (const connection of connections) await setBeneficiary(connection);
  },
  takeReached() {
    const taken = reached;
    reached = new Set();
    return taken;
  },
};

// The first connection registers the assertions about transactions.
await hre.network.create();
await new Runner(switches, TIMEOUT).serve(process.argv.slice(2));

/** Sets the beneficiary of a chain's blocks; fixtures are then deployed again. */
async function setBeneficiary({ provider, networkHelpers }: Connection): Promise<void> {
  networkHelpers.clearSnapshots();
  await provider.request({ method: "hardhat_setCoinbase", params: [beneficiary] });
}
