import { dataLength } from "ethers";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import { firstTurn, turnOf, type OpenTurn, type SecretStore, type Turn } from "../games/moves.js";
import { encodeCommitment } from "../protocol/commit-reveal.js";
import { commitmentBy, type Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import type { Random } from "./random.js";

/** Data of a written match, and what was known when it was written. */
export interface WrittenStep {
  seat: bigint;
  data: Hex;
  /** The match with the data. */
  record: MatchRecord;
  /** The commitment that the data answers; undefined if it answers no commitment. */
  answered?: Hex;
  /** Secret that the data reveals; undefined if it reveals no secret. */
  revealed?: Secret;
  /** Secret that the data commits to; undefined if it commits to nothing. */
  committed?: Secret;
}

/** Secrets of a seat, with salts from a seeded source. */
class SeededStore implements SecretStore {
  private readonly secrets = new Map<Hex, Secret>();

  constructor(
    private readonly scheme: (secret: Secret) => Hex,
    private readonly random: Random,
  ) {}

  async commit(move: Hex, scheme = this.scheme): Promise<Hex> {
    const secret = { move, salt: this.random.word() };
    const committed = encodeCommitment({ commitment: scheme(secret), note: "0x" });
    this.secrets.set(committed, secret);
    return committed;
  }

  async reveal(committed: Hex): Promise<Secret> {
    return this.secrets.get(committed)!;
  }
}

/**
 * Writes a match of random legal moves with a module, from its creation to its end, without sending it.
 * @param start Match before anything is sent, with both players; `createData` is empty.
 * @returns The data to send, in order.
 */
export async function writeMatch(
  module: GameModule,
  start: MatchRecord & { player2: string },
  history: History,
  random: Random,
): Promise<WrittenStep[]> {
  const steps: WrittenStep[] = [];
  const { chainId, terms } = start;
  const players = [start.player1, start.player2];
  const stores = players.map((player) => new SeededStore(commitmentBy({ chainId, game: terms.game, player }), random));
  return random.instead(async () => {
    for (let seat: bigint = Seat.One; seat !== Seat.None; seat = await turnIn(steps.at(-1)!.record)) {
      const side = seat === Seat.One ? 0 : 1;
      const before = steps.at(-1)?.record;
      const turn = before ? turnOf(before, seat, players[side], history) : firstTurn(terms, players[side], history);
      steps.push(await written(turn, stores[side]));
    }
    return steps;
  });

  async function turnIn(record: MatchRecord): Promise<bigint> {
    if (record.joinData === undefined) return Seat.Two;
    return (await module.replay(record, history)).turns.at(-1)!;
  }

  async function written(turn: Turn, store: SeededStore): Promise<WrittenStep> {
    const { moves } = module;
    const { seat, record: before } = turn;
    const isOpen = (each: Turn): each is OpenTurn => each.record !== undefined;
    const move = await moveIn(turn, store);
    const compose = before?.joinData === undefined ? moves.join : moves.act;
    const data = await (isOpen(turn) ? compose(move, turn, store) : moves.create(move, turn, store));
    const record = withData(before ?? start, seat, data);
    const [pending, next] = [await pendingIn(before, seat), await pendingIn(record, seat)];
    return {
      seat,
      data,
      record,
      answered: isOpen(turn) ? await moves.answeredCommitment?.(turn) : undefined,
      revealed: pending === undefined ? undefined : await store.reveal(pending),
      committed: next === undefined || next === pending ? undefined : await store.reveal(next),
    };
  }

  /** Returns a move: any of the choices if they are moves, otherwise the module's suggestion. */
  async function moveIn(turn: Turn, store: SeededStore): Promise<unknown> {
    const { moves } = module;
    const choices = (await moves.choices?.(turn, store)) ?? [];
    const suggested = await moves.suggest(turn, store);
    if (choices.length === 0) return suggested;
    return moves.parse(random.pick(choices).split(" "), turn, store).catch(() => suggested);
  }

  async function pendingIn(record: MatchRecord | undefined, seat: bigint): Promise<Hex | undefined> {
    if (!record || !module.moves.pendingCommitments) return undefined;
    const isOver = record.joinData !== undefined && (await turnIn(record)) === Seat.None;
    return isOver ? undefined : (await module.moves.pendingCommitments(record, seat, history)).at(0)?.committed;
  }
}

/** Returns the match with a seat's next data. */
export function withData(record: MatchRecord, seat: bigint, data: Hex): MatchRecord {
  if (dataLength(record.createData) === 0) return { ...record, createData: data };
  if (record.joinData === undefined) return { ...record, joinData: data };
  return { ...record, actions: [...record.actions, { seat, data }] };
}
