import { JsonRpcProvider, type Signer } from "ethers";
import { Client, games, History, replay, type Addresses, type GameView, type GameViews, type Replay } from "duello";
import { cryptoSource, MiniGameStrategy, type MiniGameView } from "duello/bots";
import { Arena__factory, type Arena } from "duello/factories";
import { ticTacToe, type TicTacToeFrame } from "duello/games/tic-tac-toe";
import arenaAbi from "duello-contracts/abi/Arena.json" with { type: "json" };
import arenaArtifact from "duello-contracts/artifacts/Arena.json" with { type: "json" };
import local from "duello-contracts/deployments/31337.json" with { type: "json" };

const addresses: Addresses = local.addresses;
const provider = new JsonRpcProvider("http://127.0.0.1:8545");
const arena: Arena = Arena__factory.connect(addresses.Arena, provider);

export async function fee(): Promise<bigint> {
  return arena.feeBps();
}

export async function seat(signer: Signer): Promise<Client> {
  return Client.connect(addresses, games, signer);
}

export async function replayed(matchId: bigint): Promise<Replay> {
  return replay(new History(provider, addresses, local.block), [ticTacToe], matchId);
}

export function move(view: MiniGameView): number {
  return new MiniGameStrategy().choose(view, cryptoSource);
}

export const parts: [string, number, string] = [ticTacToe.name, arenaAbi.length, arenaArtifact.bytecode];

const view: GameView<TicTacToeFrame> = { Scene: ({ frame, names }) => `${names[0]}: ${frame.cell}` };
export const views: GameViews = { [ticTacToe.name]: async () => ({ default: view }) };
