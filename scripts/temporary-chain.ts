import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonRpcProvider } from "ethers";
import { channelsOf } from "../sdk/chain/channels.js";
import type { Addresses } from "../sdk/chain/addresses.js";
import type { ChannelsAt } from "../sdk/protocol/channels/messages.js";
import { ChainServer } from "./chain-server.js";
import { deployTo, urlOf } from "./local-chain.js";

/** A local chain with all contracts, for one measurement. */
export interface TemporaryChain {
  /** Folder for the files of the measurement, which also holds the deployment file. */
  folder: string;
  url: string;
  provider: JsonRpcProvider;
  addresses: Addresses;
  at: ChannelsAt;
}

/** Runs a function beside a new local chain, and removes the chain and its folder afterwards. */
export async function onTemporaryChain<T>(run: (chain: TemporaryChain) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "duello-"));
  const { DUELLO_DEPLOYMENTS: deployments } = process.env;
  process.env.DUELLO_DEPLOYMENTS = folder;
  const server = await ChainServer.start(0);
  const port = Number(new URL(server.url).port);
  const provider = new JsonRpcProvider(urlOf(port), undefined, { cacheTimeout: -1, staticNetwork: true });
  try {
    const { addresses, chainId } = await deployTo(provider, port);
    const at = { chainId: BigInt(chainId), channels: channelsOf(addresses.Arena) };
    return await run({ folder, url: urlOf(port), provider, addresses, at });
  } finally {
    provider.destroy();
    await server.close();
    process.env.DUELLO_DEPLOYMENTS = deployments;
    if (deployments === undefined) delete process.env.DUELLO_DEPLOYMENTS;
    await rm(folder, { recursive: true });
  }
}
