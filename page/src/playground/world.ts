import {
  Client,
  COIN,
  cryptoSource,
  History,
  MemorySecretStore,
  TEST_CHAIN,
  type Addresses,
  type GameModule,
  type Hex,
} from "duello";
import { dataSlice, getAddress, id, toQuantity } from "ethers";
import { bytecodes } from "virtual:playground-contracts";
import { PlaygroundChain } from "./chain.ts";
import { deploy } from "./deploy.ts";
import type { ToldContract } from "./entries.ts";
import { mint } from "./mint.ts";
import { PlaygroundProvider, PlaygroundSigner } from "./provider.ts";

const [OWNER, ...PLAYERS] = ["owner", "player 1", "player 2"].map((name) => getAddress(dataSlice(id(name), 12)));

/** Number of characters that each player gets, in games with characters. */
const CHARACTERS = 6;

/** One of the two players. */
export interface PlaygroundPlayer {
  readonly client: Client;
  readonly secretStore: MemorySecretStore;
}

/** A chain with the contracts of one game, and two players. */
export interface World {
  readonly module: GameModule;
  readonly provider: PlaygroundProvider;
  readonly addresses: Addresses;
  readonly history: History;
  readonly players: readonly [PlaygroundPlayer, PlaygroundPlayer];
  /** The deployed contracts, in their order. */
  readonly contracts: readonly ToldContract[];
  /** Names of accounts and contracts by their addresses. */
  readonly names: ReadonlyMap<string, string>;
}

/** Starts a chain, and prepares everything for a match of a game. @param content Content of the match's mode. */
export async function openWorld(module: GameModule, content: Hex): Promise<World> {
  const chain = await PlaygroundChain.start({ chainId: TEST_CHAIN, accounts: [OWNER, ...PLAYERS] });
  const provider = new PlaygroundProvider(chain, TEST_CHAIN);
  const addresses = await deploy(provider, [module], bytecodes, OWNER);
  const game = addresses[module.contract];
  const [one, two] = await Promise.all(
    PLAYERS.map(async (address) => {
      const client = await Client.connect(addresses, [module], new PlaygroundSigner(address, provider));
      return { client, secretStore: new MemorySecretStore(client.committer(game)) };
    }),
  );
  const contracts = await contractsOf(provider, addresses);
  await one.client.registerMode(game, content);
  await mint(provider, module, addresses, OWNER, { players: PLAYERS, count: CHARACTERS, random: cryptoSource });
  const names = new Map(Object.entries(addresses).map(([name, address]) => [address, name]));
  names.set(OWNER, "the owner").set(COIN, "none: the coin of the chain");
  for (const [side, address] of PLAYERS.entries()) names.set(address, `Player ${side + 1}`);
  const history = new History(provider, addresses);
  return { module, provider, addresses, history, players: [one, two], contracts, names };
}

/** Lists the contracts that were deployed, with the gas of each. */
async function contractsOf(provider: PlaygroundProvider, addresses: Addresses): Promise<ToldContract[]> {
  const told: ToldContract[] = [];
  for (let number = 1; number <= Object.keys(addresses).length; number++) {
    const block = (await provider.send("eth_getBlockByNumber", [toQuantity(number), false])) as {
      transactions: string[];
    };
    const receipt = await provider.getTransactionReceipt(block.transactions[0]);
    const deployed = Object.entries(addresses).find(([, address]) => address === receipt?.contractAddress);
    if (receipt && deployed) told.push({ name: deployed[0], gas: receipt.gasUsed });
  }
  return told;
}
