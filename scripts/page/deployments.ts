import { readdirSync } from "node:fs";
import { JsonRpcProvider, FetchRequest } from "ethers";
import { deploymentFile, deploymentsFolder, readDeploymentFile } from "../../cli/shared/node/deployment.js";
import { readNetworks } from "../../cli/shared/node/networks.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { PageDeployment } from "../../sdk/chain/deployment.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { isPath } from "./policy.js";

/** Milliseconds to wait for a node. */
const TIMEOUT = 10_000;

/** A node's answer about its chain. */
interface About {
  chainId: number;
  genesis?: string;
}

/**
 * Reads all deployments for the page, with the nodes that their files, networks.json and the caller name.
 * @param urls Nodes of the caller, which come first; each reports its chain.
 * @param chains Ids of the chains that the page is for; defaults to all.
 * @param indexes URLs of indexes, which replace those that the files name; each reports its deployment.
 * @throws InputError if a node does not answer or has another chain, if an index belongs to no deployment, or if a
 * chain has no deployment.
 */
export async function pageDeployments(
  urls: readonly string[],
  chains: readonly string[] | undefined,
  indexes: readonly string[] = [],
): Promise<PageDeployment[]> {
  const deployed = chainsWithFile();
  const unknown = chains?.find((chain) => !deployed.includes(chain));
  if (unknown !== undefined) throw new InputError("--chain", `there is no ${deploymentFile(unknown)}`);
  const asked = await Promise.all(
    urls.map(async (url) => ({
      url,
      about: await askNode(url).catch((error: unknown) => {
        throw new InputError(url, `it does not answer: ${(error as Error).message}`);
      }),
    })),
  );
  const networks = await readNetworks();
  const deployments = await Promise.all(
    (chains ?? deployed).map(Number).map(async (chainId) => {
      const { rpc: local, ...deployment } = (await readDeploymentFile(chainId))!;
      const own = networks.filter((network) => network.chainId === chainId);
      const given = asked.filter(({ about }) => about.chainId === chainId);
      const rpc = [
        ...new Set([...given.map(({ url }) => url), ...own.map((network) => network.rpc), local ?? []].flat()),
      ];
      const genesis = given[0]?.about.genesis ?? (await genesisOf(rpc, chainId)) ?? deployment.genesis;
      return { ...deployment, name: own[0]?.name, genesis, rpc };
    }),
  );
  const lost = asked.find(({ about }) => !deployments.some(({ chainId }) => chainId === about.chainId));
  if (lost)
    throw new InputError(lost.url, `it is a node of chain ${lost.about.chainId}, on which the page has no deployment`);
  for (const index of indexes) (await indexedBy(index, deployments)).index = index;
  return deployments;
}

/** Finds the deployment of an index. If it is a path, only one deployment may exist, and the host need not run yet. */
async function indexedBy(index: string, deployments: readonly PageDeployment[]): Promise<PageDeployment> {
  if (isPath(index)) {
    if (deployments.length === 1) return deployments[0];
    throw new InputError(
      "--index",
      `a path is for a page of one deployment, not of ${deployments.length}: use --chain`,
    );
  }
  let trouble = "the page has no deployment";
  for (const deployment of deployments) {
    try {
      await IndexClient.open(index, deployment, { timeLimit: TIMEOUT });
      return deployment;
    } catch (error) {
      trouble = (error as Error).message;
    }
  }
  throw new InputError("--index", trouble);
}

/** Lists the ids of the chains with a deployment file. */
function chainsWithFile(): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(deploymentsFolder());
  } catch {
    // Without the folder there are no deployments, and the page offers only practice.
  }
  const chains = names.map((name) => /^(\d+)\.json$/.exec(name)?.[1]).filter((chain) => chain !== undefined);
  return chains.sort((a, b) => Number(a) - Number(b));
}

/** Returns the hash of a chain's first block from the first node that answers; if no node does, the page asks later. */
async function genesisOf(urls: readonly string[], chainId: number): Promise<string | undefined> {
  for (const url of urls) {
    const about = await askNode(url).catch(() => undefined);
    if (about?.chainId === chainId && about.genesis !== undefined) return about.genesis;
  }
  return undefined;
}

async function askNode(url: string): Promise<About> {
  const request = new FetchRequest(url);
  request.timeout = TIMEOUT;
  request.setThrottleParams({ maxAttempts: 1 });
  const provider = new JsonRpcProvider(request, 1, { staticNetwork: true });
  try {
    const [chainId, first] = await Promise.all([
      provider.send("eth_chainId", []) as Promise<string>,
      provider.send("eth_getBlockByNumber", ["0x0", false]).catch(() => null) as Promise<{ hash: string } | null>,
    ]);
    return { chainId: Number(chainId), genesis: first?.hash };
  } finally {
    provider.destroy();
  }
}
