import type { BaseContract } from "ethers";
import type { GameModule } from "../../sdk/games/module.js";

/**
 * Deploys a game's contract on a new in-process chain, to call its `preview` only: the arena and tokens that it is
 * given are not contracts.
 * @returns the contract, and a function that closes the chain.
 */
export async function previewContract(
  game: GameModule,
): Promise<{ contract: BaseContract; close: () => Promise<void> }> {
  // Imported here so that simulating in TypeScript does not wait for Hardhat.
  const { network } = await import("hardhat");
  const { ethers, close } = await network.create();
  const [owner] = await ethers.getSigners();
  const factory = await ethers.getContractFactory(game.contract);
  const anyAddresses = factory.interface.deploy.inputs.map(() => owner.address);
  const contract = await factory.deploy(...anyAddresses);
  return { contract, close };
}
