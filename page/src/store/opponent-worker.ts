import { chooseIn, Practice } from "duello/practice";
import { load } from "duello/catalogue";
import type { OpponentAnswer, OpponentRequest } from "./opponent.ts";

/** Answers one request: loads the game and the match, and lets its strategy choose. */
export async function answerRequest(request: OpponentRequest): Promise<void> {
  const post = (answer: OpponentAnswer) => postMessage(answer);
  await choose(request).then(
    (moveArgs) => post({ moveArgs }),
    (error: unknown) => post({ error: error instanceof Error ? error.message : String(error) }),
  );
}

async function choose({ game, saved }: OpponentRequest): Promise<readonly string[]> {
  return chooseIn(await Practice.load(await load(game), saved));
}
