import { setTimeout as pause } from "node:timers/promises";
import { addressOfGame } from "../../sdk/games/list.js";
import { modeContent } from "../../sdk/games/modes.js";
import { viewMode } from "../../sdk/player/modes.js";
import { COIN } from "../../sdk/protocol/terms.js";
import type { ApiPlayer } from "../api/api-player.js";
import { Refusal } from "../api/refusal.js";
import type { Challenge, Game, GameFull } from "../api/wire.js";
import type { CommandContext } from "../shared/command/context.js";
import type { News, ShownAccount, ShownChallenge, ShownGame, ShownState } from "./shapes.js";

/** Milliseconds between looks at the games and challenges. */
const LOOK = 250;

/** Largest stake of the player in a match, and the only token in which it stakes anything. */
export interface StakeLimit {
  token: string;
  amount: bigint;
}

/** The player's part of the API that a language model uses. */
export type ToolPlayer = Pick<
  ApiPlayer,
  | "account"
  | "playing"
  | "openChallenges"
  | "readGame"
  | "challenge"
  | "seek"
  | "accept"
  | "decline"
  | "cancel"
  | "move"
  | "resign"
  | "draw"
>;

/** What the tools need to describe games and tokens. */
export type Describer = Pick<CommandContext, "games" | "addresses" | "history">;

/** Challenge of a player, as a tool receives it. */
export interface ToolChallenge {
  opponent?: string;
  game: string;
  mode?: string;
  stake?: string;
}

/** The tools of a language model: they show data of fixed shapes, and play for no more than a limit. */
export class Tools {
  /** Games in play that the model knows of, and whose end it does not know yet. */
  private readonly known = new Set<string>();

  constructor(
    private readonly player: ToolPlayer,
    private readonly around: Describer,
    private readonly limit: StakeLimit,
  ) {}

  async account(): Promise<ShownAccount> {
    const { id, chain, purse, games } = await this.player.account();
    return {
      player: id,
      chainId: chain.id,
      maxStake: { token: this.tokenName(this.limit.token), amount: String(this.limit.amount) },
      purse: purse.map(({ token, amount, decimals }) => ({ token: this.tokenName(token), amount, decimals })),
      games: games.map(({ name, title, summary, modes, usage }) => {
        return { name, title, summary, modes: modes.map((mode) => mode.name), moves: usage };
      }),
    };
  }

  challenges(): { challenges: ShownChallenge[] } {
    const { in: incoming, out } = this.player.openChallenges();
    return { challenges: [...incoming, ...out].map((challenge) => this.shownChallenge(challenge)) };
  }

  /** @throws Refusal or InputError if the match cannot be played */
  async challenge({ opponent, game, mode, stake = "0" }: ToolChallenge): Promise<ShownChallenge> {
    const { token } = this.limit;
    if (BigInt(stake) > this.limit.amount) throw new Refusal(400, this.limitText(stake));
    const body = { game, stake, token, rated: false, ...(mode !== undefined && { mode }) };
    const sent = opponent === undefined ? this.player.seek(body) : this.player.challenge(opponent, body);
    return this.shownChallenge(await sent);
  }

  /** @throws Refusal if there is no such challenge, or it costs more than the limit */
  async accept(id: string): Promise<void> {
    const challenge = this.player.openChallenges().in.find((each) => each.id === id);
    if (!challenge) throw new Refusal(404, `There is no open challenge ${id} to you.`);
    const obstacle = this.obstacleOf(challenge);
    if (obstacle !== null) throw new Refusal(400, obstacle);
    await this.player.accept(id);
  }

  async decline(id: string): Promise<void> {
    await this.player.decline(id);
  }

  async cancel(id: string): Promise<void> {
    await this.player.cancel(id);
  }

  games(): { games: ShownGame[] } {
    return { games: this.player.playing().nowPlaying.map((game) => this.shownGame(game)) };
  }

  /** @throws Refusal if there is no such game */
  async game(id: string): Promise<ShownState> {
    const full = await this.read(id);
    const isOver = full.status === "over" || full.status === "aborted";
    this.known[isOver ? "delete" : "add"](id);
    const { board, moves, usage, legalMoves, anyMove, deadline, isResigning, trouble, result } = full.state;
    return {
      ...this.shownGame(full),
      rules: await this.rulesOf(full),
      board,
      moves: moves.map(({ seat, text }) => ({ seat, text })),
      ...{ usage, legalMoves, anyMove, deadline, isResigning },
      // The reason may quote a relay.
      hasTrouble: trouble !== null,
      resultText: result?.text ?? null,
    };
  }

  /** Makes a move. @throws Refusal or InputError for a move that is not possible */
  async move(id: string, move: string): Promise<ShownState> {
    await this.player.move(
      id,
      move.split(/\s+/).filter((arg) => arg !== ""),
    );
    return this.game(id);
  }

  async resign(id: string): Promise<void> {
    await this.player.resign(id);
  }

  /** @throws Refusal always: channels have no draw by agreement */
  draw(id: string): never {
    return this.player.draw(id);
  }

  /**
   * Waits until the player can do something, or a game ends.
   * @param id The only game of interest.
   */
  async wait(seconds: number, id: string | undefined, signal: AbortSignal): Promise<News> {
    if (id !== undefined) this.known.add(id);
    const end = performance.now() + seconds * 1000;
    for (;;) {
      const news = await this.news(id);
      if (news.news !== "nothing" || performance.now() >= end || signal.aborted) return news;
      await pause(Math.min(LOOK, Math.max(0, end - performance.now())));
    }
  }

  private async news(id?: string): Promise<News> {
    const isMeant = (each: string) => id === undefined || each === id;
    const games = this.player.playing().nowPlaying.filter((game) => isMeant(game.id));
    for (const game of games) this.known.add(game.id);
    const turns = games.filter((game) => game.isMyTurn).map((game) => this.shownGame(game));
    if (turns.length > 0) return { news: "turn", games: turns, challenges: [] };
    const ended = [...this.known].filter((each) => isMeant(each) && !games.some((game) => game.id === each));
    if (ended.length > 0) return { news: "over", games: await this.over(ended), challenges: [] };
    if (id !== undefined) return { news: "nothing", games: [], challenges: [] };
    const open = this.challenges().challenges.filter((each) => each.direction === "in" && each.obstacle === null);
    return { news: open.length > 0 ? "challenge" : "nothing", games: [], challenges: open };
  }

  /** Describes games that are over, which are not news any more. */
  private async over(ids: readonly string[]): Promise<ShownGame[]> {
    for (const id of ids) this.known.delete(id);
    return Promise.all(ids.map(async (id) => this.shownGame(await this.read(id))));
  }

  /** Reads a game, also one that has just ended. @throws Refusal if there is no such game */
  private async read(id: string): Promise<GameFull> {
    const reader = await this.player.readGame(id);
    try {
      const next = await reader.next(0);
      if (typeof next === "string" || next.item.type !== "gameFull") throw new Refusal(404, `There is no game ${id}.`);
      return next.item;
    } finally {
      reader.close();
    }
  }

  private shownGame({ id, opponent, match, seat, status, isMyTurn, result }: Game): ShownGame {
    const { game, mode, stake, opponentStake, token } = match;
    const terms = { game, mode, stake, opponentStake, token: this.tokenName(token) };
    return { id, opponent, ...terms, seat, status, isMyTurn, result: result?.result ?? null };
  }

  private shownChallenge(challenge: Challenge): ShownChallenge {
    const { id, direction, opponent, match, opens, expires } = challenge;
    const token = match?.token ?? opens?.token;
    return {
      ...{ id, direction, opponent },
      game: match?.game ?? null,
      mode: match?.mode ?? null,
      stake: match?.stake ?? null,
      opponentStake: match?.opponentStake ?? null,
      token: token === undefined ? null : this.tokenName(token),
      rated: match?.rated ?? false,
      lock: opens?.amount ?? null,
      expires,
      obstacle: this.obstacleOf(challenge),
    };
  }

  /** Returns why a challenge must not be accepted; null if it may be. */
  private obstacleOf({ match, opens }: Challenge): string | null {
    if (match && match.game === null) return "The game is not known here.";
    if (match?.rated) return "Rated matches cost gas, which this server does not spend.";
    for (const [amount, token] of [
      [match?.stake ?? "0", match?.token],
      [opens?.amount ?? "0", opens?.token],
    ]) {
      const most = token === this.limit.token ? this.limit.amount : 0n;
      if (BigInt(amount!) > most) return this.limitText(amount!);
    }
    return null;
  }

  private limitText(amount: string): string {
    const { token, amount: most } = this.limit;
    return `${amount} is more than --max-stake, which is ${most} of ${this.tokenName(token)}: only your user can raise it.`;
  }

  /** Names a token; a contract can choose any symbol, so that of others is not shown. */
  private tokenName(token: string): string {
    if (token === COIN) return "COIN";
    return token === this.around.addresses.FightToken ? "FIGHT" : token;
  }

  /** Describes the rules of a game's mode in a few lines. */
  private async rulesOf({ match }: Game): Promise<string[]> {
    const { games, addresses, history } = this.around;
    const module = games.find(({ name }) => name === match.game);
    if (!module) return [];
    const terms = { game: addressOfGame(module, addresses), mode: match.modeHash };
    const { rules } = viewMode(module, await modeContent(module, terms, history));
    return [...(module.summary === undefined ? [] : [module.summary]), ...rules];
  }
}
