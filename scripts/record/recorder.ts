import { randomBytes, toBeHex, toNumber } from "ethers";
import { encodeTeam } from "../../sdk/games/auto-battler/match.js";
import { modeHash } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { NO_DUELS, standingOf } from "../../sdk/games/pistols/honour.js";
import { answerOf } from "../../sdk/games/pistols/moves.js";
import { chronicleOf } from "../../sdk/games/pistols/records.js";
import { STUCK } from "../../sdk/games/warmancer/moves.js";
import { retrace } from "../../sdk/games/warmancer/past.js";
import { playerIn } from "../../sdk/games/warmancer/turns.js";
import type { Keeper, OpenTurn, Turn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { split, statusFor } from "../../sdk/chain/settlement.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { MemoryKeeper } from "./keeper.js";
import { CHAIN, CLOCK, Scribe, SHARE } from "./scribe.js";

const STAKE = 10n ** 18n;
/** From one player to the opponent. */
const APART = 7;

/** Matches as an arena would have recorded them, played by the twins. */
export class Recorder {
  readonly scribe = new Scribe();
  private matches = 0n;

  /** Plays a rated match in a mode at random. @returns its number. */
  async play(game: GameModule, mode: Hex): Promise<bigint> {
    const { scribe } = this;
    const { archive, addresses, players } = scribe;
    const matchId = ++this.matches;
    const seats = [0, 1].map((i) => players[(Number(matchId) + APART * i) % players.length]);
    const address = addresses[game.contract];
    const keepers = seats.map((player) => new MemoryKeeper({ chainId: CHAIN, game: address, player }));
    const terms = this.termsOf(address, modeHash(mode));
    const turnOf = (seat: bigint) => {
      const side = Number(seat) - 1;
      return [{ seat, player: seats[side], mode: terms.mode, history: archive }, keepers[side]] as const;
    };

    const [first, keeper1] = turnOf(Seat.One);
    const opening = await game.moves.create(await this.chosen(game, first, keeper1), first, keeper1);
    scribe.create({ matchId, player1: seats[0], opponent: seats[1], terms, opening });
    await this.follow(game, matchId);
    const [second, keeper2] = turnOf(Seat.Two);
    const joining = { ...second, record: await archive.match(matchId) };
    const answer = await game.moves.join(await this.chosen(game, joining, keeper2), joining, keeper2);
    scribe.join(matchId, seats[1], answer);
    for (let seat = await this.follow(game, matchId); seat !== Seat.None; seat = await this.follow(game, matchId)) {
      const [turn, keeper] = turnOf(seat);
      const open = { ...turn, record: await archive.match(matchId) };
      const action = await game.moves.act(await this.chosen(game, open, keeper), open, keeper);
      scribe.mine();
      scribe.write(addresses.Arena, "Acted", { matchId, seat, action });
    }
    return matchId;
  }

  /** Records a match without dice once more, under another number. */
  async repeat(matchId: bigint): Promise<void> {
    const { scribe } = this;
    const copy = ++this.matches;
    const { terms, player1, player2 } = await scribe.archive.match(matchId);
    let last = 0;
    for (const event of scribe.archive.all.filter(({ args }) => "matchId" in args && args.matchId === matchId)) {
      const { address, name, args, block } = event;
      if (block !== last) scribe.mine();
      last = block;
      const own = { ...args, matchId: copy };
      if (name === "Settled") scribe.settle(copy, terms, [player1, player2!], args);
      else if (name === "Created") scribe.write(address, name, { ...args, ...own, firmUntil: scribe.time + CLOCK });
      else scribe.write(address, name, own as never);
    }
  }

  /** Writes what came of the last action. @returns whose turn it is. */
  private async follow(game: GameModule, matchId: bigint): Promise<bigint> {
    const { scribe } = this;
    const record = await scribe.archive.match(matchId);
    const { logs, result, turns } = await game.replay(record, scribe.archive);
    const { terms, player1, player2 } = record;
    for (const log of logs.slice(record.logs.length)) scribe.write(terms.game, "Log", { matchId, ...log });
    if (result) {
      const ending = { status: statusFor(result.winner), ...split(terms, result.taker, SHARE) };
      scribe.settle(matchId, terms, [player1, player2!], ending);
    }
    return turns.at(-1) ?? Seat.None;
  }

  /** A move at random of whoever's turn it is. */
  private async chosen({ name, moves }: GameModule, turn: Turn, keeper: Keeper): Promise<Hex> {
    const { scribe } = this;
    const isLater = turn.record?.answer !== undefined;
    if (name === "auto-battler") return isLater ? "0x" : encodeTeam(scribe.ownedBy(turn.player));
    if (name === "warmancer" && isLater) return anyMove(turn as OpenTurn, keeper);
    const words = await moves.suggest(turn, keeper);
    if (name !== "pistols" || turn.seat === Seat.One || isLater) return moves.read(words, turn, keeper);
    const { tallies } = chronicleOf(scribe.archive, scribe.addresses.Pistols);
    return answerOf(toBeHex(words[0], 1), standingOf(tallies.get(turn.player) ?? NO_DUELS));
  }

  private termsOf(game: string, mode: Hex): Terms {
    const token = this.scribe.addresses.FightToken;
    return { game, stake1: STAKE, token, stake2: STAKE, mode, clock: CLOCK, share: SHARE, rated: true };
  }
}

/** Any legal move of Warmancer: games between players who attack wherever they can are short. */
async function anyMove(turn: OpenTurn, keeper: Keeper): Promise<Hex> {
  const player = await playerIn(await retrace(turn.record, turn.history), turn.seat, keeper);
  const { board } = player.foresee();
  if (board === undefined) return "0x";
  const legal = player.legal(board);
  return toBeHex(legal.length === 0 ? STUCK : legal[toNumber(randomBytes(4)) % legal.length], 2);
}
