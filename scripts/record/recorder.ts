import { randomBytes, toBeHex, toNumber } from "ethers";
import { encodeTeam } from "../../sdk/games/auto-battler/match.js";
import { modeHash } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { NO_DUELS, standingOf } from "../../sdk/games/pistols/honour.js";
import { answerOf } from "../../sdk/games/pistols/moves.js";
import { chronicleOf } from "../../sdk/games/pistols/records.js";
import { STUCK } from "../../sdk/games/warmancer/legal-moves.js";
import { replayMatch } from "../../sdk/games/warmancer/replay.js";
import { playerIn } from "../../sdk/games/warmancer/moves.js";
import type { SecretStore, OpenTurn, Turn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { split, statusFor } from "../../sdk/chain/settlement.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { MemorySecretStore } from "./memory-secret-store.js";
import { CHAIN, CLOCK, EventSynthesizer, FEE_BPS } from "./event-synthesizer.js";

const STAKE = 10n ** 18n;
/** From one player to the opponent. */
const APART = 7;

/** Matches as an arena would have recorded them, played by the engines. */
export class Recorder {
  readonly synthesizer = new EventSynthesizer();
  private matches = 0n;

  /** Plays a rated match in a mode at random. @returns its number. */
  async play(game: GameModule, mode: Hex): Promise<bigint> {
    const { synthesizer } = this;
    const { archive, addresses, players } = synthesizer;
    const matchId = ++this.matches;
    const seats = [0, 1].map((i) => players[(Number(matchId) + APART * i) % players.length]);
    const address = addresses[game.contract];
    const secretStores = seats.map((player) => new MemorySecretStore({ chainId: CHAIN, game: address, player }));
    const terms = this.termsOf(address, modeHash(mode));
    const turnOf = (seat: bigint) => {
      const side = Number(seat) - 1;
      return [{ seat, player: seats[side], mode: terms.mode, history: archive }, secretStores[side]] as const;
    };

    const [first, secretStore1] = turnOf(Seat.One);
    const data = await game.moves.create(await this.chosen(game, first, secretStore1), first, secretStore1);
    synthesizer.create({ matchId, player1: seats[0], opponent: seats[1], terms, data });
    await this.follow(game, matchId);
    const [second, secretStore2] = turnOf(Seat.Two);
    const joining = { ...second, record: await archive.match(matchId) };
    const answer = await game.moves.join(await this.chosen(game, joining, secretStore2), joining, secretStore2);
    synthesizer.join(matchId, seats[1], answer);
    for (let seat = await this.follow(game, matchId); seat !== Seat.None; seat = await this.follow(game, matchId)) {
      const [turn, secretStore] = turnOf(seat);
      const open = { ...turn, record: await archive.match(matchId) };
      const data = await game.moves.act(await this.chosen(game, open, secretStore), open, secretStore);
      synthesizer.mine();
      synthesizer.write(addresses.Arena, "Acted", { matchId, seat, data });
    }
    return matchId;
  }

  /** Records a match without dice once more, under another number. */
  async repeat(matchId: bigint): Promise<void> {
    const { synthesizer } = this;
    const copy = ++this.matches;
    const { terms, player1, player2 } = await synthesizer.archive.match(matchId);
    let last = 0;
    for (const event of synthesizer.archive.all.filter(({ args }) => "matchId" in args && args.matchId === matchId)) {
      const { address, name, args, block } = event;
      if (block !== last) synthesizer.mine();
      last = block;
      const own = { ...args, matchId: copy };
      if (name === "Settled") synthesizer.settle(copy, terms, [player1, player2!], args);
      else if (name === "Created")
        synthesizer.write(address, name, { ...args, ...own, firmUntil: synthesizer.time + CLOCK });
      else synthesizer.write(address, name, own as never);
    }
  }

  /** Writes what came of the last action. @returns whose turn it is. */
  private async follow(game: GameModule, matchId: bigint): Promise<bigint> {
    const { synthesizer } = this;
    const record = await synthesizer.archive.match(matchId);
    const { logs, result, turns } = await game.replay(record, synthesizer.archive);
    const { terms, player1, player2 } = record;
    for (const { round, entries } of logs.slice(record.logs.length)) {
      synthesizer.write(terms.game, "Log", { matchId, round, logEntries: entries });
    }
    if (result) {
      const ending = { status: statusFor(result.winner), ...split(terms, result.taker, FEE_BPS) };
      synthesizer.settle(matchId, terms, [player1, player2!], ending);
    }
    return turns.at(-1) ?? Seat.None;
  }

  /** A move at random of whoever's turn it is. */
  private async chosen({ name, moves }: GameModule, turn: Turn, secretStore: SecretStore): Promise<Hex> {
    const { synthesizer } = this;
    const isLater = turn.record?.joinData !== undefined;
    if (name === "auto-battler") return isLater ? "0x" : encodeTeam(synthesizer.ownedBy(turn.player));
    if (name === "warmancer" && isLater) return anyMove(turn as OpenTurn, secretStore);
    const moveArgs = await moves.suggest(turn, secretStore);
    if (name !== "pistols" || turn.seat === Seat.One || isLater) return moves.read(moveArgs, turn, secretStore);
    const { honourRecords } = chronicleOf(synthesizer.archive, synthesizer.addresses.Pistols);
    return answerOf(toBeHex(moveArgs[0], 1), standingOf(honourRecords.get(turn.player) ?? NO_DUELS));
  }

  private termsOf(game: string, mode: Hex): Terms {
    const token = this.synthesizer.addresses.FightToken;
    return { game, stake1: STAKE, token, stake2: STAKE, mode, clock: CLOCK, feeBps: FEE_BPS, rated: true };
  }
}

/** Any legal move of Warmancer: games between players who attack wherever they can are short. */
async function anyMove(turn: OpenTurn, secretStore: SecretStore): Promise<Hex> {
  const player = await playerIn(await replayMatch(turn.record, turn.history), turn.seat, secretStore);
  const { board } = player.foresee();
  if (board === undefined) return "0x";
  const legal = player.legal(board);
  return toBeHex(legal.length === 0 ? STUCK : legal[toNumber(randomBytes(4)) % legal.length], 2);
}
