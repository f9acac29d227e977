import { JsonRpcProvider } from "ethers";
import { History, mismatchText, replay } from "duello";
import { ticTacToe } from "duello/games/tic-tac-toe";

/** Replays a match of one game in a page without other games. @returns the first mismatch, in words. */
export async function mismatchIn(url, addresses, matchId) {
  const { mismatch } = await replay(new History(new JsonRpcProvider(url), addresses), [ticTacToe], matchId);
  return mismatch && mismatchText(mismatch);
}
