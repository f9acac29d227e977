import { isHexString } from "ethers";
import fc, { type Arbitrary } from "fast-check";
import type { Archive } from "../../sdk/chain/archive.js";
import { games } from "../../sdk/games/index.js";
import { turnOf, type SecretStore } from "../../sdk/games/moves.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { NO_STATE } from "../../sdk/protocol/commit-reveal.js";
import { Seat } from "../../sdk/protocol/status.js";
import { decoder, expectNamed, type Decoder } from "./decoder.js";
import { hexNear, wordsNear } from "./near.js";
import type { Recorded } from "../support/recorded.js";

const plain = (text: string) => text;

/** A node that does not answer. */
const silence = () => Promise.reject(new Error("The node does not answer."));
const SILENT = { call: silence, resolveName: silence, getNetwork: silence, getBlock: silence, getBlockNumber: silence };

/** Variants of these records, in the fields that a node may have changed, and in the progress of the match. */
function recordsNear(matches: readonly Recorded[]): Arbitrary<MatchRecord> {
  const records = matches.map(({ record }) => record);
  const sent = ({ createData, joinData, actions }: MatchRecord) => [
    createData,
    joinData!,
    ...actions.map(({ data }) => data),
  ];
  const hex = hexNear(records.flatMap(sent));
  const entries = wordsNear(records.flatMap(({ logs }) => logs.flatMap((log) => log.entries)));
  const changes = fc.array(fc.tuple(fc.nat(6), fc.nat(), hex, entries), { maxLength: 2 });
  return fc.tuple(fc.constantFrom(...records), fc.nat(), changes).map(([record, cut, list]) => {
    const steps = cut % (record.actions.length + 3);
    const actions = record.actions.slice(0, steps);
    const near: MatchRecord = {
      ...record,
      joinData: steps === 0 ? undefined : record.joinData,
      actions: steps === 0 ? [] : actions,
      logs: record.logs.slice(0, steps),
      settlement: steps > record.actions.length ? record.settlement : undefined,
    };
    return list.reduce(changed, near);
  });
}

function changed(record: MatchRecord, [kind, at, hex, word]: readonly [number, number, Hex, bigint]): MatchRecord {
  const { actions, logs } = record;
  const [action, log] = [actions[at % actions.length], logs[at % logs.length]];
  if (kind === 0) return { ...record, createData: hex };
  if (kind === 1) return { ...record, joinData: hex };
  if (kind === 2 && action) return { ...record, actions: actions.with(at % actions.length, { ...action, data: hex }) };
  if (kind === 3 && log)
    return { ...record, logs: logs.with(at % logs.length, { ...log, entries: [...log.entries, word] }) };
  if (kind === 4 && log) return { ...record, logs: logs.with(at % logs.length, { ...log, entries: [word] }) };
  if (kind === 5) return { ...record, actions: [...actions, { seat: BigInt(at % 4), data: hex }] };
  return { ...record, actions: actions.slice(at % 3) };
}

/** Secret store of a player who has stored this secret. */
export function secretStoreOf(secret: Hex): SecretStore {
  return { commit: async () => `0x${"07".repeat(32)}`, reveal: async () => ({ move: secret, salt: NO_STATE }) };
}

/** All results of a game's module for a match's data, each as callers request it. */
export function matchDecoders(matches: readonly Recorded[], archive: Archive): Decoder[] {
  return games.map((game) => {
    const own = matches.filter((each) => each.game === game);
    return decoder(`a match of ${game.name}`, {
      covers: [
        `sdk/games/${game.name}/replay.ts: decodeLog`,
        "sdk/games/pistols/log.ts: decodeLog",
        "sdk/games/move-codec.ts: decodeMove",
      ],
      cost: 50,
      // Stored data was read before: it is hex, whatever its content.
      inputs: fc.tuple(
        recordsNear(own),
        hexNear(own.map(({ record }) => record.createData)).filter((hex) => isHexString(hex, true)),
      ),
      async decode([record, secret]) {
        // Nothing is cached from the match before.
        const history = Object.create(archive, { provider: { value: SILENT } }) as Archive;
        const secretStore = secretStoreOf(secret);
        const turns = [Seat.One, Seat.Two].map((seat) => {
          const player = seat === Seat.One ? record.player1 : (record.player2 ?? record.player1);
          return turnOf(record, seat, player, history);
        });
        const { moves } = game;
        await Promise.all([
          named(() => game.replay(record, history)),
          named(() => game.decodeLog(record, history)),
          named(() => game.story(record, history, plain)),
          named(() => game.story(record, history, plain, { turns: true })),
          named(() => game.actionTexts?.(record, history)),
          ...turns.flatMap(({ seat }) => [
            named(() => game.hidden?.commitmentOf(record, seat, history)),
            named(() => game.hidden?.mismatch(record, seat, { move: secret, salt: NO_STATE }, history)),
          ]),
          ...turns.flatMap((turn) => [
            named(() => moves.pendingCommitments?.(record, turn.seat, history)),
            named(() => moves.answeredCommitment?.(turn)),
            named(async () => moves.act(await moves.suggest(turn, secretStore), turn, secretStore)),
            named(() => moves.act(undefined, turn, secretStore)),
            named(() => game.view?.(record, history, plain, { seat: turn.seat, secretStore })),
          ]),
        ]);
      },
    });
  });
}

async function named(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    expectNamed(error);
  }
}
