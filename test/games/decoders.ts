import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { Contract, dataLength, id, toBeHex, type Result } from "ethers";
import hre from "hardhat";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";
import type { History } from "../../sdk/chain/history.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { decodeTurn as decodeAttack, type Turn as Attack } from "../../sdk/games/auto-battler/log.js";
import { decodeTurn, type Turn } from "../../sdk/games/guardians/log.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { decodeGame } from "../../sdk/games/mini-games/log.js";
import type { Decoder, GameModule } from "../../sdk/games/module.js";
import { decodeBlow, decodeResult, isResult, type Blow } from "../../sdk/games/pistols/log.js";
import { decodeMark } from "../../sdk/games/tic-tac-toe/log.js";
import { decodeEntry, Op, type Operation } from "../../sdk/games/warmancer/log.js";
import { customError } from "../../sdk/player/errors.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError } from "../../sdk/protocol/input.js";
import { sideOf } from "../../sdk/protocol/sides.js";
import { Original } from "../support/doctored.js";
import { provider } from "../support/recording.js";
import { fighterContract } from "../../sdk/games/auto-battler/fighters.js";

type Fields = Record<string, unknown>;

/** A game with a decoder. */
type Decoded = GameModule & { decoder: Decoder };

function isDecoded(game: GameModule): game is Decoded {
  return game.decoder !== undefined;
}

/** A game's decoder in TypeScript, and a function that returns the decoded fields under the names of its page. */
interface Row {
  decode: (entry: bigint) => object;
  fields: (decoded: never) => Fields;
}

const MAX_SIZE = 24_576;
const RESULT_ROUND = 3;
const NO_IDS = { attackerAssetId: 0, attackerCharId: 0, defenderAssetId: 0, defenderCharId: 0 };
const RANDOM_MATCHES = 5;
/** Number of entries in which all bits of bounded fields are flipped: at least one entry of each kind. */
const SAMPLES = process.env.THOROUGH ? 15 : 5;
const WORD_BITS = 256;
const BOUNDED_BITS = 36;

const ROWS: Record<string, Row> = {
  "auto-battler": {
    decode: decodeAttack,
    fields: ({ attacker, ...rest }: Attack) => ({ ...NO_IDS, ...rest, side: sideOf(attacker) }),
  },
  guardians: {
    decode: decodeTurn,
    // No entry contains the ids of cards.
    fields: ({ attacker, ...rest }: Turn & { attackerId?: bigint; defenderId?: bigint }) => {
      const { attackerId: _attackerId, defenderId: _defenderId, ...fields } = rest;
      return { ...fields, side: sideOf(attacker) };
    },
  },
  "mini-games": {
    decode: decodeGame,
    fields: ({ values: [value1, value2], flip, ...rest }: ReturnType<typeof decodeGame>) => ({
      ...{ value1, value2, flip: flip ?? 0 },
      ...rest,
    }),
  },
  pistols: {
    decode: (entry) => (isResult(entry) ? decodeResult(entry) : decodeBlow(entry)),
    fields: (decoded: Blow | ReturnType<typeof decodeResult>) => {
      if ("honour" in decoded) {
        const { pot, honour, winner } = decoded;
        return { round: RESULT_ROUND, winner, taker: pot, honour1: honour[0], honour2: honour[1] };
      }
      const { player, health, ...rest } = decoded;
      return { ...rest, side: sideOf(player), health1: health[0], health2: health[1] };
    },
  },
  "tic-tac-toe": { decode: decodeMark, fields: (mark: ReturnType<typeof decodeMark>) => ({ ...mark }) },
  warmancer: {
    decode: decodeEntry,
    fields: ({ op, ...rest }: Operation) => ({
      ...rest,
      op: { move: Op.Move, reveal: Op.Reveal, battle: Op.Battle, kill: Op.Kill, result: Op.Result }[op],
    }),
  },
};

/** Adds zeros for missing fields, and converts the values to the types that a node returns. */
function completed(fields: Fields, like: Fields): Fields {
  const values = Object.entries(like).map(([name, sample]) => {
    const value = fields[name] ?? 0;
    return [name, typeof sample === "boolean" ? Boolean(value) : BigInt(value as number | bigint)];
  });
  const unknown = Object.keys(fields).filter((name) => !(name in like));
  expect(unknown, "fields that the contract does not return").to.be.empty;
  return Object.fromEntries(values) as Fields;
}

/** Returns the words of all golden logs of a game. */
function goldenLogs(name: string): bigint[][] {
  const folder = join(import.meta.dirname, "../golden", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".out.json"));
  const contents = files.map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as { words?: string[] });
  return contents.flatMap(({ words }) => (words ? [words.map(BigInt)] : []));
}

describe("A decoder of logs", () => {
  let original: Original;
  let history: History;

  before(async () => {
    original = await Original.ofRecording();
    history = original.archive;
  });

  /** Calls the view of the decoder that is part of the deployment. */
  async function decode({ name, decoder }: Decoded, entries: readonly bigint[], data: Hex = "0x"): Promise<Fields[]> {
    const contract = new Contract(history.addresses[decoder.contract], decoder.abi, provider);
    const args = name === "auto-battler" ? [entries, data] : [entries];
    const result = (await contract.getFunction("decode").staticCall(...args)) as Result;
    return result.map((each: Result) => each.toObject());
  }

  function expectSame(actual: readonly Fields[], expected: readonly Fields[], what: string): void {
    expect(actual.length, what).to.equal(expected.length);
    actual.forEach((fields, i) => {
      expect(fields, `${what}, entry ${i}`).to.deep.equal(completed(expected[i], fields));
    });
  }

  /** Returns the matches of a game that have logs. */
  async function matchesOf({ contract }: GameModule): Promise<MatchRecord[]> {
    const count = Number(await original.arena.matchCount());
    const records = await Promise.all(Array.from({ length: count }, (_, i) => history.match(BigInt(i + 1))));
    return records.filter(({ terms, logs }) => terms.game === history.addresses[contract] && logs.length !== 0);
  }

  for (const game of games.filter(isDecoded)) {
    describe(`given ${game.title}`, () => {
      const row = ROWS[game.name];
      const fieldsOf = (decoded: object): Fields => row.fields(decoded as never);

      it("returns the same fields as the SDK for every recorded match", async () => {
        const records = await matchesOf(game);
        expect(records).to.not.be.empty;
        for (const record of records) {
          const expected = await game.decodeLog(record, history);
          const entries = record.logs.flatMap((log) => log.entries);
          const actual = await decode(game, entries, record.actions.at(-1)?.data);
          expectSame(actual, expected.map(fieldsOf), `match ${record.matchId}`);
        }
      });

      it("returns the same fields as the SDK for every golden log and for random matches in every mode", async () => {
        const golden = goldenLogs(game.name);
        expect(golden).to.not.be.empty;
        const random = new SeededRandom(id(`decoders of ${game.name}`));
        const short = game.demo === undefined ? Object.values(game.modes) : [game.modes[game.demo]];
        const simulated: bigint[][] = [];
        for (const { content } of short) {
          for (let n = 0; n < RANDOM_MATCHES; n++) {
            const { words } = (await game.simulate(game.odds!.atRandom(content, random))) as { words: string[] };
            simulated.push(words.map(BigInt));
          }
        }
        for (const entries of [...golden, ...simulated]) {
          const expected = entries.map((entry) => fieldsOf(row.decode(entry)));
          expectSame(await decode(game, entries), expected, game.name);
        }
      });

      it("refuses exactly the entries that the SDK refuses, and reports their index and value", async () => {
        const random = new SeededRandom(id(`wrong entries of ${game.name}`));
        const valid = goldenLogs(game.name).flat();
        // In games with several kinds of entries, the kind is within the lowest bits.
        const kinds = [...new Set(valid.map((entry) => entry % 8n))].map((low) =>
          valid.filter((entry) => entry % 8n === low),
        );
        const entries = Array.from({ length: SAMPLES }, (_, n) => {
          const kind = kinds[n % kinds.length];
          const sample = kind[random.below(kind.length)];
          // All bounded fields are within the lowest bits.
          const bits = Array.from({ length: n === 0 ? WORD_BITS : BOUNDED_BITS }, (_unused, bit) => 1n << BigInt(bit));
          return bits.map((bit) => sample ^ bit);
        }).flat();
        let refused = 0;
        for (const entry of entries) {
          let expected: Fields | undefined;
          try {
            expected = fieldsOf(row.decode(entry));
          } catch (error) {
            expect(error).to.be.instanceOf(InputError);
          }
          const run = decode(game, [valid[0], entry]);
          if (expected) {
            expectSame((await run).slice(1), [expected], toBeHex(entry, 32));
            continue;
          }
          refused++;
          const error: unknown = await run.catch((reason: unknown) => reason);
          expect(customError(error, games), toBeHex(entry, 32)).to.deep.include({ name: "NotALogEntry" });
          expect([...customError(error, games)!.args]).to.deep.equal([1n, entry]);
        }
        expect(refused).to.be.within(1, entries.length - 1);
      });

      it("is a contract within the size limit", async () => {
        const { deployedBytecode } = await hre.artifacts.readArtifact(game.decoder.contract);
        expect(dataLength(deployedBytecode)).to.be.below(MAX_SIZE);
        expect(await provider.getCode(history.addresses[game.decoder.contract])).to.have.lengthOf(
          deployedBytecode.length,
        );
      });

      it("returns an empty array for no entries", async () => {
        expect(await decode(game, [])).to.deep.equal([]);
      });
    });
  }

  describe("given the tokens of the auto-battler", () => {
    const autoBattler = stockGame("auto-battler") as Decoded;

    it("takes the tokens from the data of the reveal", async () => {
      const [{ logs, actions }] = await matchesOf(autoBattler);
      const turns = await decode(autoBattler, logs[0].entries, actions[0].data);
      for (const { attackerAssetId, attackerCharId } of turns) {
        const { character } = await history.character(fighterContract, attackerAssetId as bigint);
        expect(attackerCharId).to.equal(character);
      }
      expect(turns.some(({ attackerCharId }) => attackerCharId !== 0n)).to.equal(true);
    });

    it("refuses data that is too short for a reveal, or names a fighter that was never minted", async () => {
      const [{ logs, joinData, actions }] = await matchesOf(autoBattler);
      const [{ data }] = actions;
      const refusal = async (bytes: Hex) =>
        customError(await decode(autoBattler, logs[0].entries, bytes).catch((error: unknown) => error), games);
      for (const short of [joinData!, data.slice(0, -2), "0x00"]) {
        const { name, args } = (await refusal(short))!;
        expect([name, ...args]).to.deep.equal(["NotAReveal", BigInt(dataLength(short)), BigInt(dataLength(data))]);
      }
      const { name, args } = (await refusal(`0x${"f".repeat(data.length - 2)}`))!;
      expect([name, ...args]).to.deep.equal(["UnknownFighter", 2n ** 128n - 1n]);
    });
  });
});
