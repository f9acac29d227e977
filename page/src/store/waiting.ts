import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { awaitedSeat, mayAct, Seat, seatOfPlayer } from "duello";
import type { Chain } from "./chain.ts";
import { isOffer, isOver, type MatchSummary } from "./ledger.ts";
import { polled } from "./polled.ts";
import { gameOf } from "./present.ts";

/** Milliseconds between two requests to a relay about a match that the user has not opened. */
const PAUSE = 10_000;

/** Cache of the seats in turn of matches in play, by chain, match and number of events; a replay determines them. */
const turns = new WeakMap<Chain, Map<string, ReadonlySignal<bigint | undefined>>>();

/** Returns the seat in turn of a match in play; undefined until it is known, and of a foreign game. */
export function turnIn(chain: Chain, { matchId, events, terms }: MatchSummary): ReadonlySignal<bigint | undefined> {
  const known = turns.get(chain) ?? new Map<string, ReadonlySignal<bigint | undefined>>();
  turns.set(chain, known);
  const key = `${matchId} ${events}`;
  const before = known.get(key);
  if (before) return before;
  const turn = signal<bigint | undefined>(undefined);
  known.set(key, turn);
  const archive = chain.archive.peek();
  const game = gameOf(chain, { game: terms.game });
  if (archive && game) {
    void chain
      .module(game.name)
      .then(async (module) => (await module.replay(await archive.match(matchId), archive)).turns.at(-1))
      .then(
        (seat) => (turn.value = seat),
        () => known.delete(key),
      );
  }
  return turn;
}

/** Cache of the seats that off-chain matches wait for, by chain, match and number of events. */
const awaited = new WeakMap<Chain, Map<string, ReadonlySignal<bigint>>>();

/** Returns the seat that an off-chain match waits for, according to the relay; None until the relay has answered. */
function awaitedAway(chain: Chain, match: MatchSummary): ReadonlySignal<bigint> {
  const known = awaited.get(chain) ?? new Map<string, ReadonlySignal<bigint>>();
  awaited.set(chain, known);
  const key = `${match.matchId} ${match.events}`;
  const before = known.get(key);
  if (before) return before;
  let reader: (() => Promise<bigint>) | undefined;
  const read = async () => {
    reader ??= (await import("../away/turns.ts")).turnReader(chain, match);
    return reader();
  };
  const seat = chain.deployment.relay === undefined ? signal(Seat.None) : polled(Seat.None, read, pause);
  known.set(key, seat);
  return seat;
}

/** Waits for a while, and as long as the page is in the background. */
async function pause(): Promise<void> {
  do await pauseInView();
  while (document.visibilityState !== "visible");
}

/** Waits for a while, or until the person opens another view, since the person may just have changed the data. */
function pauseInView(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("hashchange", end);
      resolve();
    };
    const timer = setTimeout(end, PAUSE);
    addEventListener("hashchange", end);
  });
}

const waiting = new WeakMap<Chain, Map<string, ReadonlySignal<MatchSummary[]>>>();

/** Lists the matches that wait for a player: offers that name it, seats that it has to fund or join, and its turns. */
export function waitingFor(chain: Chain, player: string): ReadonlySignal<MatchSummary[]> {
  const known = waiting.get(chain) ?? new Map<string, ReadonlySignal<MatchSummary[]>>();
  waiting.set(chain, known);
  const before = known.get(player);
  if (before) return before;
  const list = computed(() => {
    const open = chain.ledger.value.of(player).filter((match) => !isOver(match));
    return open.filter((match) => isAwaited(chain, match, player));
  });
  known.set(player, list);
  return list;
}

function isAwaited(chain: Chain, match: MatchSummary, player: string): boolean {
  const inTurn = isOffer(match) ? Seat.None : turnIn(chain, match).value;
  const turn = inTurn === Seat.Either ? awaitedAway(chain, match).value : inTurn;
  return turn !== undefined && mayAct(seatOfPlayer(player, match), awaitedSeat({ ...match, turn }));
}
