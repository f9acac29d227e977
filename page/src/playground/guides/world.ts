import {
  Client,
  firstTurn,
  games,
  History,
  modesToRegister,
  offerOf,
  Seat,
  SeededRandom,
  stockGame,
  takeTurn,
  TEST_CHAIN,
  turnOf,
  walletSecretStore,
  type Addresses,
  type Turn,
} from "duello";
import { id, Interface, parseEther, ZeroHash } from "ethers";
import { deploy, deployer, type Bytecodes, type Deployed } from "../deploy.ts";
import { mint } from "../mint.ts";
import { PlaygroundProvider, type Responder } from "../provider.ts";
import { signing, testAccounts } from "./accounts.ts";
import type { StartChain } from "./guides.ts";

/** What each player gets, as on the local chain of `npm start`. */
const GIFT = parseEther("1000");
const FIGHTERS = 7;
/** Seed of the fighters, which are the same in every run. A guide says that fighter 1 tires, so it must not be golden. */
const SEED = id("guides");
/** Stake of each player of match 1, and the clock. */
const STAKE = parseEther("100");
const CLOCK = 86_400n;

const owning = new Interface(["function mint(address, uint256)", "function registerMode(bytes)"]);

/** A chain as the guides expect it. */
export interface GuideWorld {
  readonly chain: Responder;
  /** The deployment, in the form of the file that `npm start` writes. */
  readonly deployment: { readonly chainId: number; readonly block: number; readonly addresses: Addresses };
}

/**
 * Prepares a chain as `npm start` does: all contracts and modes, players with FIGHT and fighters, and match 1 between
 * accounts 2 and 3. Only the auto-battler is played, and nobody has cards, since the guides need neither.
 */
export async function openGuideWorld(startChain: StartChain, bytecodes: Bytecodes): Promise<GuideWorld> {
  const accounts = testAccounts();
  const names = accounts.map(({ address }) => address);
  const chain = signing(await startChain(names), accounts);
  const provider = new PlaygroundProvider(chain, TEST_CHAIN);
  const [owner, treasury, ...players] = names;
  const addresses = await deploy(provider, games, bytecodes, owner, treasury);
  const send = async (to: string, data: string): Promise<unknown> =>
    provider.send("eth_sendTransaction", [{ from: owner, to, data }]);
  for (const game of games) {
    for (const { content } of modesToRegister(game)) {
      await send(addresses[game.contract], owning.encodeFunctionData("registerMode", [content]));
    }
  }
  const beside = await deployBeside(provider, addresses, bytecodes, owner);
  for (const player of players) {
    await send(addresses.FightToken, owning.encodeFunctionData("mint", [player, GIFT]));
  }
  await mint(provider, stockGame("auto-battler"), addresses, owner, {
    players,
    count: FIGHTERS,
    random: new SeededRandom(SEED),
  });
  await playFirstMatch(provider, addresses);
  provider.destroy();
  const deployment = { chainId: Number(TEST_CHAIN), block: 0, addresses: { ...addresses, ...beside } };
  return { chain, deployment };
}

/** Contract that a game has beside its own, and the contract of characters that it reads. */
interface Beside {
  readonly contract: string;
  readonly characters?: string;
}

/** Deploys the decoders and previews of all games. */
async function deployBeside(
  provider: PlaygroundProvider,
  addresses: Deployed,
  bytecodes: Bytecodes,
  owner: string,
): Promise<Record<string, string>> {
  const put = deployer(provider, bytecodes, owner);
  const deployed: Record<string, string> = {};
  const beside: Beside[] = games.flatMap(({ decoder, preview }) => [decoder ?? [], preview ?? []].flat());
  for (const { contract, characters } of beside) {
    deployed[contract] = await put(contract, ...(characters ? [addresses[characters]] : []));
  }
  return deployed;
}

/** Plays a rated match of the auto-battler between accounts 2 and 3, with suggested teams. */
async function playFirstMatch(provider: PlaygroundProvider, addresses: Addresses): Promise<void> {
  const game = stockGame("auto-battler");
  const { moves } = game;
  const { AutoBattler: address, FightToken: token } = addresses;
  const history = new History(provider, addresses);
  const clients = await Promise.all(
    [2, 3].map(async (account) => Client.connect(addresses, [game], await provider.getSigner(account))),
  );
  const stores = await Promise.all(clients.map((client) => walletSecretStore(client, address)));
  for (const client of clients) await client.deposit(token, STAKE);
  const [alice, bob] = clients;
  const suggested = async (turn: Turn) => moves.suggest(turn, stores[turn.seat === Seat.One ? 0 : 1]);

  const stakes = { token, stake1: STAKE, stake2: STAKE };
  const terms = { game: address, mode: ZeroHash, clock: CLOCK, rated: true, ...stakes };
  const first = firstTurn(terms, alice.address, history);
  const data = await moves.create(await suggested(first), first, stores[0]);
  const { matchId } = await alice.create({ terms, opponent: bob.address, data });
  const record = await history.match(matchId);
  const answer = turnOf(record, Seat.Two, bob.address, history);
  await bob.join(offerOf(record), await moves.join(await suggested(answer), answer, stores[1]));
  await takeTurn(alice, history, matchId, { secretStore: stores[0], move: suggested });
}
