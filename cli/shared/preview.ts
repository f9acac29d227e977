import type { BaseContract } from "ethers";
import type { GameModule } from "../../sdk/games/module.js";

/**
 * Deploys a game's built contract on a new in-process chain, for its `preview` only: the arena and tokens it is given
 * are not contracts. `close` ends the chain.
 */
export async function previewContract(
  game: GameModule,
): Promise<{ contract: BaseContract; close: () => Promise<void> }> {
  // Imported here, because who simulates in TypeScript should not wait for the chain.
  const { network } = await import("hardhat");
  const { ethers, close } = await network.create();
  const [owner] = await ethers.getSigners();
  const factory = await ethers.getContractFactory(game.contract);
  const anyAddresses = factory.interface.deploy.inputs.map(() => owner.address);
  const contract = await factory.deploy(...anyAddresses);
  return { contract, close };
}
