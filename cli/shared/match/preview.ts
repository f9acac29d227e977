import type { BaseContract } from "ethers";
import type { GameModule } from "../../../sdk/games/module.js";

const ONLY_IN_CHECKOUT =
  "The contracts run on Hardhat with their build: a checkout of the project has both, its package neither.";

/**
 * Deploys the contract with a game's `preview` on a new in-process chain, only to call `preview`: its arena and tokens
 * are not contracts.
 * @returns the contract, and a function that closes the chain.
 */
export async function previewContract(
  game: GameModule,
): Promise<{ contract: BaseContract; close: () => Promise<void> }> {
  return loneContract((game.preview ?? game).contract);
}

/**
 * Deploys a contract on a new in-process chain, given addresses that are not contracts.
 * @param name Name of the contract, whose constructor takes addresses only.
 * @returns the contract, and a function that closes the chain.
 */
export async function loneContract(name: string): Promise<{ contract: BaseContract; close: () => Promise<void> }> {
  // Hardhat is imported here, so that simulating in TypeScript does not wait for it.
  const { network } = await import("hardhat").catch((cause: unknown) => {
    throw new Error(ONLY_IN_CHECKOUT, { cause });
  });
  const connection = await network.create();
  // An unrelated Hardhat may be installed next to the package.
  if (!("ethers" in connection)) throw new Error(ONLY_IN_CHECKOUT);
  const { ethers } = connection;
  const [owner] = await ethers.getSigners();
  const factory = await ethers.getContractFactory(name);
  const anyAddresses = factory.interface.deploy.inputs.map(() => owner.address);
  const contract = await factory.deploy(...anyAddresses);
  return { contract, close: () => connection.close() };
}
