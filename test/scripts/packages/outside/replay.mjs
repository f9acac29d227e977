import { JsonRpcProvider } from "ethers";
import { History } from "duello";
import { ticTacToe } from "duello/games/tic-tac-toe";

/** Replays a match of one game, in a page that knows no other. */
export async function replayed(url, addresses, matchId) {
  const history = new History(new JsonRpcProvider(url), addresses);
  return ticTacToe.replay(await history.match(matchId), history);
}
