import type { BaseContract } from "ethers";
import type { GameModule } from "../../sdk/games/module.js";

/**
 * Deploys the contract with a game's `preview` on a new in-process chain, to call that only: the arena and tokens that it
 * is given are not contracts.
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
  // Imported here so that simulating in TypeScript does not wait for Hardhat.
  const { network } = await import("hardhat");
  const { ethers, close } = await network.create();
  const [owner] = await ethers.getSigners();
  const factory = await ethers.getContractFactory(name);
  const anyAddresses = factory.interface.deploy.inputs.map(() => owner.address);
  const contract = await factory.deploy(...anyAddresses);
  return { contract, close };
}
