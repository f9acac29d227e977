import { gameAt } from "../../sdk/games/index.js";
import { takeTurn } from "../../sdk/turn.js";
import { Seat } from "../../sdk/status.js";
import { timeText } from "../../sdk/text.js";
import { readAddress, readDuration, readMatchId } from "./arguments.js";
import { textOf, type PlayCommand } from "./command.js";
import { keepAnswer, keeperOf } from "./keys.js";
import { viewMatch, warnOfClock } from "./match.js";
import { report } from "./offers.js";
import { log, type Result } from "./output.js";
import type { Session } from "./session.js";
import { eventsOf } from "./events.js";

/** What is done in a match that runs. */
export const turns: readonly PlayCommand[] = [
  {
    usage: "act <match> [move...]",
    description: "take your turn, or that of a player whose operator you are: answer, open, or move",
    run: act,
  },
  {
    usage: "open <match> [move...]",
    description: "the same, of a seal: open it, with your move of the next round where one follows",
    run: act,
  },
  {
    usage: "resign <match>",
    description: "give up: the other player takes the pot",
    async run(session, [id]) {
      const { hash } = await (await session.client()).resign(readMatchId(id));
      return report(session, readMatchId(id), hash);
    },
  },
  {
    usage: "timeout <match>",
    description: "end a match whose deadline has passed; anyone may",
    async run(session, [id]) {
      const { hash } = await (await session.client()).timeout(readMatchId(id));
      return report(session, readMatchId(id), hash);
    },
  },
  {
    usage: "allow <operator>",
    description: "let somebody act for you in your matches, and do nothing else",
    options: [
      ["--for <time>", "for how long, e.g. 12h", "7d"],
      ["--revoke", "no longer"],
    ],
    async run(session, [word], flags) {
      const operator = readAddress(word, "operator");
      const client = await session.client();
      const seconds = readDuration(textOf(flags, "for")!, "--for");
      const until = flags.revoke === true ? 0 : (await client.now()) + seconds;
      const { hash } = await client.allow(operator, until);
      const text = until === 0 ? "may no longer act for you" : `may act for you until ${timeText(BigInt(until))}`;
      return { data: { operator, until, transaction: hash }, text: `${operator} ${text}.` };
    },
  },
];

/** Takes the turn that is due, with a move in words where one is needed. */
export async function act(session: Session, [id, ...words]: readonly string[]): Promise<Result> {
  const matchId = readMatchId(id);
  const { terms, player1, player2, turn: seat, token } = await viewMatch(session, matchId);
  await warnOfClock(session, matchId);
  const keeper = keeperOf(session, terms.game, seat === Seat.Two ? player2! : player1);
  let told = false;
  const { hash } = await takeTurn(await session.client(), session.history, matchId, {
    keeper,
    move: async (turn) => gameAt(terms.game, session.deployment.addresses).moves.read(words, turn, keeper),
    keep: async (action, turn) => keepAnswer(session, turn, words, action),
    onWait: (seconds) => {
      if (!told) log(`Waiting until the other's move is final, for ${seconds} s at most.`);
      told = true;
    },
    onHurry: () => log("The deadline is near: acting before the other's move is final."),
  });
  const events = eventsOf(await session.history.match(matchId), token);
  const { status } = await viewMatch(session, matchId);
  return { data: { matchId, status, transaction: hash }, text: events.at(-1)!.text };
}
