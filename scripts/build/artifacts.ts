import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { InterfaceAbi } from "ethers";

/** File next to the generated types that records their sources. */
const SOURCES = "typechain-types/sources.json";

/** Packages that the code of the contracts depends on. */
const PACKAGES = ["solc", "hardhat", "@openzeppelin/contracts", "solady"];

/** The parts of a contract's artifact that its generated type determines. */
export interface Artifact {
  contractName: string;
  sourceName: string;
  abi: InterfaceAbi;
  bytecode: string;
}

/** Returns the hash of everything that determines the compiled contracts. @param root Folder of the project. */
export async function sourcesHash(root: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of [...globSync("contracts/**/*.sol", { cwd: root }).sort(), "hardhat.config.ts"]) {
    hash.update(`${file}\n${await readFile(join(root, file), "utf8")}\n`);
  }
  const { packages } = await jsonIn<{ packages: Record<string, { integrity?: string }> }>(
    join(root, "package-lock.json"),
  );
  for (const name of PACKAGES) hash.update(`${name} ${packages[`node_modules/${name}`].integrity}\n`);
  return hash.digest("hex");
}

/** Records that the generated types match the current sources. @param root Folder of the project. */
export async function recordSources(root: string): Promise<void> {
  await writeFile(join(root, SOURCES), `${JSON.stringify({ hash: await sourcesHash(root) })}\n`);
}

/** Reads ABI and bytecode of all contracts from their generated types. @param root Folder of the project. */
export async function artifactsOfTypes(root: string): Promise<Artifact[]> {
  const cwd = join(root, "typechain-types/factories");
  return Promise.all(
    globSync("**/*__factory.ts", { cwd }).map(async (file) => {
      const path = file.replaceAll("\\", "/").replace("__factory.ts", "");
      const contractName = path.slice(path.lastIndexOf("/") + 1);
      const module = (await import(pathToFileURL(join(cwd, file)).href)) as Record<
        string,
        { abi: InterfaceAbi; bytecode?: string }
      >;
      const { abi, bytecode = "0x" } = module[`${contractName}__factory`];
      return { contractName, sourceName: `contracts/${path}.sol`, abi, bytecode };
    }),
  );
}

/**
 * Writes the artifacts of all contracts from their generated types, without data for debugging and verifying. Keeps
 * artifacts on disk if they have the same code, since those of a build have that data.
 * @param root Folder of the project.
 * @returns false if the types belong to other sources; nothing is written then.
 */
export async function restoreArtifacts(root: string): Promise<boolean> {
  const { hash } = await jsonIn<{ hash: string }>(join(root, SOURCES)).catch(() => ({ hash: undefined }));
  if (hash !== (await sourcesHash(root))) return false;
  const artifacts = await artifactsOfTypes(root);
  const kept = await Promise.all(artifacts.map((artifact) => isWritten(root, artifact)));
  if (kept.every(Boolean)) return true;
  // Otherwise the next build would treat the restored artifacts as its own.
  for (const path of ["artifacts", "cache/compile-cache.json"])
    await rm(join(root, path), { recursive: true, force: true });
  for (const artifact of artifacts) {
    const path = pathOf(root, artifact);
    const none = { deployedBytecode: "0x", linkReferences: {}, deployedLinkReferences: {} };
    const { sourceName } = artifact;
    const whole = { _format: "hh3-artifact-1", ...artifact, ...none, inputSourceName: `project/${sourceName}` };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(whole, null, 2));
  }
  return true;
}

/** Returns whether the artifact on disk has the same code and interface. */
async function isWritten(root: string, artifact: Artifact): Promise<boolean> {
  const written = await jsonIn<Artifact>(pathOf(root, artifact)).catch(() => undefined);
  return written?.bytecode === artifact.bytecode && isDeepStrictEqual(written.abi, artifact.abi);
}

function pathOf(root: string, { sourceName, contractName }: Artifact): string {
  return join(root, "artifacts", sourceName, `${contractName}.json`);
}

/** Reads a JSON file. */
async function jsonIn<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}
