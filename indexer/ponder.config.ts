import { traitsOf } from "../sdk/chain/traits.js";
import { createConfig } from "ponder";
import { deployedCharacters, deployedGames } from "../sdk/games/list.js";
import { games } from "./src/games.js";
import { channelsOf } from "../sdk/chain/channels.js";
import { interfaceOf } from "../sdk/chain/events.js";
import type { CharacterContract } from "../sdk/chain/character-contract.js";
import { Arena__factory, Channels__factory, Characters__factory, IGame__factory } from "../typechain-types/index.js";
import { endWithParent } from "./parent.js";
import { ownSetting } from "./setting.js";

endWithParent();

const { chainId, block, addresses, rpc, pause, folder } = ownSetting();
const startBlock = block;
const channels = channelsOf(addresses.Arena) as `0x${string}`;
const address = (name: string) => addresses[name] as `0x${string}`;

/** Returns the name and the settings of a character contract for Ponder's configuration. */
function tokenSource({ contract, minted }: CharacterContract) {
  const own = JSON.parse(interfaceOf(minted).formatJson()) as typeof Characters__factory.abi;
  const abi = [...Characters__factory.abi, ...own];
  return [contract, { chain: "duello", abi, address: address(contract), startBlock }] as const;
}

export default createConfig({
  ...(folder !== undefined && { database: { kind: "pglite", directory: folder } }),
  chains: {
    // A restarted local chain has the same id as its predecessor, but other data: Ponder must not reuse cached data.
    duello: { id: chainId, rpc: [...rpc], pollingInterval: pause, disableCache: traitsOf(chainId).isRestarted },
  },
  contracts: {
    Arena: { chain: "duello", abi: Arena__factory.abi, address: address("Arena"), startBlock },
    Channels: { chain: "duello", abi: Channels__factory.abi, address: channels, startBlock },
    Game: {
      chain: "duello",
      abi: IGame__factory.abi,
      address: deployedGames(games, addresses).map(({ contract }) => address(contract)),
      startBlock,
    },
    ...Object.fromEntries(deployedCharacters(games, addresses).map(tokenSource)),
  },
});
