import { Contract, type ContractRunner } from "ethers";
import { Arena__factory, type Arena } from "../../typechain-types/index.js";

/** State of a match, as the arena returns it. */
export type ArenaMatch = Awaited<ReturnType<Arena["matchOf"]>>;

/** Interface of the arena. */
export const arenaAbi = Arena__factory.createInterface();

/** Connects to the arena at an address, without parsing its interface again, which takes longer than most calls. */
export function arenaAt(address: string, runner: ContractRunner): Arena {
  return new Contract(address, arenaAbi, runner) as unknown as Arena;
}
