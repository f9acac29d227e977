import { setTimeout as pause } from "node:timers/promises";
import { modeNamed } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { RenewedSearch } from "../../sdk/player/channels/lobby.js";
import type { ChannelStatus } from "../../sdk/player/channels/player.js";
import { amountText } from "../../sdk/player/amounts.js";
import { readAmount } from "../../sdk/protocol/arguments.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Seat } from "../../sdk/protocol/status.js";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { ChannelFiles, type KeptChannel } from "../shared/channels/files.js";
import { MOVE_SOURCES, movesBy, type MoveSource } from "../shared/channels/moves.js";
import { declineMatch, isToOffer, offerEnd, wishedMatch } from "../shared/channels/next-match.js";
import { placeOf } from "../shared/channels/relays.js";
import { ChannelSeat, openChannels, type SeatPolicy } from "../shared/channels/seat.js";
import { textOf, type Flags } from "../shared/command/command.js";
import type { CommandContext } from "../shared/command/context.js";
import { askYes, isAttended, print, type Result } from "../shared/command/output.js";
import { movesOf, resultOf, stoppable } from "./table.js";

/** Milliseconds between reads of the lobby, which show what the other player wants to play. */
const LOOK = 400;

/** Match that the other player offers, or asks the caller to offer, with the caller's seat in it. */
interface Proposal {
  terms: Terms;
  seat: bigint;
  module: GameModule;
  opponent: string;
}

/** Signal that cancels questions, and a function with which an answer can stop the whole command. */
interface Asking {
  signal: AbortSignal;
  stop: () => void;
}

/** Decisions for a player who stays in channels. */
interface Host {
  choose: SeatPolicy["choose"];
  /** Returns whether to play a match; undefined if there is no decision yet. */
  accepts(proposal: Proposal): Promise<boolean | undefined>;
}

/**
 * Stays in the caller's channels, and plays what the other players offer, until they close the channels.
 * @param opponent The only other player; defaults to the players of all channels.
 * @throws Stopped if the command is interrupted
 */
export async function stay(context: CommandContext, opponent: string | undefined, flags: Flags): Promise<Result> {
  const open = await openChannels(context, opponent);
  if (open.length === 0) throw new Error(`You do not sit with ${opponent ?? "anybody"}.`);
  const text = await stoppable(async (signal, stop) => {
    const host = await hostOf(context, open, flags, { signal, stop });
    return Promise.all(open.map((kept) => stayAt(context, kept, host, flags.json === true, signal)));
  });
  return { data: { left: open.map((kept) => kept.opponent) }, text };
}

async function stayAt(
  context: CommandContext,
  kept: KeptChannel,
  host: Host,
  json: boolean,
  signal: AbortSignal,
): Promise<string> {
  const { opponent } = kept;
  const files = await ChannelFiles.of(context, await context.address());
  const { lobby } = placeOf(context, files.at);
  const own = new RenewedSearch(lobby, await files.seeker());
  const seat = await ChannelSeat.open(context, kept, {
    choose: host.choose,
    ask: async (question) => {
      if (question.type !== "offer") return question.type === "close" ? true : undefined;
      const { module, offer } = question;
      const isAccepted = await host.accepts({ terms: offer.terms, seat: Seat.Two, module, opponent });
      if (isAccepted === false) await declineMatch(kept, offer.nonce, own);
      return isAccepted;
    },
  });
  let [status, told]: [ChannelStatus?, number?] = [];
  /** Newest wish that was considered: the number of its match, and its last second. */
  let considered = { nonce: 0, expires: 0 };
  /** Looks for a match that the other player asks for, if it is the caller's turn to offer. */
  const wish = async () => {
    const { held } = status!;
    const found = isToOffer(seat, held) ? wishedMatch(await lobby.seeks(files.player), seat, held) : undefined;
    const isNew = found && (found.nonce > considered.nonce || found.expires > considered.expires);
    return isNew ? found : undefined;
  };
  const untilWish = async (stop: AbortSignal) => {
    do await pause(LOOK, undefined, { signal: stop });
    while (!(await wish().catch(() => undefined)));
  };
  const step = async (now: ChannelStatus): Promise<string | undefined> => {
    status = now;
    const { held, chain } = now;
    if (!held) return chain.matches.length === 0 ? `${opponent} has got up: the channel is closed.` : undefined;
    for (told ??= held.nonce; told < held.nonce; told++) {
      const match = seat.player.match(told);
      if (match?.isFinal) print(await resultOf(context, kept, match, held), json);
    }
    const found = await wish();
    if (!found) return undefined;
    considered = found;
    const { terms, nonce } = found;
    const module = context.findGame(terms.game);
    const isAccepted = module ? await host.accepts({ terms, seat: Seat.One, module, opponent }) : false;
    if (isAccepted) await seat.player.offer(terms, offerEnd(chain));
    else if (isAccepted === false) await declineMatch(kept, nonce, own);
    return undefined;
  };
  try {
    // Errors of a relay or of the other player's wishes are reported, and do not end the stay.
    const find = (now: ChannelStatus) =>
      step(now).catch((error: unknown) => seat.report(context.tokens.explain(error)));
    return await seat.until(async (now) => (await find(now)) ?? undefined, { signal, also: untilWish });
  } finally {
    seat.close();
  }
}

/** Reads how moves are chosen; undefined to ask the person at the terminal. @throws InputError */
export function moveSourceOf(flags: Flags): MoveSource | undefined {
  const named = textOf(flags, "moves");
  const source = MOVE_SOURCES.find((each) => each === named);
  if (named !== undefined && !source) {
    throw new InputError("--moves", `${named} is not one of ${MOVE_SOURCES.join(", ")}`);
  }
  if (!source && !isAttended()) {
    throw new InputError("--moves", "left out, and nobody is at a terminal to ask: give random or suggest");
  }
  return source;
}

/** Returns the source of decisions: the flags, or the person at the terminal. @throws InputError */
async function hostOf(
  context: CommandContext,
  open: readonly KeptChannel[],
  flags: Flags,
  asking: Asking,
): Promise<Host> {
  const source = moveSourceOf(flags);
  if (!source) return personAt(context, asking);
  const limits = new Map<string, bigint>();
  for (const { channel } of open) {
    const { address, decimals } = await context.tokens.at(channel.token);
    limits.set(address, readAmount(textOf(flags, "maxStake")!, decimals, "--max-stake"));
  }
  return {
    choose: movesBy(context, source),
    accepts: async (proposal) => isWorthStake(proposal, limits.get(proposal.terms.token) ?? 0n),
  };
}

/**
 * Returns whether to play a match without asking anybody: the caller stakes nothing, or the odds of a published mode
 * without a known weakness justify the stake.
 * @param most Largest stake of the caller.
 */
export function isWorthStake({ terms, seat, module }: Omit<Proposal, "opponent">, most: bigint): boolean {
  const { own, other } = stakesOf(terms, seat);
  if (own === 0n) return true;
  const name = modeNamed(module, terms.mode);
  // Odds are known only for published modes.
  if (name === undefined || module.modes[name].weakness !== undefined) return false;
  const { odds } = module.modes[name];
  const [ownOdds, otherOdds] = seat === Seat.One ? odds : [odds[1], odds[0]];
  return own <= most && other * ownOdds >= own * otherOdds;
}

/** Asks the person at the terminal, one question at a time. */
function personAt(context: CommandContext, { signal, stop }: Asking): Host {
  const moves = movesOf(context, { signal, onFailure: stop });
  let isAsking = false;
  const refused = new Set<string>();
  const alone = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    if (isAsking) return undefined;
    isAsking = true;
    try {
      return await ask();
    } finally {
      isAsking = false;
    }
  };
  return {
    choose: (turn, module) => alone(() => moves(turn, module)),
    accepts: async ({ terms, seat, module, opponent }) => {
      const name = `${termsHash(terms)} ${seat} ${opponent}`;
      if (refused.has(name)) return false;
      const token = await context.tokens.at(terms.token);
      const { own, other } = stakesOf(terms, seat);
      const stakes = `your stake ${amountText(own, token)} against ${amountText(other, token)}`;
      const question = `${opponent} wants to play ${module.title}, ${modeNamed(module, terms.mode) ?? terms.mode}, ${stakes}. Do you?`;
      return alone(async () => {
        const answer = await askYes(question, signal);
        if (answer === undefined) stop();
        if (answer === false) refused.add(name);
        return answer;
      });
    },
  };
}

function stakesOf({ stake1, stake2 }: Terms, seat: bigint) {
  return seat === Seat.One ? { own: stake1, other: stake2 } : { own: stake2, other: stake1 };
}
