import { ZeroAddress } from "ethers";
import { autoBattler } from "../../sdk/games/auto-battler.js";
import { decodeTeam } from "../../sdk/games/auto-battler/match.js";
import { timeText } from "../../sdk/text.js";
import { AutoBattler__factory, Fighters__factory } from "../../typechain-types/index.js";
import { readAddress, readNumber } from "./arguments.js";
import { textOf, type PlayCommand } from "./command.js";
import { sealedBy } from "./keys.js";
import { acceptWarnings } from "./output.js";
import type { Session } from "./session.js";

const MAX_ID = 2n ** 128n - 1n;
const STATS = ["attack", "defense", "health", "speed", "range", "combo"];

/** Fighters, and what is done with them outside of fights. */
export const fighters: readonly PlayCommand[] = [
  {
    usage: "fighters",
    description: "fighters with their tiers, and what keeps them from fighting: yours, or another's",
    options: [["--of <address>", "whose"]],
    async run(session, _, flags) {
      const of = textOf(flags, "of");
      const owner = of === undefined ? await (await session.signer()).getAddress() : readAddress(of, "--of");
      const ids = await session.history.fightersOf(owner);
      const now = BigInt((await session.provider.getBlock("latest"))!.timestamp);
      const data = await Promise.all(ids.map((id) => view(session, id)));
      const text = data.map(({ id, tiers, golden, matchId, until }) => {
        const stats = STATS.map((stat, i) => `${stat} ${tiers[i]}`).join(" ");
        const rest = until > now ? `cools down until ${timeText(until)}` : "ready";
        return `${id}  ${stats}${golden ? "  golden" : ""}  ${matchId > 0n ? `in match ${matchId}` : rest}`;
      });
      return { data, text: text.length > 0 ? text : `${owner} has no fighters.` };
    },
  },
  {
    usage: "fighters approve <fighter> <operator>",
    description: "let somebody, e.g. a market, move a fighter of yours; OPERATOR may be none",
    async run(session, [text, word], flags) {
      const id = readNumber(text, "fighter", 1n, MAX_ID);
      const operator = word === "none" ? ZeroAddress : readAddress(word, "operator");
      if (operator !== ZeroAddress) await acceptWarnings(await sealedIn(session, id), flags.yes);
      const sent = await (await contractOf(session)).approve(operator, id);
      await sent.wait();
      const data = { fighter: id, operator, transaction: sent.hash };
      return {
        data,
        text: operator === ZeroAddress ? `Nobody may move fighter ${id}.` : `${operator} may move fighter ${id}.`,
      };
    },
  },
  {
    usage: "fighters transfer <fighter> <to>",
    description: "give a fighter of yours away",
    async run(session, [text, word], flags) {
      const id = readNumber(text, "fighter", 1n, MAX_ID);
      const to = readAddress(word, "to");
      await acceptWarnings(await sealedIn(session, id), flags.yes);
      const from = await (await session.signer()).getAddress();
      const sent = await (await contractOf(session))["safeTransferFrom(address,address,uint256)"](from, to, id);
      await sent.wait();
      return { data: { fighter: id, to, transaction: sent.hash }, text: `Fighter ${id} belongs to ${to}.` };
    },
  },
];

async function contractOf(session: Session) {
  return Fighters__factory.connect(session.deployment.addresses.Fighters, await session.signer());
}

async function view(session: Session, id: bigint) {
  const { addresses } = session.deployment;
  const game = AutoBattler__factory.connect(addresses.AutoBattler, session.provider);
  const [traits, { matchId, until }] = await Promise.all([session.history.fighter(id), game.busyUntil(id)]);
  return { id, ...traits, matchId, until };
}

/** A warning for each of the caller's open matches whose sealed team needs the fighter. */
async function sealedIn(session: Session, fighter: bigint): Promise<string[]> {
  const sealed = await sealedBy(session, autoBattler);
  return sealed
    .filter(({ move }) => decodeTeam(move).includes(fighter))
    .map(
      ({ matchId }) =>
        `Fighter ${fighter} is in the team you sealed in match ${matchId}: without it you lose the whole pot.`,
    );
}
