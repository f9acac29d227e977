import {
  modeInTerms,
  replay,
  Seat,
  seatOfPlayer,
  Tokens,
  viewOf,
  type Frame,
  type GameModule,
  type MatchRecord,
  type ModeView,
  type Replay,
  type SecretStore,
  type TimedMatchView,
} from "duello";
import { viewOfGame, type GameView } from "../games/game.ts";
import { personText } from "../people/people.ts";
import type { Player } from "../player/player.ts";
import type { Chain } from "./chain.ts";
import { framesOf } from "./frames.ts";
import type { MatchSummary } from "./ledger.ts";
import { gameOf } from "./present.ts";

/** A match on the chain, in its current state. */
export interface OpenMatch {
  readonly chain: Chain;
  readonly summary: MatchSummary;
  readonly record: MatchRecord;
  readonly view: TimedMatchView;
  readonly module: GameModule;
  /** The mode of the terms; undefined if the mode cannot be found. */
  readonly mode?: ModeView;
  readonly gameView: GameView;
  readonly frames: readonly Frame[];
  readonly checked: Replay;
  /** Seat of the viewer, as in `Seat`. */
  readonly seat: bigint;
  /** Secrets of the viewer, if they are known without asking the wallet. */
  readonly secretStore?: SecretStore;
}

/** Names of both players for scenes. */
export function namesOf(
  { player1, player2 }: Pick<MatchSummary, "player1" | "player2">,
  viewer: 0 | 1 | 2,
): [string, string] {
  const name = (seat: 1 | 2, address?: string) =>
    viewer === seat ? "You" : address === undefined ? "Anyone" : personText(address);
  return [name(1, player1), name(2, player2)];
}

/**
 * Reads a match of a known game, replays it, and draws its steps.
 * @param you The person who looks at the match, if an account is connected.
 */
export async function loadMatch(current: Chain, summary: MatchSummary, you?: Player): Promise<OpenMatch> {
  const archive = current.archive.value!;
  const { matchId, terms } = summary;
  const module = await current.module(gameOf(current, terms)!.name);
  const tokens = new Tokens(current.provider, archive.addresses, [module]);
  const [record, view, gameView, mode] = await Promise.all([
    archive.match(matchId),
    viewOf(archive, { games: [module], tokens }, matchId),
    viewOfGame(module.name),
    modeInTerms({ games: [module], history: archive }, terms),
  ]);
  const checked = await replay(archive, [module], matchId);
  const seat = you ? seatOfPlayer(you.address, view) : Seat.None;
  const secretStore = seat === Seat.None ? undefined : await you!.knownSecretStoreOf(terms.game);
  const viewer = seat !== Seat.None && secretStore ? { seat, secretStore } : undefined;
  const frames = record.joinData === undefined ? [] : await framesOf(module, gameView, record, archive, viewer);
  return { chain: current, summary, record, view, module, mode, gameView, frames, checked, seat, secretStore };
}
