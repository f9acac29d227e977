import { openMatch } from "../../sdk/opening.js";
import { timeText } from "../../sdk/text.js";
import { readAddress, readDuration, readMatchId } from "./arguments.js";
import { textOf, type PlayCommand } from "./command.js";
import { secretOf } from "./keys.js";
import { viewMatch } from "./match.js";
import { report } from "./offers.js";
import { log } from "./output.js";
import { eventsOf } from "./events.js";

/** What is done in a match that runs. */
export const turns: readonly PlayCommand[] = [
  {
    usage: "open <match>",
    description: "open the move you sealed, or a player's for whom you are an operator, once the answer is final",
    async run(session, [id]) {
      const matchId = readMatchId(id);
      const client = await session.client();
      let told = false;
      const { hash } = await openMatch(client, session.history, matchId, (record) => secretOf(session, record), {
        onWait: (seconds) => {
          if (!told) log(`Waiting until the answer is final, for ${seconds} s at most.`);
          told = true;
        },
        onHurry: () => log("The deadline is near: opening before the answer is final."),
      });
      const view = await viewMatch(session, matchId);
      const events = eventsOf(await session.history.match(matchId), view.token);
      const data = { matchId, status: view.status, transaction: hash };
      return { data, text: events.at(-1)!.text };
    },
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
