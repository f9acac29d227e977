import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Configuration of the project: contracts with mutants are larger, need more gas, and cause warnings. */
const CONFIGURATION = `
import original from "./hardhat.original.ts";

const [, ...plugins] = original.plugins!;
const { version, path, settings } = original.solidity.profiles.default;
const compiler = { version, path, settings: { ...settings, optimizer: { enabled: true, runs: 1, details: { yul: true, yulDetails: { optimizerSteps: "u:" } } } } };
const gas = 100_000_000;
export default {
  ...original,
  plugins,
  solidity: { profiles: { default: compiler } },
  networks: {
    ...original.networks,
    default: { ...original.networks!.default, gas, blockGasLimit: 3 * gas, allowUnlimitedContractSize: true, hardfork: "prague" },
  },
};
`;

/** Thrown if a function has more mutants than the compiler has room for on the stack. */
export class StackTooDeep extends Error {
  /** @param mutant Number of one of them. */
  constructor(
    readonly mutant: number,
    output: string,
  ) {
    super(`The contracts with mutants do not compile.\n${output}`);
  }
}

/** Copies the project into an empty folder, with other contracts, and compiles them. @throws StackTooDeep, or an Error with the compiler's output */
export function createProject(folder: string, sources: ReadonlyMap<string, string>): void {
  const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  cpSync("typechain-types", join(folder, "typechain-types"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  for (const [file, source] of sources) writeFileSync(join(folder, file), source);
  cpSync(join(folder, "hardhat.config.ts"), join(folder, "hardhat.original.ts"));
  writeFileSync(join(folder, "hardhat.config.ts"), CONFIGURATION);
  const { status, stdout, stderr } = spawnSync("hardhat", ["build", "--quiet", "--no-typechain"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status === 0) return;
  const output = `${stdout}${stderr}`;
  const deep = /too deep in the stack[^]*?mutantOn\((\d+)\)/.exec(output);
  if (deep) throw new StackTooDeep(Number(deep[1]), output);
  throw new Error(`The contracts with mutants do not compile.\n${output}`);
}
