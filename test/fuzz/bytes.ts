import { Interface, isHexString, type Log, type ParamType, type Provider } from "ethers";
import fc, { type Arbitrary } from "fast-check";
import { isOutage } from "../../sdk/chain/trouble.js";
import type { History } from "../../sdk/chain/history.js";
import { readRecord, readStakes } from "../../sdk/chain/ladder.js";
import { readTerms } from "../../sdk/chain/terms.js";
import { readCharacter } from "../../sdk/chain/characters.js";
import { fighterContract } from "../../sdk/games/auto-battler/fighters.js";
import { cardContract } from "../../sdk/games/guardians/cards.js";
import { explain } from "../../sdk/player/errors.js";
import { allTopics, decodeEvent, type AnyEvent } from "../../sdk/chain/events.js";
import * as autoLog from "../../sdk/games/auto-battler/log.js";
import * as autoMatch from "../../sdk/games/auto-battler/moves.js";
import * as autoMode from "../../sdk/games/auto-battler/mode.js";
import * as guardiansLog from "../../sdk/games/guardians/log.js";
import * as guardiansMatch from "../../sdk/games/guardians/moves.js";
import * as guardiansMode from "../../sdk/games/guardians/mode.js";
import { games } from "../../sdk/games/index.js";
import { decodeGame, encodeGame } from "../../sdk/games/mini-games/log.js";
import * as miniMode from "../../sdk/games/mini-games/mode.js";
import { decodeBlow, decodeResult, encodeBlow, encodeResult } from "../../sdk/games/pistols/log.js";
import { decodeState, encodeState } from "../../sdk/games/pistols/state.js";
import { decodeMark, encodeMark } from "../../sdk/games/tic-tac-toe/log.js";
import { modes as ticTacToeModes } from "../../sdk/games/tic-tac-toe/mode.js";
import { decodeAction } from "../../sdk/games/warmancer/decode-action.js";
import { decodeEntry, encodeEntry } from "../../sdk/games/warmancer/log.js";
import * as warmancerMode from "../../sdk/games/warmancer/mode.js";
import { decodePosition, encodePosition, startPosition } from "../../sdk/games/warmancer/position.js";
import { decodeProof, decodeSetup, encodeProof, encodeSetup } from "../../sdk/games/warmancer/setup.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  decodeAnswer,
  decodeReveal,
  decodeCommitment,
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
} from "../../sdk/protocol/commit-reveal.js";
import { recoverSecret, commitWithKey } from "../../sdk/player/secrets.js";
import { compareState } from "../../sdk/verify/state.js";
import { hexWord } from "../../sdk/protocol/word.js";
import {
  Arena__factory,
  Fighters__factory,
  FightToken__factory,
  GuardianCards__factory,
  IGame__factory,
} from "../../typechain-types/index.js";
import { decoder, expectPrintable, type Decoder } from "./decoder.js";
import { hexNear, wordsNear } from "./near.js";
import type { Recorded } from "../support/recorded.js";

const KEY = `0x${"07".repeat(32)}`;
const LENGTHS = [80, 80] as const;
const PLAYER = KEY.slice(0, 42);

const declared: readonly Interface[] = [
  Arena__factory.createInterface(),
  IGame__factory.createInterface(),
  Fighters__factory.createInterface(),
  GuardianCards__factory.createInterface(),
];

const reader = Arena__factory.connect(PLAYER);
const MATCH = declared[0].getFunction("matchOf")!.outputs.map(sampleOf);
const TERMS = declared[0].getFunction("termsOf")!.outputs.map(sampleOf);
const VIEW = { address: KEY, view: "matchOf", args: [7n], answer: MATCH };

/** A value of a type. */
function sampleOf({ type, baseType, components }: ParamType): unknown {
  if (baseType === "tuple") return components!.map(sampleOf);
  if (baseType === "array") return [];
  if (type === "address") return PLAYER;
  if (type === "string") return "no\u001b[2J";
  if (type === "bytes" || type === "bool") return type === "bool" || KEY;
  return type.startsWith("bytes") ? KEY.slice(0, 2 + 2 * Number(type.slice(5))) : 7n;
}

/** Revert data of every declared error, and of Solidity's built-in errors. */
function refusals(): Hex[] {
  const builtIn = new Interface(["error Error(string)", "error Panic(uint256)"]);
  const all = [
    ...declared,
    FightToken__factory.createInterface(),
    builtIn,
    ...games.map(({ abi }) => new Interface(abi)),
  ];
  return all.flatMap((abi) => {
    const found: Hex[] = [];
    abi.forEachError((error) => found.push(abi.encodeErrorResult(error, error.inputs.map(sampleOf))));
    return found;
  });
}

/** Returns a node that answers every view with one word. */
function told(word: bigint): Provider {
  return answering(hexWord(word));
}

/** A node that answers every call with the same bytes. */
function answering(data: Hex): Provider {
  return { call: async () => data } as unknown as Provider;
}

/** Fields of a log that are read. */
type Written = Pick<Log, "address" | "blockNumber" | "index" | "transactionHash" | "topics" | "data">;

/** The log of an event, as returned by a node. */
function logOf({ name, args, address, block, index, transaction }: AnyEvent): Written {
  const abi = declared.find((each) => each.getEvent(name))!;
  const place = { address, blockNumber: block, index, transactionHash: transaction };
  return { ...place, ...abi.encodeEventLog(name, Object.values(args)) };
}

/** Generates logs like these, of any event. Topics have 32 bytes, and all is hex, or providers would reject them. */
function logsNear(events: readonly AnyEvent[]): Arbitrary<Written> {
  const logs = events.map(logOf);
  const topics = [...allTopics(), ...new Set(logs.flatMap((log) => log.topics))];
  const topic = fc.oneof(
    fc.constantFrom(...topics),
    hexNear(topics).filter((hex) => isHexString(hex, 32)),
  );
  return fc
    .tuple(
      fc.constantFrom(...logs),
      hexNear(logs.map(({ data }) => data)).filter((hex) => isHexString(hex, true)),
      fc.array(topic, { maxLength: 4 }),
      fc.nat(3),
    )
    .map(([log, data, others, kind]) => {
      if (kind === 0) return { ...log, data };
      if (kind === 1) return { ...log, topics: [log.topics[0], ...others.slice(1)] };
      return kind === 2 ? { ...log, topics: others } : { ...log, data: others[0] ?? "0x" };
    });
}

function positionOf(content: Hex): Hex {
  return encodePosition(startPosition(warmancerMode.decodeMode(content), { roots: [KEY, KEY] }));
}

/** Maximum number of lines that describe a mode. */
const MAX_LINES = 30;

/** Returns the decoders of everything that turns bytes of a chain into values. */
export async function bytesDecoders(matches: readonly Recorded[], events: readonly AnyEvent[]): Promise<Decoder[]> {
  const of = (name: string) => matches.filter(({ game }) => game.name === name).map(({ record }) => record);
  const entries = (name: string) => of(name).flatMap(({ logs }) => logs.flatMap((log) => log.entries));
  const modes = ({ modes: stock }: GameModule) => Object.values(stock).map(({ content }) => content);
  const [auto] = of("auto-battler");
  const contents = Object.fromEntries(games.map((game) => [game.name, modes(game)]));
  const answers = matches.flatMap(({ record }) => (record.joinData === undefined ? [] : [record.joinData]));
  const createdWith = matches.map(({ record }) => record.createData);
  const by = { chainId: 1, game: PLAYER, player: PLAYER };
  const { committed } = await commitWithKey(by, "0x0102", KEY);
  const setups = of("warmancer").map(({ actions }) => actions.at(-1)!.data);
  const warmancer = "sdk/games/warmancer";
  return [
    decoder("a commitment and its note", {
      covers: ["sdk/protocol/commit-reveal.ts: decodeCommitment"],
      inputs: hexNear(createdWith),
      decode: decodeCommitment,
      encode: encodeCommitment,
    }),
    decoder("an answer", {
      covers: ["sdk/protocol/commit-reveal.ts: decodeAnswer"],
      inputs: hexNear(answers),
      decode: decodeAnswer,
      encode: encodeAnswer,
    }),
    decoder("a reveal", {
      covers: ["sdk/protocol/commit-reveal.ts: decodeReveal"],
      inputs: hexNear([auto.actions[0].data]),
      decode: (data) => decodeReveal(data, ...LENGTHS),
      encode: encodeReveal,
    }),
    decoder("a note", {
      covers: ["sdk/player/secrets.ts: recoverSecret"],
      cost: 10,
      inputs: hexNear([committed]),
      decode: (data) => recoverSecret(by, data, KEY),
    }),
    decoder("a team of fighters", {
      covers: ["sdk/games/auto-battler/moves.ts: decodeTeam"],
      inputs: hexNear([autoMatch.encodeTeam([1n, 2n, 3n, 4n, 5n])]),
      decode: autoMatch.decodeTeam,
      encode: autoMatch.encodeTeam,
    }),
    decoder("a team of cards", {
      covers: ["sdk/games/guardians/moves.ts: decodeTeam"],
      inputs: hexNear([1, 3, 5].map((size) => guardiansMatch.encodeTeam([1n, 2n, 3n, 4n, 5n].slice(0, size)))),
      decode: guardiansMatch.decodeTeam,
      encode: guardiansMatch.encodeTeam,
    }),
    decoder("a mode of auto-battler", {
      covers: ["sdk/games/auto-battler/mode.ts: decodeMode"],
      inputs: hexNear([autoMode.encodeMode(autoMode.defaultMode)]),
      decode: autoMode.decodeMode,
      encode: autoMode.encodeMode,
    }),
    decoder("a mode of guardians", {
      covers: ["sdk/games/guardians/mode.ts: decodeMode", "sdk/protocol/layout.ts: readField"],
      inputs: hexNear(contents.guardians),
      decode: guardiansMode.decodeMode,
      encode: guardiansMode.encodeMode,
    }),
    decoder("a mode of mini-games", {
      covers: ["sdk/games/mini-games/mode.ts: decodeMode"],
      inputs: hexNear(contents["mini-games"]),
      decode: miniMode.decodeMode,
      encode: miniMode.encodeMode,
    }),
    decoder("a mode of tic-tac-toe", {
      inputs: hexNear(contents["tic-tac-toe"]),
      decode: ticTacToeModes.decode,
      encode: ticTacToeModes.encode,
    }),
    decoder("a mode of warmancer", {
      covers: [`${warmancer}/mode.ts: decodeMode`, `${warmancer}/mode.ts: readFlags`],
      inputs: hexNear(contents.warmancer.filter((content) => content !== "0x")).filter((content) => content !== "0x"),
      decode: warmancerMode.decodeMode,
      encode: warmancerMode.encodeMode,
    }),
    ...games.flatMap(({ name, modeFormat }) => {
      if (!modeFormat) return [];
      const spec = {
        inputs: hexNear(contents[name]),
        decode: modeFormat.describe,
        encode: (lines: string[]) => {
          lines.forEach(expectPrintable);
          return lines.length <= MAX_LINES;
        },
        meant: () => true,
      };
      return [decoder(`a mode in words: ${name}`, spec)];
    }),
    decoder("an entry of auto-battler's log", {
      covers: ["sdk/games/auto-battler/log.ts: decodeTurn"],
      inputs: wordsNear(entries("auto-battler")),
      decode: autoLog.decodeTurn,
      encode: autoLog.encodeTurn,
    }),
    decoder("an entry of guardians' log", {
      covers: ["sdk/games/guardians/log.ts: decodeTurn"],
      inputs: wordsNear(entries("guardians")),
      decode: guardiansLog.decodeTurn,
      encode: guardiansLog.encodeTurn,
    }),
    decoder("an entry of mini-games' log", {
      covers: ["sdk/games/mini-games/log.ts: decodeGame"],
      inputs: wordsNear(entries("mini-games")),
      decode: decodeGame,
      encode: encodeGame,
    }),
    decoder("a blow in pistols' log", {
      covers: ["sdk/games/pistols/log.ts: decodeBlow"],
      inputs: wordsNear(entries("pistols")),
      decode: decodeBlow,
      encode: encodeBlow,
    }),
    decoder("a result in pistols' log", {
      covers: ["sdk/games/pistols/log.ts: decodeResult"],
      inputs: wordsNear(entries("pistols")),
      decode: decodeResult,
      encode: encodeResult,
    }),
    decoder("an entry of tic-tac-toe's log", {
      covers: ["sdk/games/tic-tac-toe/log.ts: decodeMark"],
      inputs: wordsNear(entries("tic-tac-toe")),
      decode: decodeMark,
      encode: encodeMark,
    }),
    decoder("an entry of warmancer's log", {
      covers: [`${warmancer}/log.ts: decodeEntry`],
      inputs: wordsNear(entries("warmancer")),
      decode: decodeEntry,
      encode: encodeEntry,
    }),
    decoder("a state of pistols", {
      covers: ["sdk/games/pistols/state.ts: decodeState"],
      inputs: hexNear(of("pistols").map(({ joinData }) => decodeAnswer(joinData!).state)),
      decode: decodeState,
      encode: encodeState,
    }),
    decoder("a position of warmancer", {
      // The encoding is not compared, because the state hash covers redundant fields of a position.
      covers: [`${warmancer}/position.ts: decodePosition`],
      inputs: hexNear(contents.warmancer.slice(1).map(positionOf)),
      decode: decodePosition,
    }),
    decoder("an action of warmancer", {
      covers: [`${warmancer}/decode-action.ts: decodeAction`],
      inputs: hexNear(of("warmancer").flatMap(({ actions }) => actions.map(({ data }) => data))),
      decode: decodeAction,
    }),
    decoder("a proof of warmancer", {
      covers: [`${warmancer}/setup.ts: decodeProof`],
      inputs: hexNear([encodeProof({ slot: 3, rank: 2, salt: KEY, siblings: Array<string>(6).fill(KEY) })]),
      decode: decodeProof,
      encode: encodeProof,
    }),
    decoder("a setup of warmancer", {
      covers: [`${warmancer}/setup.ts: decodeSetup`],
      inputs: hexNear([...setups, encodeSetup({ secret: KEY, ranks: [1, 2, 3] })]),
      decode: decodeSetup,
      encode: encodeSetup,
    }),
    decoder("an event", {
      covers: ["sdk/chain/events.ts: decodeEvent"],
      cost: 5,
      inputs: logsNear(events),
      decode: (log) => decodeEvent(log as Log),
    }),
    decoder("a fighter that a node returns", {
      covers: ["sdk/chain/characters.ts: readCharacter"],
      cost: 10,
      inputs: wordsNear([0x1_15_55n]),
      decode: (word) => readCharacter(told(word), PLAYER, fighterContract, 7n),
    }),
    decoder("a card that a node returns", {
      covers: ["sdk/chain/characters.ts: readCharacter"],
      cost: 10,
      inputs: wordsNear([7n]),
      decode: (word) => readCharacter(told(word), PLAYER, cardContract, 7n),
    }),
    decoder("terms that a node returns", {
      covers: ["sdk/chain/terms.ts: readTerms"],
      cost: 10,
      inputs: hexNear([declared[0].encodeFunctionResult("termsOf", TERMS)]).filter((hex) => isHexString(hex, true)),
      // Data of another length is not an answer: the caller treats it as a failure of the node.
      decode: (data) =>
        readTerms(reader.connect(answering(data)), 7n).catch((error: unknown) => {
          if (!isOutage(error)) throw error;
        }),
    }),
    decoder("a refusal", {
      covers: ["sdk/player/errors.ts: customError", "sdk/player/errors.ts: explain"],
      cost: 10,
      inputs: hexNear(refusals()),
      decode: (data) => expectPrintable(explain(Object.assign(new Error("refused"), { data }), { games })),
    }),
    decoder("records and stakes that a node returns", {
      covers: ["sdk/chain/ladder.ts: readRecord", "sdk/chain/ladder.ts: readStakes"],
      cost: 10,
      inputs: hexNear([
        declared[0].encodeFunctionResult("recordOf", [[1000n, 50n, 1n, 0n, 0n, 0n, 7n]]),
        declared[0].encodeFunctionResult("stakesOf", [[5n, 8n]]),
      ]).filter((hex) => isHexString(hex, true)),
      async decode(data) {
        const history = { provider: answering(data), addresses: { Arena: PLAYER } } as unknown as History;
        for (const reading of [readRecord(history, PLAYER, PLAYER, 7), readStakes(history, PLAYER, PLAYER, 7)]) {
          await reading.catch((error: unknown) => {
            if (!isOutage(error)) throw error;
          });
        }
      },
    }),
    decoder("a view's answer", {
      covers: ["sdk/verify/state.ts: compareState"],
      cost: 5,
      inputs: hexNear([declared[0].encodeFunctionResult("matchOf", MATCH)]),
      decode: (data) => compareState([VIEW], new Map([[KEY, declared[0]]]), async () => data),
    }),
  ];
}
