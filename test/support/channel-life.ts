import { concat } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { endingFor } from "../../sdk/chain/settlement.js";
import { decodeTeam } from "../../sdk/games/auto-battler/moves.js";
import { channelRecord, progressOf } from "../../sdk/games/channel-match.js";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { byte } from "../../sdk/laws/bytes.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import { bytesOf } from "../../sdk/protocol/bytes.js";
import { NO_PLACE, placeOf } from "../../sdk/protocol/channels/messages.js";
import { nextMove } from "../../sdk/protocol/channels/transcript.js";
import type { ChannelMessage } from "../../sdk/protocol/channels/wire.js";
import { decodeAnswer } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { offerHash, offerOf } from "../../sdk/protocol/offer.js";
import { Seat } from "../../sdk/protocol/status.js";
import { channelPair, channelTerms, channelWorld, playedAt, type ChannelWorld, type Played } from "./channel-games.js";
import { FIRST, type Pair, type Signing } from "./channels.js";
import { DAY, HOUR, now, time, UNIT } from "./index.js";

const AMOUNT = 200n * UNIT;
const GAS = { gasLimit: 12_000_000 };

/** A channel in which alice and bob have played matches of all games. */
export class ChannelLife {
  readonly world: ChannelWorld;
  readonly pair: Pair;
  /** Numbers of the matches, by names for what happened in them. */
  readonly nonces = new Map<string, number>();
  /** Messages of the match that starts from a base, and of the match before the balance. */
  readonly messages: ChannelMessage[] = [];
  private nonce = FIRST;

  private constructor(world: ChannelWorld, pair: Pair) {
    [this.world, this.pair] = [world, pair];
  }

  static async live(): Promise<ChannelLife> {
    const world = await channelWorld();
    const life = new ChannelLife(world, await channelPair(world));
    await life.pair.open(AMOUNT, AMOUNT, Number(await now()) + 40 * Number(DAY));
    await life.all();
    return life;
  }

  get addresses(): Addresses {
    return this.world.history.addresses;
  }

  matchId(name: string): bigint {
    return this.pair.matchIdOf(this.nonces.get(name)!);
  }

  private async all(): Promise<void> {
    for (const module of games) await this.play(`played ${module.name}`, await this.match(module));
    const [pistols, warmancer, battler] = ["pistols", "warmancer", "auto-battler"].map(moduleOf);
    await this.play("from a base", await this.match(warmancer), { isBased: true });
    const { match, actions } = await this.match(moduleOf("tic-tac-toe"));
    const [first] = bytesOf(actions[0].data);
    const occupied = { seat: Seat.One, data: concat(["0x03", byte(first)]) };
    await this.play("refused", { match, actions: [actions[0], occupied] });
    await time.increase(3n * DAY);
    const sold = await this.match(battler);
    const { bob, carol, fighters } = this.world;
    const [fighter] = decodeTeam(decodeAnswer(sold.actions[0].data).move);
    await fighters.connect(bob).transferFrom(bob, carol, fighter);
    await this.play("refused by the chain", sold);
    await fighters.connect(carol).transferFrom(carol, bob, fighter);
    const gone = await this.match(pistols);
    await this.challenge(gone, 1);
    for (const { seat, data } of gone.actions.slice(1)) await this.act(seat, data);
    this.end("gone on");
    await this.challenge(await this.match(pistols), 1);
    await time.increase(HOUR + 1n);
    await this.world.arena.timeout(this.pair.matchIdOf(this.nonce));
    this.end("timed out");
    const back = await this.match(warmancer);
    await this.challenge(back, 1);
    await this.play("taken back", back);
    const duels = await this.found(pistols);
    await this.challenge(duels, duels.actions.length);
    await this.play("over and taken back", duels);
    const again = await this.found(pistols);
    await this.challenge(again, again.actions.length);
    await time.increase(HOUR + 1n);
    await this.world.arena.timeout(this.pair.matchIdOf(this.nonce));
    this.end("over and timed out");
    await this.duel(pistols);
    await this.balance();
  }

  /** Plays a match only by messages, and submits its balance to the chain. */
  private async balance(): Promise<void> {
    const dice = moduleOf("mini-games");
    const played = await this.match(dice, "balanced");
    const seats = played.actions.map(({ seat }) => seat);
    this.messages.push(...(await this.messagesOf(played, { seats, seen: true })));
    const { match } = played;
    const { paid1, paid2 } = endingFor(await this.progress(dice, played), match.terms);
    const { amount1, amount2 } = await this.pair.state();
    const { stake1, stake2 } = match.terms;
    const balance = [amount1 + paid1 - stake1, amount2 + paid2 - stake2] as const;
    await this.world.channels.checkpoint(...(await this.pair.balance(++this.nonce, ...balance)));
  }

  /** Plays a rated match in the engine. */
  private async match(module: GameModule, seed = `life ${this.nonce}`): Promise<Played> {
    const [mode] = this.world.modes[module.name];
    const terms = { rated: true, stake1: UNIT, stake2: UNIT };
    return playedAt(this.world, module, mode, seed, { nonce: this.nonce, terms });
  }

  /** Finds a duel of two rounds whose pot goes to the player who acts last. */
  private async found(module: GameModule): Promise<Played> {
    for (let seed = 0; ; seed++) {
      const played = await this.match(module, `duel ${this.nonce} ${seed}`);
      const { taker, mover } = await this.progress(module, played);
      if (played.actions.length === 4 && taker === mover) return played;
    }
  }

  private async progress(module: GameModule, { match, actions }: Played, count = actions.length) {
    return progressOf(channelRecord(match, actions.slice(0, count)), module, this.world.history);
  }

  private async play(name: string, played: Played, { isBased = false } = {}): Promise<void> {
    const { match, actions } = played;
    const how: Signing = { seen: true };
    if (isBased) {
      const count = actions.length - 2;
      const { turn, position } = await this.progress(moduleOf("warmancer"), played, count);
      how.places = actions.map((_, i) => (i === count - 1 ? placeOf(turn, position) : NO_PLACE));
      how.base = { count, turn, position };
    }
    const { channels, stranger } = this.world;
    const transcript = await this.transcript(played, how);
    await channels.connect(stranger).play(this.pair.channel, match.nonce, match.terms, [transcript], GAS);
    this.end(name);
  }

  private async challenge(played: Played, count: number): Promise<void> {
    const { match, actions } = played;
    const transcript = await this.transcript({ match, actions: actions.slice(0, count) }, {});
    const sender = this.playerAt(actions[count - 1].seat);
    const { channels } = this.world;
    await channels.connect(sender).challenge(this.pair.channel, match.nonce, match.terms, transcript, GAS);
  }

  private async transcript({ match, actions }: Played, how: Signing) {
    const moves = { position: match.position!, actions: actions.map(({ data }) => data) };
    const signing = { seats: actions.map(({ seat }) => seat), ...how };
    if (how.base) this.messages.push(...(await this.messagesOf({ match, actions }, signing)));
    return this.pair.transcript(match.nonce, match.terms, moves, signing);
  }

  /** Signs the messages of a match, as players send them. */
  private async messagesOf({ match, actions }: Played, signing: Signing): Promise<ChannelMessage[]> {
    const { nonce, terms, data, position } = match;
    const moves = { position: position!, actions: actions.map((action) => action.data) };
    const signed = await this.pair.signedMatch(nonce, terms, moves, signing);
    const { offer } = signed;
    return [
      { ...offer, type: "offer", terms, data, signature: signed.signature },
      ...signed.moves.map(({ action, place, signature }, i): ChannelMessage => {
        const move = nextMove({ offer, moves: signed.moves.slice(0, i) }, action, place);
        return { ...move, type: "move", channel: offer.channel, nonce, signature };
      }),
    ];
  }

  private async act(seat: bigint, data: Hex): Promise<void> {
    await this.world.arena.connect(this.playerAt(seat)).act(this.pair.matchIdOf(this.nonce), data);
  }

  private playerAt(seat: bigint) {
    return seat === Seat.One ? this.world.alice : this.world.bob;
  }

  private end(name: string): void {
    this.nonces.set(name, this.nonce++);
  }

  /** Plays an ordinary rated duel, for which the duels in the channel determine both standings. */
  private async duel(module: GameModule): Promise<void> {
    const { arena, alice, bob, history, chainId, modes } = this.world;
    const terms = channelTerms(this.world, module, modes[module.name][0], { rated: true, stake1: 0n, stake2: 0n });
    const stores = [alice, bob].map(
      ({ address }) => new MemorySecretStore({ chainId, game: terms.game, player: address }),
    );
    const first = firstTurn(terms, alice.address, history);
    const data = await module.moves.create(await module.moves.suggest(first, stores[0]), first, stores[0]);
    const until = (await now()) + HOUR;
    await arena.connect(alice).create(terms, bob, until, data);
    const matchId = await arena.matchCount();
    for (;;) {
      const { status, turn } = await arena.matchOf(matchId);
      if (status > 3n) return;
      const seat = turn === Seat.None ? Seat.Two : turn;
      const player = this.playerAt(seat);
      const own = turnOf(await history.match(matchId), seat, player.address, history);
      const move = await module.moves.suggest(own, stores[Number(seat) - 1]);
      if (turn === Seat.None) {
        const answer = await module.moves.join(move, own, stores[1]);
        await arena.connect(bob).join(matchId, offerHash(offerOf(own.record)), answer);
      } else {
        await arena.connect(player).act(matchId, await module.moves.act(move, own, stores[Number(seat) - 1]));
      }
    }
  }
}

/** Plays everything in a channel, as a fixture. */
export async function livedChannel(): Promise<ChannelLife> {
  return ChannelLife.live();
}

const moduleOf = (name: string): GameModule => games.find((module) => module.name === name)!;
