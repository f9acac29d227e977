import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Properties of a user's network that Hardhat uses. */
interface Entry {
  name: string;
  chainId: number;
  rpc: string;
  explorer?: string;
  kind?: "generic" | "l1" | "op";
}

/**
 * Reads `networks.json` for Hardhat's configuration, which loads before any module of the project can. Treats a
 * malformed file as empty, so that other commands still work: those that use the file report its errors.
 * @param folder Folder of the deployment files.
 */
export function ownNetworks(folder: string): Entry[] {
  try {
    const entries = JSON.parse(readFileSync(join(folder, "networks.json"), "utf8")) as Entry[];
    return entries.every(isUsable) ? entries : [];
  } catch {
    return [];
  }
}

function isUsable({ name, chainId, rpc, explorer = rpc, kind = "generic" }: Entry): boolean {
  const isChain = Number.isSafeInteger(chainId) && chainId > 0 && ["generic", "l1", "op"].includes(kind);
  return typeof name === "string" && isChain && URL.parse(rpc) !== null && URL.parse(explorer) !== null;
}

/** Describes the explorers of networks, by chain id, for publishing the source. */
export function explorersOf(networks: readonly Entry[]) {
  const described = networks.flatMap(({ name, chainId, explorer, kind = "generic" }) => {
    if (explorer === undefined) return [];
    const url = explorer.replace(/\/+$/, "");
    const blockscout = { name: "Blockscout", url, apiUrl: `${url}/api` };
    return [[chainId, { name, chainType: kind, blockExplorers: { blockscout } }] as const];
  });
  return Object.fromEntries(described);
}
