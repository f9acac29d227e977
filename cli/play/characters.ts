import { ZeroAddress } from "ethers";
import { countersText } from "../../sdk/games/counters.js";
import { games } from "../../sdk/games/index.js";
import { addressOfGame } from "../../sdk/games/list.js";
import type { Characters, GameModule } from "../../sdk/games/module.js";
import { approvedOperatorsOf } from "../../sdk/games/operators.js";
import { Characters__factory } from "../../typechain-types/index.js";
import { readAddress, readCharacterId } from "../../sdk/protocol/arguments.js";
import { upperFirst } from "../../sdk/protocol/text.js";
import { readPlayer, type PlayCommand } from "../shared/command/command.js";
import { committedBy } from "../shared/match/matches.js";
import { acceptWarnings } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";

const STATS = "--stats";

/** Commands for the characters of every game that has characters: fighters and cards. */
export const characters: readonly PlayCommand[] = games.flatMap((game) =>
  game.characters ? commandsOf(game, game.characters) : [],
);

function commandsOf(game: GameModule, kind: Characters): PlayCommand[] {
  const { noun } = kind;
  const one = upperFirst(noun);
  const readId = (text: string) => readCharacterId(text, noun);

  /** Warns if the caller has committed to the character in a team of an open match. */
  async function acceptLoss(context: CommandContext, id: bigint, yes?: boolean): Promise<void> {
    const matches = await committedIn(context, game, kind, id);
    const warning = (match: bigint) =>
      `${one} ${id} is in the team you have committed to in match ${match}: without it you lose the whole pot.`;
    await acceptWarnings(matches.map(warning), yes);
  }

  return [
    {
      usage: `${noun}s`,
      description: `list your ${noun}s, or another player's: their stats, what keeps them from fighting, and your matches they are committed in`,
      examples: [`${noun}s`],
      options: [
        ["--of <address>", "owner, if not you"],
        ...(kind.countedBy === "events"
          ? [[STATS, "also what each has done in battles, from all events"] as const]
          : []),
      ],
      async run(context, _, flags) {
        const owner = await readPlayer(context, flags, "of");
        const isCounted = kind.countedBy === "contract" || flags.stats === true;
        const list = await listOf(context, game, kind, owner, isCounted);
        const text = list.length > 0 ? list.map((each) => each.text) : `${owner} has no ${noun}s.`;
        return { data: list.map(({ data }) => data), text };
      },
    },
    {
      usage: `${noun}s approve <${noun}> <operator>`,
      description: `approve an address, e.g. a market, to move a ${noun} of yours; OPERATOR may be none`,
      examples: [`${noun}s approve 56 none`],
      async run(context, [text, addressText], flags) {
        const id = readId(text);
        const operator = addressText === "none" ? ZeroAddress : readAddress(addressText, "operator");
        const action = { call: "approve", what: `${noun}s approve ${id} ${operator}`, content: [noun, id, operator] };
        const { hash } = await context.once(action, async () => {
          if (operator !== ZeroAddress) await acceptLoss(context, id, flags.yes);
          const outbox = await context.outbox();
          return outbox.mined(contractOf(context, kind).connect(outbox).approve(operator, id));
        });
        const who = operator === ZeroAddress ? "Nobody" : operator;
        return { data: { [noun]: id, operator, transaction: hash }, text: `${who} may move ${noun} ${id}.` };
      },
    },
    {
      usage: `${noun}s transfer <${noun}> <to>`,
      description: `give a ${noun} of yours away`,
      examples: [`${noun}s transfer 56 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc`],
      async run(context, [text, addressText], flags) {
        const id = readId(text);
        const to = readAddress(addressText, "to");
        const action = { call: "safeTransferFrom", what: `${noun}s transfer ${id} ${to}`, content: [noun, id, to] };
        const { hash } = await context.once(action, async () => {
          await acceptLoss(context, id, flags.yes);
          const outbox = await context.outbox();
          const token = contractOf(context, kind).connect(outbox);
          const from = await outbox.getAddress();
          return outbox.mined(token["safeTransferFrom(address,address,uint256)"](from, to, id));
        });
        return { data: { [noun]: id, to, transaction: hash }, text: `${one} ${id} belongs to ${to}.` };
      },
    },
  ];
}

function contractOf({ deployment, provider }: CommandContext, { contract }: Characters) {
  return Characters__factory.connect(deployment.addresses[contract], provider);
}

/**
 * Lists the characters of an owner. Commitments are shown to the owner only.
 * @param isCounted True to read the counters too.
 */
async function listOf(context: CommandContext, game: GameModule, kind: Characters, owner: string, isCounted: boolean) {
  const ids = await kind.ownedBy(owner, context.history);
  const address = addressOfGame(game, context.deployment.addresses);
  const teams = owner === (await context.caller()) ? await committedTeams(context, game, kind) : [];
  const operators = ids.length > 0 ? await approvedOperatorsOf(kind, owner, context.history) : [];
  const all = operators?.map((operator) => `all approved to ${operator}`) ?? ["nobody says whether all are approved"];
  const block = await context.provider.getBlockNumber();
  const counters = isCounted ? await kind.counters(ids, context.history, block, address) : [];
  const view = async (id: bigint, i: number) => {
    const [{ data, text, obstacle }, approved] = await Promise.all([
      kind.describe(id, context.history, address),
      contractOf(context, kind).getApproved(id),
    ]);
    const committed = teams.filter(({ team }) => team.includes(id)).map(({ matchId }) => matchId);
    const remarks = [
      ...(obstacle === undefined ? [] : [obstacle]),
      ...committed.map((matchId) => `committed in match ${matchId}`),
      ...(approved === ZeroAddress ? [] : [`approved to ${approved}`]),
      ...all,
    ];
    const counted = counters.slice(i, i + 1);
    const columns = [id, text, ...counted.map((each) => countersText(each, kind.mainCounters))];
    const line = [...columns, remarks.length > 0 ? remarks.join(", ") : "ready"].join("  ");
    return {
      data: { ...data, ...(isCounted && { counters: counted[0] }), committed, approved, operators },
      text: line,
    };
  };
  return Promise.all(ids.map(view));
}

/** Finds the caller's open matches whose committed team includes the character. */
async function committedIn(context: CommandContext, game: GameModule, kind: Characters, id: bigint): Promise<bigint[]> {
  const teams = await committedTeams(context, game, kind);
  return teams.filter(({ team }) => team.includes(id)).map(({ matchId }) => matchId);
}

async function committedTeams(context: CommandContext, game: GameModule, kind: Characters) {
  const committed = await committedBy(context, game);
  return committed.map(({ matchId, move }) => ({ matchId, team: kind.idsIn(move) }));
}
