import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import { strategyOf, type Chooser } from "../../sdk/games/assessment.js";
import { modeHash } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { firstTurn, turnOf, type SecretStore, type Turn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { MAX_CLOCK, MAX_FEE_BPS, OFFER_LIFE, type Terms } from "../../sdk/protocol/terms.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import { EventSynthesizer } from "./event-synthesizer.js";

const STAKE = 10n ** 18n;
/** Distance between the two players of a match in the list of players. */
const OPPONENT_DISTANCE = 7;

/** A game that is played, and the chooser of both players' moves. */
interface Playing {
  game: GameModule;
  choose: Chooser;
}

/** A player in a seat, with its secrets. */
interface Participant {
  seat: bigint;
  player: string;
  secretStore: SecretStore;
}

/** Plays whole matches without a chain, by the TypeScript engines, and writes the events that an arena would emit. */
export class MatchSynthesizer {
  readonly synthesizer = new EventSynthesizer();
  private matches = 0n;

  /** Plays a rated match of suggested moves. @returns the number of the match. */
  async play(game: GameModule, mode: Hex): Promise<bigint> {
    return this.playWith({ game, choose: (turn, secretStore) => game.moves.suggest(turn, secretStore) }, mode);
  }

  /** Plays a rated match as the game's own strategy does. @returns the number of the match. */
  async playWell(game: GameModule, mode: Hex): Promise<bigint> {
    return this.playWith({ game, choose: strategyOf(game) }, mode);
  }

  /** Writes the events of a match without dice once more, under another number. */
  async repeat(matchId: bigint): Promise<void> {
    const { synthesizer } = this;
    const copy = ++this.matches;
    const { settlement: _, ...record } = await synthesizer.archive.match(matchId);
    let last = 0;
    for (const event of synthesizer.archive.all.filter(({ args }) => "matchId" in args && args.matchId === matchId)) {
      const { address, name, args, block } = event;
      if (block !== last) synthesizer.mine();
      last = block;
      const own = { ...args, matchId: copy };
      if (name === "Settled") synthesizer.settle({ ...record, matchId: copy }, args);
      else if (name === "Created")
        synthesizer.write(address, name, { ...args, ...own, firmUntil: synthesizer.time + OFFER_LIFE });
      else synthesizer.write(address, name, own as never);
    }
  }

  private async playWith(playing: Playing, mode: Hex): Promise<bigint> {
    const { game } = playing;
    const { synthesizer } = this;
    const { archive, addresses, players } = synthesizer;
    const matchId = ++this.matches;
    const terms = this.termsOf(addresses[game.contract], modeHash(mode));
    const first = Number(matchId) % players.length;
    const player1 = this.participant(Seat.One, players[first], terms);
    const player2 = this.participant(Seat.Two, players[(first + OPPONENT_DISTANCE) % players.length], terms);

    const created = firstTurn(terms, player1.player, archive);
    const move1 = await this.chooseMove(playing, created, player1.secretStore);
    const data = await game.moves.create(move1, created, player1.secretStore);
    synthesizer.create({ matchId, player1: player1.player, opponent: player2.player, terms, data });
    await synthesizer.writeOutcome(game, matchId);

    const joining = await this.turnOf(player2, matchId);
    const move2 = await this.chooseMove(playing, joining, player2.secretStore);
    synthesizer.join(matchId, player2.player, await game.moves.join(move2, joining, player2.secretStore));

    for (;;) {
      const seat = await synthesizer.writeOutcome(game, matchId);
      if (seat === Seat.None) return matchId;
      const participant = seat === Seat.One ? player1 : player2;
      const turn = await this.turnOf(participant, matchId);
      const move = await this.chooseMove(playing, turn, participant.secretStore);
      const acted = await game.moves.act(move, turn, participant.secretStore);
      synthesizer.act(matchId, seat, acted);
    }
  }

  private participant(seat: bigint, player: string, { game }: Terms): Participant {
    return { seat, player, secretStore: new MemorySecretStore({ chainId: TEST_CHAIN, game, player }) };
  }

  private async turnOf({ seat, player }: Participant, matchId: bigint) {
    const { archive } = this.synthesizer;
    return turnOf(await archive.match(matchId), seat, player, archive);
  }

  private async chooseMove({ game, choose }: Playing, turn: Turn, secretStore: SecretStore): Promise<Hex> {
    return game.moves.read(await choose(turn, secretStore), turn, secretStore);
  }

  private termsOf(game: string, mode: Hex): Terms {
    const token = this.synthesizer.addresses.FightToken;
    return { game, stake1: STAKE, token, stake2: STAKE, mode, clock: MAX_CLOCK, feeBps: MAX_FEE_BPS, rated: true };
  }
}
