import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { awaitedSeat, Seat, seatOfPlayer } from "duello";
import type { Chain } from "./chain.ts";
import { isOffer, isOver, type MatchSummary } from "./ledger.ts";
import { gameOf } from "./present.ts";

/** Cache of the seats in turn of matches in play, by chain, match and number of events; a replay determines them. */
const turns = new WeakMap<Chain, Map<string, ReadonlySignal<bigint | undefined>>>();

/** Returns the seat in turn of a match in play; undefined until the seat is known, and for a foreign game. */
export function turnIn(chain: Chain, { matchId, events, terms }: MatchSummary): ReadonlySignal<bigint | undefined> {
  const known = turns.get(chain) ?? new Map<string, ReadonlySignal<bigint | undefined>>();
  turns.set(chain, known);
  const key = `${matchId} ${events}`;
  const before = known.get(key);
  if (before) return before;
  const turn = signal<bigint | undefined>(undefined);
  const archive = chain.archive.peek();
  if (!archive) return turn;
  known.set(key, turn);
  const game = gameOf(chain, { game: terms.game });
  if (game) {
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

const waiting = new WeakMap<Chain, Map<string, ReadonlySignal<MatchSummary[]>>>();

/** Lists the matches that wait for a player: offers that name the player, seats to fund or join, and turns. */
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
  const turn = isOffer(match) ? Seat.None : turnIn(chain, match).value;
  if (turn === undefined) return false;
  const seat = seatOfPlayer(player, match);
  return seat !== Seat.None && seat === awaitedSeat({ ...match, turn });
}
