import { chooseIn, Practice } from "duello/practice";
import { load } from "duello/catalogue";
import type { OpponentAnswer, OpponentRequest } from "./opponent.ts";

/** Answers one request: loads the game and the match, and lets its strategy choose. */
export function answerRequests(): void {
  const post = (answer: OpponentAnswer) => postMessage(answer);
  addEventListener("message", ({ data }: MessageEvent<OpponentRequest>) => {
    choose(data).then(
      (moveArgs) => post({ moveArgs }),
      (error: unknown) => post({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
}

async function choose({ game, saved }: OpponentRequest): Promise<readonly string[]> {
  return chooseIn(await Practice.load(await load(game), saved));
}
