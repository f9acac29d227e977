import { ownFirst } from "../../sdk/player/channels/chain.js";
import type { ChannelStatus } from "../../sdk/player/channels/player.js";
import { amountText } from "../../sdk/player/amounts.js";
import { readAddress, readDuration } from "../../sdk/protocol/arguments.js";
import { InputError } from "../../sdk/protocol/input.js";
import { timeText } from "../../sdk/protocol/text.js";
import type { KeptChannel } from "../shared/channels/files.js";
import { ChannelSeat, openChannels, type SeatPolicy } from "../shared/channels/seat.js";
import { textOf, type PlayCommand } from "../shared/command/command.js";
import type { CommandContext } from "../shared/command/context.js";
import type { Result } from "../shared/command/output.js";
import { commandText } from "../shared/match/next-step.js";
import { heldText, movesOf, stoppable } from "./table.js";

/** Limits with which everything that both players have signed goes to the chain immediately. */
const AT_ONCE = { patience: 0, batch: 1, margin: 2 ** 32 };

/** Number of steps after which everything that both players have signed is on chain. */
const STEPS = 3;

/** Command that closes a channel. */
export const ups: readonly PlayCommand[] = [
  {
    usage: "up [address]",
    description:
      "get up: settle what was played with another player, and close the channel, so that both have their money in their purses; without ADDRESS from the only table at which you sit",
    examples: ["up 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"],
    options: [["--patience <time>", "how long you wait until the other player answers", "1m"]],
    async run(context, [address], flags) {
      const opponent = address === undefined ? undefined : readAddress(address, "address");
      const [kept, ...others] = await openChannels(context, opponent);
      if (!kept) throw new Error(`You do not sit with ${opponent ?? "anybody"}.`);
      if (others.length > 0 && opponent === undefined) {
        const names = [kept, ...others].map((each) => each.opponent);
        throw new InputError("address", `left out, and you sit with ${names.join(" and ")}`);
      }
      const patience = readDuration(textOf(flags, "patience")!, "--patience");
      return stoppable((signal) => getUp(context, kept, patience, { yes: flags.yes, signal }));
    },
  },
];

async function getUp(
  context: CommandContext,
  kept: KeptChannel,
  patience: number,
  { yes, signal }: { yes?: boolean; signal: AbortSignal },
): Promise<Result> {
  let failure: Error | undefined;
  const policy: SeatPolicy = {
    ask: async ({ type }) => (type === "close" ? true : undefined),
    choose: movesOf(context, { yes, signal, onFailure: (error) => (failure ??= error) }),
  };
  const end = Date.now() + patience * 1000;
  let last: ChannelStatus | undefined;
  /** Records the state after a step. @returns true if the channel is closed */
  const isClosed = (status: ChannelStatus) => {
    if (failure) throw failure;
    if (!status.chain.open && status.chain.matches.length === 0) return true;
    last = status;
    return false;
  };
  const calm = await ChannelSeat.open(context, kept, policy);
  try {
    calm.player.getUp();
    const find = (status: ChannelStatus) => isClosed(status) || (Date.now() > end ? false : undefined);
    if (await calm.until(find, { signal, waitMs: Math.min(patience, 1) * 1000 }))
      return await closed(context, kept, last);
  } finally {
    calm.close();
  }
  const hasty = await ChannelSeat.open(context, kept, policy, { limits: AT_ONCE });
  try {
    for (let left = STEPS; left > 0; left--) {
      if (await hasty.until(isClosed, { signal })) return await closed(context, kept, last);
    }
    return await unanswered(context, kept, last!);
  } finally {
    hasty.close();
  }
}

async function closed(context: CommandContext, kept: KeptChannel, last?: ChannelStatus): Promise<Result> {
  const { id: channel, opponent } = kept;
  const paid = last?.held && ownFirst(kept.player, last.held);
  const token = await context.tokens.at(kept.channel.token);
  const got =
    paid && `: ${amountText(paid.own, token)} are in your purse, and ${amountText(paid.other, token)} in the other`;
  return {
    data: { channel, opponent, isClosed: true, paid },
    text: `You have got up from the table with ${opponent}${got ?? ""}.`,
  };
}

async function unanswered(context: CommandContext, kept: KeptChannel, { chain, held }: ChannelStatus): Promise<Result> {
  const { id: channel, opponent } = kept;
  const until = chain.open?.until;
  const matches = chain.matches.map(({ nonce, deadline }) => ({ nonce, deadline }));
  const again = commandText(["up", opponent], context.options);
  return {
    data: { channel, opponent, isClosed: false, held: held && ownFirst(kept.player, held), until, matches },
    text: [
      `${opponent} does not answer: what you both have signed is on the chain.`,
      ...(held ? [await heldText(context, kept, held)] : []),
      ...matches.map(
        (each) =>
          `Match ${each.nonce} goes on on the chain, with a turn until ${timeText(BigInt(each.deadline))}: ${again}`,
      ),
      ...(until === undefined
        ? []
        : [`Your money is free once ${opponent} answers, or after ${timeText(BigInt(until))}: ${again}`]),
    ],
  };
}
