import type { BookMatch } from "../../sdk/player/channels/book.js";
import { ownFirst, type Held } from "../../sdk/player/channels/chain.js";
import { RenewedSearch, type Seeker } from "../../sdk/player/channels/lobby.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { isTaken } from "../../sdk/player/channels/player.js";
import { wishIn } from "../../sdk/player/channels/wishes.js";
import { gameAndMode } from "../../sdk/player/modes.js";
import { readAddress, readDuration, readNumber } from "../../sdk/protocol/arguments.js";
import { Seat } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { ChannelFiles, type KeptChannel } from "../shared/channels/files.js";
import { AwaitedMatch, outcomeOf, seatIn, wantedMatch } from "../shared/channels/next-match.js";
import { placeOf } from "../shared/channels/relays.js";
import { ChannelSeat, openChannels } from "../shared/channels/seat.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import type { CommandContext } from "../shared/command/context.js";
import { didYouMean } from "../shared/command/did-you-mean.js";
import { registerOwn } from "../shared/command/modes.js";
import { log, type Result } from "../shared/command/output.js";
import { readChallenge } from "../shared/match/challenge-flags.js";
import { heldText, movesOf, resultOf, stoppable } from "./table.js";

/** Maximum number of drawn matches that a series plays again. */
const MAX_DRAWS = 20;

/** Command that plays a series of matches. */
export const series: readonly PlayCommand[] = [
  {
    usage: "best-of <matches> <game> [move...]",
    description: `play matches with a player with whom you sit, until one of you has won more than half of MATCHES; up to ${MAX_DRAWS} draws are played again; GAME and MOVE are as for challenge`,
    examples: ["best-of 5 rock-paper-scissors --stake 1"],
    options: [
      ["--stake <amount>", "your stake in each match", "0"],
      ["--token <token>", "COIN, FIGHT or an address", "FIGHT"],
      ["--opponent <address>", "the other player; defaults to the only one with whom you sit"],
      ["--mode <mode>", "name, hash or JSON file of the mode; the game's usual one by default"],
      ["--clock <time>", "thinking time of each player", "24h"],
      ["--unrated", "leave ratings alone"],
      ["--patience <time>", "how long you wait for the opponent until you go on on the chain", "2m"],
    ],
    async run(context, [count, ...args], flags) {
      const matches = Number(readNumber(count, "matches", 1n, 99n));
      const kept = await tableOf(context, flags);
      if (!kept) {
        const whom = textOf(flags, "opponent") ?? "one player only";
        throw new Error(`You do not sit with ${whom}: sit ADDRESS sits down with a player.`);
      }
      return atTable(context, kept, args, flags, async (challenger) => {
        const score = { won: 0, lost: 0, draw: 0 };
        for (;;) {
          const { match, held } = await challenger.play();
          const { duel: outcome } = await outcomeOf(context, kept, match);
          score[outcome]++;
          const points = `${score.won} : ${score.lost}`;
          log(`Match ${match.nonce}: ${outcome}. ${points}`);
          if (Math.max(score.won, score.lost) * 2 <= matches && score.draw <= MAX_DRAWS) continue;
          const verdict = score.won === score.lost ? "Nobody has won" : `You have ${outcome}`;
          const data = { channel: kept.id, matches, score, held: ownFirst(kept.player, held) };
          return { data, text: `${verdict}, ${points}. ${await heldText(context, kept, held)}` };
        }
      });
    },
  },
];

/**
 * Plays the match of a challenge in the caller's channel with the named opponent, or in the caller's only channel.
 * @returns undefined if there is no such channel
 */
export async function challengeAtTable(
  context: CommandContext,
  args: readonly string[],
  flags: Flags,
): Promise<Result | undefined> {
  const kept = await tableOf(context, flags);
  if (!kept) return undefined;
  log(`You sit with ${kept.opponent}: the match is played there. Add --on-chain to play it on the chain.`);
  return atTable(context, kept, args, flags, async (challenger) => {
    const { match, held } = await challenger.play();
    return resultOf(context, kept, match, held);
  });
}

async function tableOf(context: CommandContext, flags: Flags): Promise<KeptChannel | undefined> {
  const named = textOf(flags, "opponent");
  const { address } = await context.tokens.read(textOf(flags, "token")!);
  const open = await openChannels(context, named === undefined ? undefined : readAddress(named, "--opponent"));
  const tables = open.filter(({ channel }) => channel.token === address);
  return tables.length === 1 ? tables[0] : undefined;
}

/** Takes the caller's seat in a channel, to play the match that the arguments of a command describe. */
async function atTable(
  context: CommandContext,
  kept: KeptChannel,
  [name, ...moveArgs]: readonly string[],
  flags: Flags,
  run: (challenger: Challenger) => Promise<Result>,
): Promise<Result> {
  const { game, mode } = gameAndMode(name, context.games, didYouMean);
  const { challenge, ownMode } = await readChallenge(context, game, { ...flags, opponent: kept.opponent }, mode);
  const patience = readDuration(textOf(flags, "patience")!, "--patience");
  await registerOwn(context, game, challenge.terms.game, ownMode);
  const { stake1: stake, stake2: _, ...terms } = challenge.terms;
  const awaited = new AwaitedMatch(wantedMatch(game, stake, { ...terms, feeBps: kept.channel.feeBps }));
  return stoppable(async (signal) => {
    let failure: Error | undefined;
    const onFailure = (error: Error) => (failure ??= error);
    const choose = movesOf(context, { moveArgs, yes: flags.yes, signal, onFailure });
    const seat = await ChannelSeat.open(
      context,
      kept,
      {
        choose,
        ask: async (question) => {
          if (question.type === "offer") return awaited.takes(question.offer) ? true : undefined;
          // Agrees to close the channel: each player then gets its balance.
          return question.type === "close" ? true : undefined;
        },
      },
      { limits: { patience } },
    );
    try {
      const files = await ChannelFiles.of(context, await context.address());
      const place = placeOf(context, files.at);
      return await run(new Challenger(seat, place, await files.seeker(), awaited, signal, () => failure));
    } finally {
      seat.close();
    }
  });
}

/** The caller in a channel, which plays a wanted match any number of times. */
class Challenger {
  /** The caller's requests to the other player. */
  private readonly own: RenewedSearch;

  constructor(
    private readonly seat: ChannelSeat,
    private readonly place: MeetingPlace,
    private readonly seeker: Seeker,
    private readonly awaited: AwaitedMatch,
    private readonly signal: AbortSignal,
    /** Returns why no move was found; undefined if a move was found. */
    private readonly failure: () => Error | undefined,
  ) {
    this.own = new RenewedSearch(place.lobby, seeker);
  }

  /** Plays a match to its end. @throws Error if the match cannot be played, or the reason of the signal */
  async play(): Promise<{ match: BookMatch; held: Held }> {
    const { seat, signal, awaited } = this;
    const { opponent } = seat.kept;
    awaited.nonce = undefined;
    return seat.until(
      async (status) => {
        const failure = this.failure();
        if (failure) throw failure;
        const { held, chain, isClosing } = status;
        if (isClosing) throw new Error(`You have asked ${opponent} to get up: up gets up.`);
        if (chain.matches.some((match) => match.nonce === awaited.nonce)) return undefined;
        if (!held) throw new Error(`You do not sit with ${opponent} any more: the channel is closed.`);
        const nonce = (awaited.nonce ??= held.nonce);
        const match = seat.player.match(nonce);
        if (match && held.nonce > nonce) return { match, held };
        const own = seatIn(seat.kept, nonce);
        if (!match || !isTaken(match, chain)) await awaited.propose(seat, status, held, this.own);
        else if (!awaited.isFor(match.offer.terms, own)) throw this.otherMatch(match, own);
        if (!match?.moves.length) await this.reportDecline(held, match);
        return undefined;
      },
      { signal },
    );
  }

  /** Returns the error for a match that is offered or in play, but is not the wanted one. */
  private otherMatch({ offer, moves, module, nonce }: BookMatch, own: bigint): Error {
    const { opponent } = this.seat.kept;
    const until = timeText(BigInt(offer.until));
    if (moves.length > 0)
      return new Error(`Match ${nonce}, of ${module.title}, is in play: sit --stay goes on with it.`);
    if (own === Seat.One) return new Error(`Your offer of match ${nonce}, of ${module.title}, stands until ${until}.`);
    return new Error(`${opponent} offers match ${nonce}, of ${module.title}, until ${until}: sit --stay answers it.`);
  }

  /** Reports if the other player declines the match in the lobby. */
  private async reportDecline(held: Held, match?: BookMatch): Promise<void> {
    const { seat, place, seeker } = this;
    const { opponent } = seat.kept;
    // The relay may soon respond again.
    const wish = wishIn(await place.lobby.seeks(seeker.player).catch(() => []), { ...seat.kept, held });
    if (!wish || wish.terms) return;
    const until = match && `: your offer stands until ${timeText(BigInt(match.offer.until))}`;
    seat.report(`${opponent} declines match ${held.nonce}${until ?? ""}.`);
  }
}
