import { effect, signal } from "@preact/signals";
import { clocksOf, Status, Tokens, viewOf } from "duello";
import { setBadge } from "../parts/use.ts";
import { linkTo } from "../router.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { chainTime, gameNow } from "./clock.ts";
import type { MatchSummary } from "./ledger.ts";
import { gameOf } from "./present.ts";
import { wantsNotices } from "./settings.ts";
import { play } from "./sound.ts";
import { waitingFor } from "./waiting.ts";

/** Remaining fractions of the clock at which the player in turn is notified. */
const MARKS = [0.5, 0.25, 0.1];

/** Deadlines and clocks, in seconds, of matches in play that wait for the player, by match. */
export const deadlines = signal<ReadonlyMap<bigint, { deadline: number; clock: number }>>(new Map());

/** Channels that wait for the player, among those that the page follows. */
export const waitingChannels = signal<readonly WaitingChannel[]>([]);

/** Channel that waits for the player. */
export interface WaitingChannel {
  readonly id: string;
  /** Changes with each step that the channel waits for. */
  readonly step: string;
  /** What the channel waits for, in a sentence. */
  readonly text: string;
}

/** Shows the number of waiting matches in the title, and sends notifications if the person has enabled them. */
export function tellOfTurns(): void {
  const told = new Set<string>();
  effect(() => {
    const you = player.value;
    if (!you) {
      deadlines.value = new Map();
      return undefined;
    }
    const waiting = waitingFor(you.chain, you.address).value;
    let isCurrent = true;
    deadlinesOf(you, waiting).then(
      (read) => isCurrent && (deadlines.value = read),
      // The clocks are read again with the next event.
      () => undefined,
    );
    for (const { matchId, events } of waiting) {
      const key = `${you.chain.deployment.chainId} ${matchId} ${events}`;
      tell(told, key, ofMatch(matchId, `Match ${matchId} waits for you.`));
    }
    const stop = chainTime(you.chain);
    return () => {
      isCurrent = false;
      stop();
    };
  });
  effect(() => {
    const you = player.value;
    const matches = you ? waitingFor(you.chain, you.address).value : [];
    setBadge(matches.length + waitingChannels.value.length);
  });
  effect(() => {
    for (const { id, step, text } of waitingChannels.value) {
      tell(told, `${id} ${step}`, { tag: id, link: linkTo("channel", [id]), text });
    }
  });
  effect(() => {
    const now = gameNow.value;
    for (const [matchId, { deadline, clock }] of deadlines.value) {
      const mark = MARKS.findLast((part) => deadline - now < clock * part);
      if (mark === undefined || deadline < now) continue;
      const text = `Less than ${mark * 100} % of your clock is left in match ${matchId}.`;
      tell(told, `${matchId} ${deadline} ${mark}`, ofMatch(matchId, text));
    }
  });
}

interface Notice {
  readonly text: string;
  /** Subject of the notice: a later notice with the same tag replaces this one. */
  readonly tag: string;
  readonly link: string;
}

function ofMatch(matchId: bigint, text: string): Notice {
  return { text, tag: String(matchId), link: linkTo("match", [String(matchId)]) };
}

/** Plays a sound, and sends one notification if the page is in the background. */
function tell(told: Set<string>, key: string, { text, tag, link }: Notice): void {
  if (told.has(key)) return;
  told.add(key);
  play("turn");
  if (!wantsNotices.peek() || !document.hidden || Notification.permission !== "granted") return;
  const notice = new Notification("Duello", { body: text, tag });
  notice.addEventListener("click", () => {
    focus();
    location.hash = link;
    notice.close();
  });
}

/** Reads the deadlines of matches in play, by match. */
async function deadlinesOf({ chain }: Player, waiting: readonly MatchSummary[]) {
  const archive = chain.archive.peek();
  const read = new Map<bigint, { deadline: number; clock: number }>();
  for (const { matchId, terms, status } of waiting) {
    const game = gameOf(chain, terms);
    if (!archive || !game || status !== Status.AllJoined) continue;
    const games = [await chain.module(game.name)];
    const view = await viewOf(archive, { games, tokens: new Tokens(chain.provider, archive.addresses) }, matchId);
    if (clocksOf(view, 0n)) read.set(matchId, { deadline: Number(view.deadline), clock: Number(terms.clock) });
  }
  return read;
}
