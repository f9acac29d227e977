import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { History } from "../../sdk/chain/history.js";
import type { IndexClient } from "../../sdk/chain/index-client.js";
import type { GameModule } from "../../sdk/games/module.js";
import { channelIdOf } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError } from "../../sdk/protocol/input.js";
import { mismatchText } from "../../sdk/protocol/mismatch.js";
import { replay } from "../../sdk/verify/replay.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { awaitedSeat, seatOfPlayer } from "../../sdk/protocol/sides.js";
import { honestText } from "../../sdk/verify/shown-state.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { readAddress, readMatchId, readNumber } from "../../sdk/protocol/arguments.js";
import { textOf, textsOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { toldEvents } from "../../sdk/player/match-events.js";
import { KeptMatches } from "../shared/files/kept-matches.js";
import { dueTables } from "./sit.js";
import { tellingOf, TELLING } from "./telling.js";
import { CommandIndex, INDEX_OPTION } from "../shared/match/command-index.js";
import { allMatches, indexedMatches, openMatches, type Wanted } from "../shared/match/matches.js";
import { isOpen } from "../../sdk/protocol/status.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { linesOf, matchRows, warnOfClock } from "../shared/match/match.js";
import { modeInTerms } from "../../sdk/player/modes.js";
import { log, paint, print } from "../shared/command/output.js";
import { checkShownFile } from "../shared/files/shown-states.js";
import { nextOf } from "../shared/match/next-step.js";
import type { CommandContext } from "../shared/command/context.js";

/** Commands that read matches. */
export const reading: readonly PlayCommand[] = [
  {
    usage: "list",
    description: "list matches, newest first",
    examples: ["list --mine", "list --all --limit 100 --json"],
    options: [
      ["--of <address>", "only matches of this player"],
      ["--mine", "only your matches"],
      ["--all", "also matches that are over"],
      ["--limit <count>", "largest number of matches", "20"],
      INDEX_OPTION,
    ],
    async run(context, _, flags) {
      const limit = readNumber(textOf(flags, "limit")!, "--limit", 1n, 10_000n);
      const wanted = { player: await playerOf(context, flags), all: flags.all === true };
      const index = await CommandIndex.open(context, textOf(flags, "index"));
      const data =
        (await index.ask((client) => listBy(context, client, wanted, Number(limit)))) ??
        (await list(context, wanted, Number(limit)));
      // In JSON, the output is a list of matches, without room for the source.
      if (flags.json === true) index.lines.forEach(log);
      const matches = await Promise.all(
        data.map(async (view) => ({ view, ...(await nextOf(context, view, { brief: true })) })),
      );
      const [head, ...rows] = matchRows(matches, await context.caller());
      const lines = matches.flatMap((each, i) => [
        ...rows[i],
        ...(flags.mine === true && isOpen(each.view) ? each.lines.map(indented) : []),
      ]);
      const found = data.length > 0 ? [...head, ...lines] : ["There are none."];
      return {
        data: matches.map(({ view, command }) => ({ ...view, next: command })),
        text: [...found, ...(flags.mine === true ? await dueTables(context) : []), ...index.lines],
      };
    },
  },
  {
    usage: "show <match>",
    description: "show a match in full; a player of the match also sees its own secrets",
    examples: ["show 7"],
    async run(context, [id], flags) {
      const view = await context.view(readMatchId(id));
      const record = await context.record(view);
      const events = await toldEvents(record, view.token, context.findGame(record.terms.game), context.history);
      const { funded, declinedBy, settlement } = record;
      const mode = await modeInTerms(context, view.terms);
      const { command: next, lines: last } = await nextOf(context, view);
      const channel = channelOf(record);
      const data = { ...view, modeValues: mode?.values, funded, declinedBy, settlement, channel, next };
      const lines = linesOf(view, record, mode?.rules ?? [], await context.caller());
      const seen = flags.json === true ? [] : await seenBy(context, view, record);
      const text = [...lines, ...events.map((event) => indented(event.text)), ...seen];
      return { data, text: [...text, ...last] };
    },
  },
  {
    usage: "watch <match>",
    description: "print what happens in a match until it is over; with --json an object per line",
    examples: ["watch 7 --turn"],
    options: [["--turn", "only until it is your turn"], INDEX_OPTION],
    async run(context, [id], flags) {
      const matchId = readMatchId(id);
      const index = await CommandIndex.open(context, textOf(flags, "index"));
      await index.ask((client) => client.block());
      index.lines.forEach(log);
      const history = index.history();
      const you = flags.turn === true ? await context.address() : undefined;
      let view = await context.view(matchId);
      let printed: { events: number; story: readonly string[] } = { events: 0, story: [] };
      for (; ; view = await untilChanged(context, view)) {
        const record = await context.record(view, history);
        const events = await toldEvents(record, view.token, context.findGame(record.terms.game), history);
        const fresh = events.slice(printed.events);
        const story = flags.json === true ? [] : await storyOf(context, record, history);
        const lines = newLines(story, printed.story);
        // The game's events precede the settlement.
        for (const event of fresh) {
          if (event.event === "settled") lines.splice(0).forEach((line) => console.log(line));
          print({ data: event, text: event.text }, flags.json);
        }
        lines.forEach((line) => console.log(line));
        printed = { events: events.length, story };
        if (!isOpen(view) || (you !== undefined && (await isAwaited(context, view, you)))) {
          for (const line of (await nextOf(context, view)).lines) console.log(line);
          return undefined;
        }
      }
    },
  },
  {
    usage: "replay <match>",
    description: "replay a match from its events, compare every log entry and payment, and keep it if it is over",
    examples: ["replay 7 --turns"],
    options: [...TELLING, ["--army <file...>", "fill in the armies that players show in files"]],
    async run(context, [id], flags) {
      const { record, mismatch } = await replay(context.history, context.games, readMatchId(id));
      if (mismatch !== undefined) throw new Error(`Match ${record.matchId} differs: ${mismatchText(mismatch)}`);
      const game = context.findGame(record.terms.game)!;
      const files = textsOf(flags, "army");
      const shown = await Promise.all(files.map(async (file) => checkShownFile(context, file, record.matchId)));
      const telling = { ...tellingOf(flags), shown };
      const isWhole = record.joinData !== undefined || !record.channel;
      const story = isWhole ? await game.story(record, context.history, paint, telling) : [];
      const turns = await game.decodeLog(record, context.history);
      const entries = record.logs.reduce((sum, log) => sum + log.entries.length, 0);
      const view = await context.view(record.matchId);
      const verdict = `Match ${record.matchId} was replayed from its events: all ${entries} log entries and every payment are identical.`;
      const kept = isOpen(view) || record.channel ? undefined : await keep(context, record, game);
      const data = { matchId: record.matchId, identical: true, entries, turns, settlement: record.settlement, kept };
      return {
        data,
        text: [
          ...story,
          ...shown.map(honestText),
          ...(story.length > 0 ? [""] : []),
          ...(await toldEvents(record, view.token, context.findGame(record.terms.game), context.history)).map(
            ({ text }) => text,
          ),
          ...(kept === undefined ? [] : [`It is kept: \`kept ${record.matchId}\` tells it without a node.`]),
          verdict,
        ],
      };
    },
  },
];

/** Returns the channel of a match, and the match's number in it. */
function channelOf({ channel }: MatchRecord): { id: Hex; nonce: number } | undefined {
  const shown = channel?.shown;
  return shown && { id: channelIdOf(shown.channel), nonce: shown.code.nonce };
}

/** Stores a match that is over. @returns its file; undefined if nobody has joined the match, or it is too long */
async function keep(context: CommandContext, record: MatchRecord, game: GameModule): Promise<string | undefined> {
  const kept = new KeptMatches(context.vault.folder);
  return kept.keep(record, context.history, game, context.addresses.Arena).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  });
}

/** Returns the lines of a match in play, if its game has a view; players of the match also see their own secrets. */
async function seenBy(context: CommandContext, view: MatchView, record: MatchRecord) {
  const { terms, status, turn } = view;
  const { joinData } = record;
  const player = await context.caller();
  const seat = player === undefined ? Seat.None : seatOfPlayer(player, record);
  const game = context.findGame(terms.game);
  if (joinData === undefined || status !== Status.AllJoined || !game?.view) return [];
  if (seat === turn) await warnOfClock(view, context.provider);
  const viewer =
    seat === Seat.None ? undefined : { seat, secretStore: context.keys.secretStoreOf(terms.game, player!) };
  // A player whose secrets are not on this machine sees a note.
  const lines = await game
    .view(record, context.history, paint, viewer)
    .catch((error: unknown) => [context.tokens.explain(error)]);
  return lines.length > 0 ? ["", ...lines] : [];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Returns the story of a match so far; empty for an unknown game. */
async function storyOf(context: CommandContext, record: MatchRecord, history: History): Promise<string[]> {
  if (record.channel && record.joinData === undefined) return [];
  return (await context.findGame(record.terms.game)?.story(record, history, paint)) ?? [];
}

/** Returns the lines of a story, starting at the first one that has changed. */
function newLines(story: readonly string[], before: readonly string[]): string[] {
  const same = story.findIndex((line, i) => line !== before[i]);
  return same < 0 ? [] : story.slice(same);
}

async function list(context: CommandContext, { player, all }: Wanted, limit: number): Promise<MatchView[]> {
  const found: MatchView[] = [];
  for await (const { matchId, player1, player2, match } of all ? allMatches(context) : openMatches(context)) {
    if (player === undefined || player === player1 || player === player2)
      found.push(await context.view(matchId, match));
    if (found.length >= limit) break;
  }
  return found;
}

/** Lists the matches that an index finds, with their state on the chain. @throws IndexTrouble */
async function listBy(
  context: CommandContext,
  client: IndexClient,
  wanted: Wanted,
  limit: number,
): Promise<MatchView[]> {
  const { player, all } = wanted;
  const found: MatchView[] = [];
  for await (const matchId of indexedMatches(context, client, wanted)) {
    const view = await context.view(matchId);
    const isTheirs = player === undefined || player === view.player1 || player === view.player2;
    if (isTheirs && (all || isOpen(view))) found.push(view);
    if (found.length >= limit) break;
  }
  return found;
}

/** Waits until a match has changed. */
async function untilChanged(context: CommandContext, before: MatchView): Promise<MatchView> {
  for (;;) {
    await pause(context.provider.pollingInterval);
    const view = await context.view(before.matchId);
    if (!isDeepStrictEqual(view, before)) return view;
  }
}

async function playerOf(context: CommandContext, flags: Flags): Promise<string | undefined> {
  const of = textOf(flags, "of");
  if (flags.mine !== true) return of === undefined ? undefined : readAddress(of, "--of");
  if (of !== undefined) throw new InputError("--mine", "--of is given too");
  return context.address();
}

/** Returns whether the match waits for a player to fund, join or act. */
async function isAwaited(context: CommandContext, view: MatchView, you: string): Promise<boolean> {
  return seatOfPlayer(you, view) === awaitedSeat(view);
}
