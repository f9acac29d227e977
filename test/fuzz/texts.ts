import fc from "fast-check";
import {
  readAddress,
  readAmount,
  readCharacterId,
  readDuration,
  readHash,
  readMatchId,
  readNumber,
} from "../../sdk/protocol/arguments.js";
import { formatUnits, type Provider } from "ethers";
import { readStats } from "../../cli/mint/mints.js";
import { readPlayer } from "../../cli/shared/command/command.js";
import { readOptions } from "../../scripts/deploy/options.js";
import type { CommandContext } from "../../cli/shared/command/context.js";
import { readMode as readNamedMode } from "../../cli/shared/command/modes.js";
import { readMove as readMoveArguments } from "../../cli/shared/command/did-you-mean.js";
import { readChallenge } from "../../cli/shared/match/challenge-flags.js";
import { clientOf, readClients, readProxies } from "../../cli/shared/server/client-address.js";
import { readChannelRelays } from "../../cli/shared/channels/relays.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { readIds } from "../../sdk/games/token-ids.js";
import { games } from "../../sdk/games/index.js";
import { firstTurn } from "../../sdk/games/moves.js";
import { checkedMove, readMove as readPistolsMove } from "../../sdk/games/pistols/moves.js";
import { moveText, readMove, readSetup, setupText } from "../../sdk/games/warmancer/notation.js";
import { decoder, type Decoder } from "./decoder.js";
import { argumentsNear, listsNear, textsNear } from "./near.js";
import { Tokens } from "../../sdk/player/tokens.js";
import type { Recorded } from "../support/recorded.js";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HASH = `0x${"1a".repeat(32)}`;
const MAX = 2n ** 128n - 1n;
const MAX_DECIMALS = 77;

/** Moves as people write them, by game. */
export const MOVES: Readonly<Record<string, string[][]>> = {
  "auto-battler": [["1", "2", "3", "4", "5"]],
  guardians: [["1", "2", "3"], ["7"], ["1", "2", "3", "4", "5"]],
  "mini-games": [["rock"], ["3"], ["heads"]],
  pistols: [["10"], ["light", "block"], ["flee"]],
  "tic-tac-toe": [["4"]],
  warmancer: [["TA/SX", "sc"], ["d4-d5"], ["a1-b1", "b1-c1"], ["stuck"], ["concede"]],
};

/** Readers of moves, by game. */
const MOVE_READERS: Readonly<Record<string, string[]>> = {
  pistols: ["sdk/games/pistols/moves.ts: readMove"],
  warmancer: ["sdk/games/warmancer/moves.ts: readRanks"],
};

/** Costs of the slower games' move decoders: for a wrong team, its player's fighters are looked up. */
const MOVE_COSTS: Readonly<Record<string, number>> = { "auto-battler": 10 };

/** Flags of an offer: the required ones, then all of them. */
const NEEDED = { stake: "0", token: "FIGHT", clock: "24h" };
const FLAGS = { ...NEEDED, stake: "12.5", against: "1", mode: "x-wins-ties", opponent: ADDRESS, firm: "2d" };
const PROVIDER = {
  getCode: async () => "0x",
  getBlock: async () => ({ timestamp: 7 }),
  call: async () => "0x",
  resolveName: async () => null,
};
const SESSION = {
  deployment: { addresses: {} },
  provider: PROVIDER,
  tokens: new Tokens(PROVIDER as unknown as Provider, { FightToken: ADDRESS }),
} as unknown as CommandContext;

/** Returns the decoders of everything that turns command-line arguments into values. */
export function textDecoders(matches: readonly Recorded[], history: Archive): Decoder[] {
  const argumentsFile = "sdk/protocol/arguments.ts";
  const ofGames = games.map((game) => {
    const records = matches.filter((each) => each.game === game).map(({ record }) => record);
    return decoder(`a move of ${game.name} in words`, {
      covers: [
        "cli/shared/command/did-you-mean.ts: readMove",
        "sdk/games/move-codec.ts: readMove",
        ...(MOVE_READERS[game.name] ?? []),
      ],
      cost: MOVE_COSTS[game.name] ?? 2,
      inputs: fc.tuple(listsNear(MOVES[game.name] ?? [["1"]]), fc.nat(), fc.boolean()),
      async decode([moveArgs, at, isFirst]) {
        const record = records[at % records.length];
        const turn = firstTurn(record.terms, record.player1, history);
        return readMoveArguments(game, moveArgs, isFirst ? turn : { ...turn, record });
      },
    });
  });
  return [
    ...ofGames,
    decoder("a match", {
      covers: [`${argumentsFile}: readMatchId`],
      inputs: textsNear(["1", "77", String(2n ** 256n - 1n)]),
      decode: readMatchId,
      encode: String,
      meant: (text) => text.replace(/^0+/, ""),
    }),
    decoder("a number", {
      covers: [`${argumentsFile}: readNumber`],
      inputs: textsNear(["0", "20", "10000", "10001"]),
      decode: (text) => readNumber(text, "--limit", 0n, 10_000n),
      encode: String,
      meant: (text) => text.replace(/^0+(?=.)/, ""),
    }),
    decoder("an address", {
      covers: [`${argumentsFile}: readAddress`],
      inputs: textsNear([ADDRESS, ADDRESS.toLowerCase()]),
      decode: (text) => readAddress(text, "operator"),
      encode: (address) => address.toLowerCase(),
      meant: (text) => text.toLowerCase(),
    }),
    decoder("a player that an option names", {
      covers: ["cli/shared/command/command.ts: readPlayer"],
      inputs: textsNear([ADDRESS, ADDRESS.toLowerCase()]),
      decode: (of) => readPlayer(SESSION, { of }, "of"),
      encode: (address) => address.toLowerCase(),
      meant: (text) => text.toLowerCase(),
    }),
    decoder("the number of a fighter or card", {
      covers: [`${argumentsFile}: readCharacterId`],
      inputs: textsNear(["1", "77", String(MAX)]),
      decode: (text) => readCharacterId(text, "fighter"),
      encode: String,
      meant: (text) => text.replace(/^0+/, ""),
    }),
    decoder("the properties of a token to mint", {
      covers: ["cli/mint/mints.ts: readStats"],
      inputs: textsNear(["type=Dragon,power=500,hp=1200", "attack=high,golden=true", "__proto__=1"]),
      decode: (text) => readStats(text, "--stats"),
      encode: (stats) => Object.keys(stats).length,
      meant: (text) => text.split(",").length,
    }),
    decoder("an amount", {
      covers: [`${argumentsFile}: readAmount`],
      inputs: fc.tuple(textsNear(["12.5", "0.000000000000000001", "1000000"]), fc.nat(MAX_DECIMALS)),
      decode: ([text, decimals]) => [readAmount(text, decimals, "amount", MAX), decimals] as const,
      encode: ([amount, decimals]) => formatUnits(amount, decimals).replace(/\.0$/, ""),
      meant: ([text]) =>
        text
          .replace(/(\.\d*?)0+$/, "$1")
          .replace(/\.$/, "")
          .replace(/^0+(?=\d)/, ""),
    }),
    decoder("a length of time", {
      covers: [`${argumentsFile}: readDuration`],
      inputs: textsNear(["90s", "15m", "24h", "7d", "36500d"]),
      decode: (text) => readDuration(text, "--clock"),
      encode: (seconds) => Number.isSafeInteger(seconds),
      meant: () => true,
    }),
    decoder("a hash", {
      covers: [`${argumentsFile}: readHash`],
      inputs: textsNear([HASH]),
      decode: (text) => readHash(text, "--mode"),
      encode: (hash) => hash,
      meant: (text) => text.toLowerCase(),
    }),
    decoder("arguments of deploy", {
      covers: ["scripts/deploy/options.ts: readOptions"],
      cost: 5,
      inputs: argumentsNear([
        ["--network", "localhost", "--url", "http://127.0.0.1:8545", "--yes"],
        ["--network", "sepolia", "--treasury", ADDRESS, "--reset"],
      ]),
      decode: readOptions,
    }),
    decoder("flags of an offer", {
      covers: ["cli/shared/match/challenge-flags.ts: readChallenge"],
      inputs: fc.tuple(
        fc.constantFrom(...games),
        fc.dictionary(fc.constantFrom(...Object.keys(FLAGS)), textsNear(Object.values(FLAGS))),
      ),
      decode: ([game, flags]) => readChallenge(SESSION, game, { ...NEEDED, ...flags }),
    }),
    decoder("a mode by name, hash or file", {
      covers: ["cli/shared/command/modes.ts: readMode"],
      inputs: fc.tuple(fc.constantFrom(...games), textsNear(["x-wins-ties", HASH, "mode.json"])),
      decode: ([game, text]) => readNamedMode(game, text, "--mode"),
    }),
    decoder("numbers of a team", {
      covers: ["sdk/games/token-ids.ts: readIds"],
      inputs: listsNear([["1", "2", "3", "4", "5"]]),
      decode: (moveArgs) => readIds(moveArgs, "fighter"),
      encode: (ids) => ids.join(" "),
      meant: (moveArgs) => moveArgs.map((word) => word.replace(/^0+(?=.)/, "")).join(" "),
    }),
    decoder("paces or blades", {
      inputs: fc.tuple(listsNear(MOVES.pistols), fc.constantFrom(1, 2)),
      decode: ([moveArgs, round]) => checkedMove(readPistolsMove(moveArgs), round),
    }),
    decoder("names of relays", {
      covers: ["cli/shared/channels/relays.ts: readChannelRelays"],
      inputs: textsNear(["http://127.0.0.1:8090,./messages", "https://relay.example/path", "/tmp/board"]),
      decode: (names) => readChannelRelays(names, "--relay"),
    }),
    decoder("proxies that a relay trusts", {
      covers: ["cli/shared/server/client-address.ts: readProxies"],
      inputs: textsNear(["127.0.0.1,10.0.0.0/8", "2001:db8::/32, ::1"]),
      decode: (written) => readProxies(written, "--trust-proxy"),
    }),
    decoder("programs of a relay's host", {
      covers: ["cli/shared/server/client-address.ts: readClients"],
      inputs: textsNear(["127.0.0.1,10.0.0.7", "2001:db8::1%eth0, ::1"]),
      decode: (written) => readClients(written, "--own"),
    }),
    decoder("the client that a proxy of a relay names", {
      inputs: textsNear(["1.2.3.4, 10.0.0.1", "2001:db8::1%eth0", "::ffff:1.2.3.4, [::1]:80", "unknown"]),
      decode: (forwarded) => clientOf("::1", forwarded, readProxies("::/0,0.0.0.0/0", "--trust-proxy")),
    }),
    decoder("a move between tiles", {
      covers: ["sdk/games/warmancer/notation.ts: readMove"],
      inputs: textsNear(["d4-d5", "p16-p15", "stuck"]),
      decode: readMove,
      encode: moveText,
    }),
    decoder("a setup in letters", {
      covers: ["sdk/games/warmancer/notation.ts: readSetup"],
      inputs: listsNear(MOVES.warmancer.slice(0, 1)),
      decode: readSetup,
      encode: setupText,
      meant: (moveArgs) => moveArgs.join("").replaceAll("/", "").toUpperCase(),
    }),
  ];
}
