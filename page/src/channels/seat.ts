import { signal, type ReadonlySignal } from "@preact/signals";
import {
  ChannelChain,
  channelIdOf,
  channelMessageText,
  ChannelPlayer,
  findGame,
  isOutage,
  machineClock,
  reasonOf,
  RenewedSearch,
  turnOf,
  wishOf,
  type BookMatch,
  type Call,
  type ChannelCall,
  type ChannelPorts,
  type ChannelQuestion,
  type ChannelStatus,
  type MatchOutcome,
  type GameModule,
  type Held,
  type Hex,
  type MeetingPlace,
  type OpenMessage,
  type OpenTurn,
  type Seeker,
  type SigningRequest,
  type Terms,
  type Turn,
  outcomeFor,
} from "duello";
import { needsChoice } from "../parts/move-picker.tsx";
import type { Player } from "../player/player.ts";
import { withLock } from "../player/transactions.ts";
import type { KeptChannel } from "./kept.ts";
import { KeptChannelLog } from "./log.ts";

/** State of a channel, as the page shows it. */
export interface SeatState {
  readonly status: ChannelStatus;
  /** The other player's question, until the person answers it. */
  readonly question?: ChannelQuestion;
  /** Turn that waits for the person's choice. */
  readonly turn?: OpenTurn;
  /** Transaction that waits for the person, because only the person's wallet can send it. */
  readonly call?: NamedCall;
  /** Matches of the channel that the person has won, lost and drawn since it was opened. */
  readonly score: Readonly<Record<MatchOutcome["duel"], number>>;
}

/** Transaction with its title. */
export interface NamedCall extends Call {
  readonly title: string;
}

/** Data that all channels of a player share. */
export interface SeatContext {
  readonly you: Player;
  readonly seeker: Seeker;
  readonly place: MeetingPlace;
  /** Returns the name that a channel's log and lock share. */
  logOf(id: Hex): string;
}

/** Milliseconds of a wait for messages, for a change of the chain, and between looks at a closed channel. */
const WAIT = 10_000;
const CHAIN_PAUSE = 2_000;
const CLOSED_PAUSE = 60_000;
/** Milliseconds of the pause after a failure: first and longest. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Place of a choice that is the first move of an offer. */
const OFFER = "offer";

/** Titles of transactions, by the first word of their descriptions. */
const TITLES: Readonly<Record<string, string>> = {
  open: "Open the channel",
  bring: "Bring what was signed to the chain",
  expire: "Pay out the channel",
  acts: "Take your turn on the chain",
  ends: "End the match by the clock",
};

/**
 * A player's seat in a channel. While the page is open, the seat does everything that is due, and asks the person. Only
 * one tab of the browser has the seat at a time.
 */
export class ChannelSeat {
  readonly id: Hex;
  private readonly current = signal<SeatState | undefined>(undefined);
  private readonly elsewhere = signal(false);
  private readonly failure = signal<string | undefined>(undefined);
  private readonly stopping = new AbortController();
  private interruption = new AbortController();
  private hold!: () => void;
  private readonly held = new Promise<void>((resolve) => (this.hold = resolve));
  private opening?: Promise<ChannelPlayer>;
  private busy: Promise<unknown> = Promise.resolve();
  /** Question or turn that the current step presents to the person. */
  private asked: Pick<SeatState, "question" | "turn"> = {};
  /** Answers of the person, by question; undefined to ask the question again. */
  private readonly answers = new Map<string, boolean | undefined>();
  private choice?: { readonly place: string; readonly move: unknown };
  /** The person's published wish for the next match: the terms asked for, or no terms to decline the match. */
  private readonly said = signal<{ readonly nonce: number; readonly terms?: Terms } | undefined>(undefined);
  private readonly search: RenewedSearch;
  /** True while the person sends with the wallet. */
  private isSending = false;
  /** True if the session could not send a due transaction. */
  private needsWallet = false;

  constructor(
    readonly kept: KeptChannel,
    private readonly context: SeatContext,
  ) {
    this.id = channelIdOf(kept.channel);
    this.search = new RenewedSearch(context.place.lobby, context.seeker);
  }

  /** State of the channel; undefined until chain and relay were read once. */
  get state(): ReadonlySignal<SeatState | undefined> {
    return this.current;
  }

  /** True if another tab of this browser has the channel. */
  get isElsewhere(): ReadonlySignal<boolean> {
    return this.elsewhere;
  }

  /** Terms that the person asks the other player for. */
  get asksFor(): Terms | undefined {
    return this.said.value?.terms;
  }

  /** Reason why nothing can be done now, in a sentence. */
  get trouble(): ReadonlySignal<string | undefined> {
    return this.failure;
  }

  /** Address of the other player. */
  get opponent(): string {
    const { channel, player } = this.kept;
    return player === 1 ? channel.player2 : channel.player1;
  }

  /** Starts to perform due actions. */
  start(): void {
    void this.holdLock();
  }

  /** Stops, after storing everything that was started. */
  stop(): void {
    this.stopping.abort();
    this.interruption.abort();
  }

  /** Looks at the channel immediately. */
  look(): void {
    this.interruption.abort();
  }

  /** Proposes to open the channel; the wallet signs the proposal. */
  async propose(amount1: bigint, amount2: bigint, until: number): Promise<void> {
    await this.exclusive((player) => player.propose(amount1, amount2, until));
  }

  /** Consents to an opening that the person has searched for; the wallet signs the consent. */
  consent(opening: OpenMessage): void {
    this.answers.set(channelMessageText(opening), true);
    this.look();
  }

  /** Offers a match. @param move The first move. */
  async offer(terms: Terms, move: unknown): Promise<void> {
    await this.exclusive(async (player) => {
      this.choice = { place: OFFER, move };
      await player.offer(terms);
    });
  }

  /** Asks the other player to offer a match. */
  async askFor(terms: Terms): Promise<void> {
    await this.exclusive(async (player) => {
      await player.checkNext(terms);
      await this.say((await this.step(player)).held, terms);
    });
  }

  /** Declines the match that the other player offers. */
  async decline(state: SeatState): Promise<void> {
    await this.answer(state, false);
    await this.exclusive(async () => this.say(state.status.held));
  }

  /** Publishes in the lobby which next match the person asks for, or that the person declines the offered one. */
  private async say(held: Held | undefined, terms?: Terms): Promise<void> {
    if (!held) return;
    await this.search.put(wishOf({ ...this.kept, held }, terms));
    this.said.value = { nonce: held.nonce, terms };
  }

  /** Renews what the person has published about a match, until the match is in play. */
  private async repeat({ held, current }: ChannelStatus): Promise<void> {
    const said = this.said.peek();
    if (!said) return;
    const isOver = held?.nonce !== said.nonce || (said.terms ? current : current?.moves.length);
    if (isOver) this.said.value = undefined;
    // If this fails, the other player only waits longer.
    else await this.say(held, said.terms).catch(() => undefined);
  }

  /** Answers the other player's question. @param move The first move of a match that is accepted. */
  async answer({ question, turn }: SeatState, isAgreed: boolean, move?: unknown): Promise<void> {
    const name = nameOf(question!);
    this.answers.set(name, isAgreed);
    try {
      await this.act(isAgreed && turn ? { place: placeOf(turn), move } : undefined);
    } catch (error) {
      this.answers.set(name, undefined);
      throw error;
    }
  }

  /** Takes the person's turn. @param turn The turn as the person has seen it. */
  async play(turn: OpenTurn, move: unknown): Promise<void> {
    await this.act({ place: placeOf(turn), move });
  }

  /** Leaves the seat: the channel closes once the match in play is over and the other player has signed too. */
  async getUp(): Promise<void> {
    await this.exclusive(async (player) => {
      player.getUp();
      await this.step(player);
    });
  }

  /** Sends the transaction that is due, with the wallet. */
  async send(): Promise<void> {
    this.isSending = true;
    try {
      await this.act();
      this.needsWallet = false;
    } finally {
      this.isSending = false;
    }
  }

  /** Takes a step with a choice of the person. @throws Error if the choice was not used */
  private async act(choice?: ChannelSeat["choice"]): Promise<void> {
    await this.exclusive(async (player) => {
      this.choice = choice;
      const { troubles } = await this.step(player);
      if (troubles.length > 0) throw troubles[0];
      if (this.choice) throw new Error("It is not your turn any more.");
    });
  }

  /** Runs actions one after the other, and looks again after each. */
  private async exclusive(action: (player: ChannelPlayer) => Promise<void>): Promise<void> {
    if (this.elsewhere.value) throw new Error("This channel is open in another tab of this browser: look there.");
    await this.held;
    const done = this.busy.catch(() => undefined).then(async () => action(await this.player()));
    this.busy = done;
    try {
      await done;
    } finally {
      this.choice = undefined;
      this.look();
    }
  }

  private async holdLock(): Promise<void> {
    const name = this.context.logOf(this.id);
    const isOurs = await withLock(name, { ifAvailable: true }, async (isFree) => {
      if (isFree) await this.run();
      return isFree;
    });
    if (isOurs || this.stopping.signal.aborted) return;
    this.elsewhere.value = true;
    await withLock(name, {}, async () => {
      this.elsewhere.value = false;
      await this.run();
    });
  }

  private async run(): Promise<void> {
    this.hold();
    const { signal: stopped } = this.stopping;
    let failures = 0;
    while (!stopped.aborted) {
      this.interruption = new AbortController();
      const stop = AbortSignal.any([stopped, this.interruption.signal]);
      try {
        const player = await this.player();
        const step = this.busy.catch(() => undefined).then(() => this.step(player));
        this.busy = step;
        await step;
        [failures, this.failure.value] = [0, undefined];
        await this.wait(player, stop);
      } catch (error) {
        if (stop.aborted) continue;
        // A player that has failed may no longer match the stored data.
        if (!isOutage(error)) this.opening = undefined;
        this.failure.value = reasonOf(error);
        await machineClock.pause(Math.min(FIRST_PAUSE * 2 ** failures++, LONGEST_PAUSE), stop).catch(() => undefined);
      }
    }
    // Everything that was started is stored before the next tab takes over.
    await this.busy.catch(() => undefined);
  }

  /** Waits until there may be something to do. */
  private async wait(player: ChannelPlayer, signal: AbortSignal): Promise<void> {
    const { chain, held, consents, isClosing } = this.current.value!.status;
    const isInArena = chain.matches.length > 0;
    if (!held && consents.length === 0 && !isInArena) return machineClock.pause(CLOSED_PAUSE, signal);
    const isChanging = !held || isInArena || isClosing || chain.open?.isFinal === false;
    await player.news({ waitMs: isChanging ? CHAIN_PAUSE : WAIT, signal });
  }

  private async step(player: ChannelPlayer): Promise<ChannelStatus> {
    this.asked = {};
    const status = await player.step();
    const { current, call, due } = status;
    await this.repeat(status);
    const { question } = this.asked;
    this.current.value = {
      status,
      score: this.scoreIn(player, status.held?.nonce ?? 0),
      ...this.asked,
      ...(question?.type === "offer" && current && { turn: this.turnIn(current) }),
      ...(call && { call: named(call, due?.type === "bring" && due.close ? "expire" : undefined) }),
    };
    return status;
  }

  /** Counts the results of this opening's matches before a number. */
  private scoreIn(player: ChannelPlayer, end: number): SeatState["score"] {
    const score = { won: 0, lost: 0, draw: 0 };
    for (let nonce = end - 1, match = player.match(nonce); match; match = player.match(--nonce)) {
      if (match.isFinal) score[outcomeFor(match.state, match.seatOf(this.kept.player)).duel]++;
    }
    return score;
  }

  private turnIn(match: BookMatch): OpenTurn {
    const { you } = this.context;
    return turnOf(match.record(), match.seatOf(this.kept.player), you.address, you.chain.archive.value!);
  }

  private async player(): Promise<ChannelPlayer> {
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<ChannelPlayer> {
    const { you, seeker, place, logOf } = this.context;
    const { at, key } = seeker;
    const { channel, player, block } = this.kept;
    const { provider, deployment, archive } = you.chain;
    const modules = await you.chain.allModules();
    const history = archive.value;
    if (!history) throw new Error("The page has not read the chain yet.");
    const { addresses } = deployment;
    const chain = new ChannelChain(provider, { arena: addresses.Arena, channels: at.channels }, this.id, block);
    const sender = () => this.sender();
    return ChannelPlayer.open({
      at,
      channel,
      player,
      key,
      chain,
      history,
      moduleAt: (game) => findGame(game, modules, addresses),
      ports: {
        choose: (turn, module) => this.choose(turn, module),
        secrets: (game) => you.secretStoreOnDemand(game),
        ask: async (question) => this.ask(question),
        signOpen: (request) => this.signOpen(request),
        get send() {
          return sender();
        },
        log: new KeptChannelLog(logOf(this.id)),
        transport: place.transportOf(channel, player),
      },
    });
  }

  private async choose(turn: Turn, module: GameModule): Promise<{ move: unknown } | undefined> {
    const place = turn.record ? placeOf(turn as OpenTurn) : OFFER;
    const { choice } = this;
    if (choice?.place === place) {
      // A choice that fails is not tried again without the person.
      this.choice = undefined;
      return choice;
    }
    if (!turn.record) return undefined;
    const secretStore = this.context.you.secretStoreOnDemand(turn.game);
    if (!(await needsChoice({ module, turn, secretStore }))) return { move: undefined };
    // Keeps the turn that is shown, so that the person's unfinished choice is not lost.
    const before = this.current.value?.turn;
    this.asked = { ...this.asked, turn: before && placeOf(before) === place ? before : (turn as OpenTurn) };
    return undefined;
  }

  private ask(question: ChannelQuestion): boolean | undefined {
    const answer = this.answers.get(nameOf(question));
    if (answer === undefined) this.asked = { ...this.asked, question };
    return answer;
  }

  private async signOpen({ domain, types, value }: SigningRequest): Promise<Hex> {
    try {
      return await this.context.you.signer.signTypedData(domain, types, value);
    } catch (error) {
      // The wallet is asked again only if the person wants that.
      for (const [name, isAgreed] of this.answers) if (isAgreed) this.answers.set(name, undefined);
      throw error;
    }
  }

  /** Returns how to send transactions; undefined if only the wallet can, but the person has not asked to use it. */
  private sender(): ChannelPorts["send"] {
    const { you } = this.context;
    const bySession = !this.isSending;
    if (bySession && (this.needsWallet || !you.session.peek().isOpen)) return undefined;
    return async (call) => {
      try {
        await you.sendForChannel(named(call), bySession);
      } catch (error) {
        this.needsWallet = bySession;
        throw error;
      }
      this.look();
    };
  }
}

function named({ to, data, what }: ChannelCall, method = what.split(" ")[0]): NamedCall {
  return { to, data, value: 0n, method, title: TITLES[method] };
}

/** Identifies a question by its whole message: one signature of a contract may be valid for several openings. */
function nameOf(question: ChannelQuestion): string {
  if (question.type === "open") return channelMessageText(question.opening);
  return channelMessageText(question.type === "offer" ? question.offer : question.balance);
}

/** Identifies the place of a turn in its match. */
function placeOf({ record }: OpenTurn): string {
  return `${record.matchId} ${record.joinData === undefined ? 0 : 1 + record.actions.length}`;
}
