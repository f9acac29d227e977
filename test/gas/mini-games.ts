import { id, keccak256 } from "ethers";
import { encodeMode } from "../../sdk/games/mini-games/mode.js";
import { encodeAnswer, encodeReveal, NO_STATE, commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { MiniGames__factory } from "../../typechain-types/index.js";
import { billed } from "./bill.js";
import { DAY, type Player } from "./chain.js";
import { create, hashFor, join, reveal, termsFor, type Plan } from "./match.js";
import { friendly, type Costs, type World } from "./world.js";

const ROCK_PAPER_SCISSORS = encodeMode({ kind: 0, ties: 1 });
const UNDERCUT = encodeMode({ kind: 6, ties: 0 });
const [ROCK, PAPER] = ["0x00", "0x01"];
const STEPS = {
  "create, a firm offer to a named opponent": create,
  "join in one step": join,
  "reveal, play, pay": reveal,
};

/** First and later matches of rock-paper-scissors, by transactions, and modes. */
export async function miniGames(world: World): Promise<Costs> {
  const game = await new MiniGames__factory(world.deployer).deploy(world.arena);
  const address = await game.getAddress();
  const costs: Costs = {
    "mini-games, register a mode: a new one": await world.gasOf(game.registerMode(ROCK_PAPER_SCISSORS)),
    "mini-games, register a mode: a known one": await world.gasOf(game.registerMode(ROCK_PAPER_SCISSORS)),
  };
  const play = async (who: string, terms: Terms) => {
    const match = await planned(world, address, terms);
    let whole = 0;
    for (const [what, step] of Object.entries(STEPS)) {
      const gas = await world.gasOf(step(match));
      costs[`mini-games, ${what}: ${who}`] = gas;
      whole += gas;
    }
    costs[`mini-games, all three transactions: ${who}`] = whole;
  };
  const terms = await termsFor(world, { game: address, mode: keccak256(ROCK_PAPER_SCISSORS) });
  await play("first-time players, unknown terms, rated, with stakes", terms);
  const from = world.sent.length;
  await play("returning players, rated, with stakes", terms);
  Object.assign(costs, await billed(world, "a mini-game", from));
  await game.registerMode(UNDERCUT);
  const unrated = { ...terms, mode: keccak256(UNDERCUT), ...friendly };
  await planned(world, address, unrated).then(create);
  await play("returning players, undercut, unrated, without stakes", unrated);
  return costs;
}

/**
 * The next match of Carol, who plays paper, against Dave, who plays rock. They start with full purses and unrated.
 */
async function planned(world: World, game: string, terms: Terms): Promise<Plan> {
  const [player1, player2]: Player[] = [world.carol, world.dave];
  const [salt, answerSalt] = [id("salt of player 1"), id("salt of player 2")];
  const commitment = commitmentOf(world.chainId, game, player1.address, PAPER, salt);
  const head = { round: 1, state: NO_STATE };
  return {
    matchId: (await world.arena.matchCount()) + 1n,
    player1,
    player2,
    terms,
    offerHash: hashFor(terms, player1, commitment),
    firmUntil: (await world.now()) + DAY,
    createData: commitment,
    joinData: encodeAnswer({ ...head, commitment, move: ROCK, salt: answerSalt }),
    revealData: encodeReveal({ ...head, salt, move: PAPER, answerMove: ROCK, answerSalt, next: "0x" }),
  };
}
