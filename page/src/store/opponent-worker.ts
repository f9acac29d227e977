import { load } from "../catalogue.ts";
import type { OpponentAnswer, OpponentRequest } from "./opponent.ts";

// The page runs this file in a Worker. It listens immediately, because a request that came earlier would be lost.
addEventListener("message", ({ data }: MessageEvent<OpponentRequest>) => {
  const post = (answer: OpponentAnswer) => postMessage(answer);
  choose(data).then(
    (move) => post({ move }),
    (error: unknown) => post({ error: error instanceof Error ? error.message : String(error) }),
  );
});

/** Loads the game and the match, and lets the game's strategy choose at a level. */
async function choose({ game, saved, level }: OpponentRequest): Promise<unknown> {
  const { chooseIn, Practice } = await import("duello/practice");
  return chooseIn(await Practice.load(await load(game), saved), level);
}
