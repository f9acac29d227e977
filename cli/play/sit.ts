import { setTimeout as pause } from "node:timers/promises";
import { nextTime } from "../../sdk/chain/time.js";
import { ownFirst } from "../../sdk/player/channels/chain.js";
import { Meeting, type Found } from "../../sdk/player/channels/meeting.js";
import { RelayTrouble } from "../../sdk/player/channels/relay-client.js";
import { offererOf, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { wishIn } from "../../sdk/player/channels/wishes.js";
import { amountText } from "../../sdk/player/amounts.js";
import { readAddress, readAmount, readNumber } from "../../sdk/protocol/arguments.js";
import type { Search, Seek } from "../../sdk/protocol/channels/seek.js";
import type { OpenMessage } from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { timeText } from "../../sdk/protocol/text.js";
import { ChannelFiles, type KeptChannel } from "../shared/channels/files.js";
import { fillPurse, isAgreed, isOpen, keepFound, ownChannels, type OwnChannel } from "../shared/channels/opening.js";
import { channelRelaysOf, placeOf } from "../shared/channels/relays.js";
import { ChannelSeat, channelStatus, openChannels, type SeatPolicy } from "../shared/channels/seat.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import type { CommandContext } from "../shared/command/context.js";
import { log, logOnce, print, type Result } from "../shared/command/output.js";
import { tableOf } from "../shared/command/table.js";
import { commandText } from "../shared/match/next-step.js";
import { moveSourceOf, stay } from "./stay.js";
import { heldText, stoppable } from "./table.js";

const MAX_AMOUNT = 2n ** 96n - 1n;

/** Amount of FIGHT that a player locks by default. */
const USUAL_AMOUNT = "50";

/** Milliseconds between reads of the lobby, and of the chain while the caller waits for the opening. */
const LOOK = 1000;

/** Maximum number of searches of the lobby that are listed. */
const MAX_LISTED = 20;

/** Command that opens a channel with another player, to play any number of matches by messages. */
export const sitting: readonly PlayCommand[] = [
  {
    usage: "sit [address]",
    description:
      "sit down with another player, who gives the same command: both lock money once, then play any number of matches by messages; without ADDRESS it lists with whom you sit, and who waits for you",
    examples: [
      "sit 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc --amount 50",
      "sit",
      "sit --stay --moves suggest --max-stake 5",
    ],
    options: [
      ["--amount <amount>", `what you lock; ${USUAL_AMOUNT} FIGHT by default`],
      ["--opponent-amount <amount>", "what the other player locks; as much as you by default"],
      ["--token <token>", "COIN, FIGHT or an address", "FIGHT"],
      ["--days <days>", "days until either player can take its money back alone", "30"],
      [
        "--stay",
        "then stay, and play what the other player offers, until it gets up; without ADDRESS with all with whom you sit",
      ],
      ["--moves <source>", "with --stay: play random or suggest, and ask nothing"],
      ["--max-stake <amount>", "with --moves: your largest stake in a match", "0"],
    ],
    async run(context, [address], flags) {
      const opponent = address === undefined ? undefined : readAddress(address, "address");
      if (opponent !== undefined && opponent === (await context.address())) {
        throw new InputError("address", "it is yours: name the other player");
      }
      if (flags.stay === true) moveSourceOf(flags);
      if (opponent === undefined) return flags.stay === true ? stay(context, opponent, flags) : list(context);
      const result = await sitDown(context, opponent, flags);
      if (flags.stay !== true) return result;
      print(result, flags.json);
      return stay(context, opponent, flags);
    },
  },
];

async function sitDown(context: CommandContext, opponent: string, flags: Flags): Promise<Result> {
  const files = await ChannelFiles.of(context, await context.address());
  const wanted = await readWanted(context, opponent, flags);
  return stoppable(async (signal) => {
    const own = (await ownChannels(context, files, opponent)).filter(({ kept }) => kept.channel.token === wanted.token);
    const open = own.find(({ isOpen: isFound }) => isFound)?.kept;
    const meeting = open ? undefined : await meetingOf(context, files, wanted);
    const known = open ? [open] : await agreedTo(context, own, wanted);
    // The opponent may check the purse before it agrees, as the agent does.
    if (!open) await fillPurse(context, wanted);
    const seats: ChannelSeat[] = [];
    const logFirst = logOnce();
    try {
      for (const kept of known) {
        seats.push(await ChannelSeat.open(context, kept, answering()));
      }
      for (let isReported = false; ; await pause(LOOK, undefined, { signal }).catch(() => signal.throwIfAborted())) {
        let isOpening = false;
        for (const seat of seats) {
          const status = await seat.until((now) => now);
          if (isOpen(status)) return await seatedResult(context, seat.kept, status);
          isOpening ||= status.held !== undefined;
          seat.report(
            status.held ? "Waiting until the opening is final." : `Waiting until ${opponent} opens the channel.`,
          );
        }
        if (isOpening) continue;
        // Anybody can search in the other player's name: the search goes on until a channel is open.
        const found = await meeting?.look(seats.map(({ kept }) => kept.channel)).catch((error: unknown) => {
          // The relay may soon respond again.
          if (!isKind(error, RelayTrouble)) throw error;
          logFirst(error.message);
        });
        if (found) seats.push(await agree(context, files, wanted, found));
        else if (!isReported && seats.length === 0) log(await waitingText(context, wanted, meeting?.unfit));
        isReported = true;
      }
    } finally {
      for (const seat of seats) seat.close();
    }
  });
}

async function meetingOf(context: CommandContext, files: ChannelFiles, wanted: Search): Promise<Meeting> {
  return new Meeting(placeOf(context, files.at), await files.seeker(), context.provider, wanted);
}

/** Agrees to open the channel that an answer or a search names, and takes the caller's seat in it. */
async function agree(context: CommandContext, files: ChannelFiles, wanted: Search, found: Found): Promise<ChannelSeat> {
  // The money may have left the purse meanwhile.
  await fillPurse(context, wanted);
  const agreed = "proposed" in found ? found.proposed.opening : undefined;
  const seat = await ChannelSeat.open(context, await keepFound(context, files, found), answering(agreed));
  if ("proposed" in found) return seat;
  try {
    const { amount, otherAmount, until } = found.sought;
    await seat.player.propose(amount, otherAmount, until);
  } catch (error) {
    seat.close();
    throw error;
  }
  return seat;
}

/** Returns the policy of a seat whose channel is being opened. @param agreed Opening that the caller consents to. */
function answering(agreed?: OpenMessage): SeatPolicy {
  return {
    choose: async () => undefined,
    ask: async (question) => (isAgreed(question, agreed) ? true : undefined),
  };
}

async function readWanted(context: CommandContext, opponent: string, flags: Flags): Promise<Search> {
  const { addresses, arena, provider } = context;
  const token = await context.tokens.read(textOf(flags, "token")!);
  const given = textOf(flags, "amount");
  if (given === undefined && token.address !== addresses.FightToken) {
    throw new InputError("--amount", `left out: say how much of ${token.symbol} you lock`);
  }
  const amount = readAmount(given ?? USUAL_AMOUNT, token.decimals, "--amount", MAX_AMOUNT);
  const other = textOf(flags, "opponentAmount");
  const otherAmount = other === undefined ? amount : readAmount(other, token.decimals, "--opponent-amount", MAX_AMOUNT);
  const days = Number(readNumber(textOf(flags, "days")!, "--days", 1n, 365n));
  const until = (await nextTime(provider)) + days * 86_400;
  return { opponent, token: token.address, feeBps: await arena.feeBps(), amount, otherAmount, until };
}

/**
 * Returns the channels that the caller has consented to open with the wanted amounts.
 * @throws Error if the caller has consented only to other amounts
 */
async function agreedTo(
  context: CommandContext,
  channels: readonly OwnChannel[],
  { opponent, token, amount, otherAmount }: Search,
): Promise<KeptChannel[]> {
  const consents = channels.flatMap(({ kept, opening }) => {
    return opening ? [{ kept, locked: ownFirst(kept.player, opening) }] : [];
  });
  const same = consents.filter(({ locked: { own, other } }) => own === amount && other === otherAmount);
  const last = consents.at(-1);
  if (same.length > 0 || !last) return same.map(({ kept }) => kept);
  const shown = await context.tokens.at(token);
  const { own, other } = last.locked;
  throw new Error(
    `You have agreed to lock ${amountText(own, shown)} against ${amountText(other, shown)} with ${opponent}: give the command with these amounts.`,
  );
}

async function seatedResult(context: CommandContext, kept: KeptChannel, status: ChannelStatus): Promise<Result> {
  const { opponent } = kept;
  const held = status.held!;
  const until = status.chain.open?.until;
  const data = { channel: kept.id, opponent, held: ownFirst(kept.player, held), until };
  const time = until === undefined ? "" : ` until ${timeText(BigInt(until))}`;
  const commands = [
    ["challenge", "rock-paper-scissors", "--opponent", opponent],
    ["sit", opponent, "--stay"],
    ["up", opponent],
  ].map((args) => commandText(args, context.options));
  return {
    data,
    text: [
      `You sit with ${opponent}${time}. ${await heldText(context, kept, held)}`,
      `To play: ${commands[0]}`,
      `To play what the other offers: ${commands[1]}`,
      `To get up: ${commands[2]}`,
    ],
  };
}

async function waitingText(
  context: CommandContext,
  { opponent, token, ...wanted }: Search,
  unfit?: Seek,
): Promise<string> {
  const shown = await context.tokens.at(token);
  const both = (own: bigint, other: bigint) => `${amountText(own, shown)} against ${amountText(other, shown)}`;
  const own = `Waiting until ${opponent} sits down with you, for ${both(wanted.amount, wanted.otherAmount)}.`;
  if (!unfit) return own;
  return `${own} It waits for you with other amounts or a later end: ${both(unfit.otherAmount, unfit.amount)} until ${timeText(BigInt(unfit.until))}.`;
}

/** Channel of the caller, and its state. */
interface Table {
  kept: KeptChannel;
  status: ChannelStatus;
  /** Terms of a match that the other player asks the caller to offer. */
  wish?: Terms;
}

/** Reads all channels of the caller, and the searches of others in the lobby. */
async function look(context: CommandContext): Promise<{ tables: Table[]; seeks: Seek[] }> {
  const open = await openChannels(context);
  const { at, player } = await ChannelFiles.of(context, await context.address());
  const relays = channelRelaysOf(context);
  const seeks = relays.length > 0 ? await placeOf(context, at).lobby.seeks(player).catch(unread) : [];
  const tables = open.map(async (kept): Promise<Table> => {
    const status = await channelStatus(context, kept, relays);
    const { held } = status;
    const isToOffer = held !== undefined && offererOf(held.nonce) === kept.player;
    const wish = isToOffer && !status.current ? wishIn(seeks, { ...kept, held })?.terms : undefined;
    return { kept, status, wish };
  });
  return { tables: await Promise.all(tables), seeks };
}

/** Reports that no relay answers. The data of this machine and the chain is still listed. */
function unread(error: unknown): Seek[] {
  if (!isKind(error, RelayTrouble)) throw error;
  log(error.message);
  return [];
}

/** Lists the caller's channels, and the players who wait in the lobby. */
async function list(context: CommandContext): Promise<Result> {
  const { tables, seeks } = await look(context);
  const channels = tables.map((table) => {
    const { kept, status } = table;
    const amounts = status.held && ownFirst(kept.player, status.held);
    const until = status.chain.open?.until;
    const { text: state } = stateOf(context, table);
    return { channel: kept.id, opponent: kept.opponent, token: kept.channel.token, ...amounts, until, state };
  });
  const known = new Set(channels.map(({ opponent }) => opponent));
  const lobby = seeks
    .filter(({ player, match }) => match === undefined && !known.has(player))
    .slice(0, MAX_LISTED)
    .map(({ player: opponent, token, otherAmount: own, amount: other, until }) => {
      return { opponent, token, own, other, until, state: "waits for you to sit down" };
    });
  const rows = [...channels, ...lobby].map(async ({ opponent, token, own, other, until, state }) => {
    const shown = await context.tokens.at(token);
    const amounts = [own, other].map((amount) => (amount === undefined ? "" : amountText(amount, shown)));
    return [opponent, ...amounts, until === undefined ? "" : timeText(BigInt(until)), state];
  });
  const table = tableOf([["with", "you hold", "it holds", "until", "state"], ...(await Promise.all(rows))]);
  return {
    data: { channels, lobby },
    text: rows.length > 0 ? table : "You sit with nobody, and nobody waits for you.",
  };
}

/** Describes the state of a channel, and names the command for the caller's next action. */
function stateOf(context: CommandContext, { kept, status, wish }: Table): { text: string; command?: string[] } {
  const { player, opponent } = kept;
  const { chain, current, due } = status;
  const [onChain] = chain.matches;
  const command = ["sit", opponent, "--stay"];
  if (chain.open && chain.time > chain.open.until) return { text: "its time is over", command: ["up", opponent] };
  if (onChain) return { text: `match ${onChain.nonce} is on the chain`, command };
  if (due) return { text: "something is due on the chain", command };
  if (current) {
    const match = `match ${current.nonce} of ${current.module.title}`;
    const isOwn = current.state.turn === current.seatOf(player);
    return isOwn ? { text: `${match}, your turn`, command } : { text: `${match}, the other's turn` };
  }
  if (!wish) return { text: "no match" };
  return { text: `the other wants to play ${context.findGame(wish.game)?.title ?? "an unknown game"}`, command };
}

/** Lists the channels in which the caller can act, in lines with the commands for it. */
export async function dueTables(context: CommandContext): Promise<string[]> {
  if ((await openChannels(context)).length === 0) return [];
  const { tables } = await look(context);
  return tables.flatMap((table) => {
    const { text, command } = stateOf(context, table);
    if (!command) return [];
    return [`At the table with ${table.kept.opponent}: ${text}: ${commandText(command, context.options)}`];
  });
}
