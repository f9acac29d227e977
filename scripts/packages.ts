/**
 * `npm run packages`: builds the packages that others install, `duello` in sdk/, `duello-contracts` in contracts/ and
 * `create-duello-game` in create/. The contracts must be compiled.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import hre from "hardhat";
import { glob, runTypeChain } from "typechain";
import Duello from "../ignition/modules/Duello.js";
import { addressesOf } from "../cli/shared/node/deployment.js";
import { isHelped } from "../cli/shared/command/program.js";
import { TEST_CHAIN } from "../sdk/chain/traits.js";
import { InputError, oneLine } from "../sdk/protocol/input.js";

/** Second test account, which is the treasury of every local chain. */
const TREASURY = 1;

const STAGE = join("cache", "package");

/** The command line of the package, which `sdk/bin/duello.js` runs. */
const COMMAND = join("sdk", "bin", "cli.js");

/** Folder of a package, at the start of a path; the innermost one of a package in another's folder. */
const PACKAGE = /^(.*\/)?node_modules\/(@[^/]+\/)?[^/]+/;

/** Files of the example game for `committedThenOpen`, by their paths in the example's own project. */
const STICKS = { "contracts/Sticks.sol": "test/mocks/Sticks.sol", "src/sticks.ts": "test/support/sticks.ts" };

const HELP = `Usage: npm run packages -- [sdk|contracts|create ...]

Build what the packages hold: duello in sdk/{dist,bin,examples}, duello-contracts in
contracts/{abi,artifacts,deployments}, and create-duello-game in create/index.js. Without arguments build all.
npm pack -w sdk -w contracts -w create does the same and packs them.

Options:
  -h, --help  display this help`;

const builders: Readonly<Record<string, () => Promise<void>>> = {
  contracts: buildContracts,
  create: buildCreate,
  sdk: buildSdk,
};

try {
  if (!isHelped(process.argv, HELP)) {
    const { positionals } = parseArgs({ allowPositionals: true });
    for (const folder of positionals.length > 0 ? positionals : Object.keys(builders)) {
      if (!(folder in builders))
        throw new InputError(folder, `no package; there are ${Object.keys(builders).join(", ")}`);
      copyFileSync("LICENSE", join(folder, "LICENSE"));
      await builders[folder]();
    }
  }
} catch (error) {
  console.error(oneLine(error instanceof Error ? error.message : String(error), Infinity));
  process.exitCode = 1;
}

/** Writes ABIs, artifacts and addresses next to the Solidity sources. */
async function buildContracts(): Promise<void> {
  const folder = (name: string) => emptied(join("contracts", name));
  const abis = folder("abi");
  await writeAbis(abis);
  writeConstants(abis, "abi");
  const artifacts = folder("artifacts");
  for (const { buildInfoId: _, ...artifact } of await ownArtifacts()) {
    if (isDeployable(artifact)) writeJson(artifacts, artifact.contractName, artifact);
  }
  const deployments = folder("deployments");
  for (const file of committedDeployments()) copyFileSync(file, join(deployments, basename(file)));
  writeJson(deployments, String(TEST_CHAIN), {
    chainId: Number(TEST_CHAIN),
    block: 0,
    addresses: await localAddresses(),
  });
  writeConstants(deployments, "deployment");
  const chains = namesIn(deployments).join(", ");
  const counts = `${namesIn(abis).length} ABIs, ${namesIn(artifacts).length} artifacts, addresses on chain ${chains}`;
  console.log(`duello-contracts in contracts/: ${counts}`);
}

/** Writes the command that copies the template, which is packed as it is. */
async function buildCreate(): Promise<void> {
  await build({
    entryPoints: [join("create", "index.ts")],
    outfile: join("create", "index.js"),
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  console.log("create-duello-game in create/: the template of a game");
}

/** Compiles the SDK against contract factories without bytecode. */
async function buildSdk(): Promise<void> {
  emptied(STAGE);
  const built = ["dist", "examples"].map((name) => join("sdk", name));
  cpSync("sdk", join(STAGE, "sdk"), { recursive: true, filter: (path) => !built.includes(path) });
  const types = join(STAGE, "typechain-types");
  const abis = emptied(join(STAGE, "abi"));
  await writeAbis(abis);
  const files = glob(process.cwd(), [join(abis, "*.json")]);
  const flags = {
    alwaysGenerateOverloads: false,
    discriminateTypes: false,
    tsNocheck: false,
    node16Modules: true,
    environment: undefined,
  } as const;
  await runTypeChain({
    cwd: process.cwd(),
    filesToProcess: files,
    allFiles: files,
    outDir: types,
    target: "ethers-v6",
    flags,
  });
  const compilerOptions = {
    noEmit: false,
    allowImportingTsExtensions: false,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rootDir: ".",
    // The output is copied into the package afterwards, so that no source map names a file outside it.
    outDir: "dist",
    types: [],
  };
  writeJson(STAGE, "tsconfig", {
    extends: "../../tsconfig.json",
    compilerOptions,
    include: ["sdk", "typechain-types"],
  });
  execFileSync(join("node_modules", ".bin", "tsc"), ["-p", STAGE], { stdio: ["ignore", "inherit", "inherit"] });
  const dist = emptied(join("sdk", "dist"));
  cpSync(join(STAGE, "dist"), dist, { recursive: true });
  writeSticks(join(emptied(join("sdk", "examples")), "sticks"));
  console.log(`duello in sdk/dist: ${globSync("**/*.js", { cwd: dist }).length} modules`);
  await bundleCommand();
}

/** Bundles the command line into one file, next to the file that runs it. */
async function bundleCommand(): Promise<void> {
  cpSync("cli", join(STAGE, "cli"), { recursive: true });
  const { metafile } = await build({
    entryPoints: [join(STAGE, "cli", "duello", "main.ts")],
    outfile: COMMAND,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    keepNames: true,
    logLevel: "error",
    // Dependencies of the package, and packages that exist only in a checkout.
    external: ["ethers", "hash-wasm", "hardhat", "tsx"],
    // CommonJS modules load Node's own modules with `require`. The bundled code imports `createRequire` itself.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);',
    },
  });
  const bundled = new Set(Object.keys(metafile.inputs).flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  writeFileSync(join(dirname(COMMAND), "LICENSES"), [...bundled].sort().map(licenseOf).join("\n"));
  console.log(`duello in ${COMMAND}: the command line, with ${bundled.size} packages`);
}

/** Returns the license of a package under its name: the license text if there is one, otherwise its name and author. */
function licenseOf(folder: string): string {
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Licensed;
  const [file] = globSync("{LICENSE,LICENCE,license}*", { cwd: folder });
  const text =
    file === undefined ? `${license}, by ${JSON.stringify(author)}\n` : readFileSync(join(folder, file), "utf8");
  return `${folder.slice("node_modules/".length)}\n\n${text}`;
}

/** License fields of a package's manifest. */
interface Licensed {
  license: string;
  author: unknown;
}

/** Writes the example of a game, which imports the packages by their names. */
function writeSticks(folder: string): void {
  for (const [path, source] of Object.entries(STICKS)) {
    const text = readFileSync(source, "utf8")
      .replaceAll('"../../contracts/', '"duello-contracts/')
      .replace(/"\.\.\/\.\.\/sdk\/[^"]+"/g, '"duello"');
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Reads the artifacts of everything in contracts/, without the artifacts of tests. */
async function ownArtifacts() {
  const names = [...(await hre.artifacts.getAllFullyQualifiedNames())].filter((name) => name.startsWith("contracts/"));
  return Promise.all(names.map((name) => hre.artifacts.readArtifact(name)));
}

/** Writes the ABI of each contract that has one, as an array. */
async function writeAbis(folder: string): Promise<void> {
  for (const { contractName, abi } of await ownArtifacts()) if (abi.length > 0) writeJson(folder, contractName, abi);
}

/** Returns whether an artifact can be deployed: a library that is compiled into its callers has no functions. */
function isDeployable({ abi, bytecode }: { abi: readonly { type: string }[]; bytecode: string }): boolean {
  return bytecode !== "0x" && abi.some(({ type }) => type === "function");
}

/** Lists the committed deployment files, which are those of public chains. Without git the list is empty. */
function committedDeployments(): string[] {
  const { stdout } = spawnSync("git", ["ls-files", "deployments/*.json"], { encoding: "utf8" });
  return (stdout ?? "").split("\n").filter((file) => /^\d+\.json$/.test(basename(file)));
}

/** Deploys to an in-process chain: every fresh local chain has the same addresses. */
async function localAddresses() {
  const connection = await hre.network.create();
  const [treasury] = (await connection.ethers.getSigners()).slice(TREASURY);
  const contracts = await connection.ignition.deploy(Duello, {
    parameters: { Duello: { treasury: treasury.address } },
  });
  const addresses = await addressesOf(contracts);
  await connection.close();
  return addresses;
}

/** Creates a folder, or empties it. */
function emptied(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of globSync("*", { cwd: folder })) rmSync(join(folder, name), { recursive: true });
  return folder;
}

function writeJson(folder: string, name: string, value: unknown): void {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Lists the names of the JSON files of a folder. */
function namesIn(folder: string): string[] {
  return globSync("*.json", { cwd: folder })
    .map((file) => basename(file, ".json"))
    .sort();
}

/**
 * For each JSON file in a folder, writes a module next to it that exports the value as a constant. Its type is the
 * exact value, as viem and wagmi need for ABIs.
 */
function writeConstants(folder: string, constant: string): void {
  for (const name of namesIn(folder)) {
    const json = readFileSync(join(folder, `${name}.json`), "utf8").trimEnd();
    writeFileSync(join(folder, `${name}.js`), `export const ${constant} = ${json};\n`);
    writeFileSync(join(folder, `${name}.d.ts`), `export declare const ${constant}: ${typeOf(JSON.parse(json))};\n`);
  }
}

/** Writes the narrowest TypeScript type of a JSON value. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(typeOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `readonly ${JSON.stringify(key)}: ${typeOf(field)}`);
  return `{ ${fields.join("; ")} }`;
}
