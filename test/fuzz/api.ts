import type { Provider } from "ethers";
import fc from "fast-check";
import { readChallengeRequest, wantedChallenge } from "../../cli/api/challenge-request.js";
import { readLegalMove } from "../../cli/api/choice.js";
import type { CommandContext } from "../../cli/shared/command/context.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { games } from "../../sdk/games/index.js";
import { contractsWith } from "../../sdk/games/list.js";
import { firstTurn } from "../../sdk/games/moves.js";
import { Tokens } from "../../sdk/player/tokens.js";
import { channelIdOf } from "../../sdk/protocol/channels/messages.js";
import type { Recorded } from "../support/recorded.js";
import { decoder, type Decoder } from "./decoder.js";
import { jsonNear, listsNear } from "./near.js";
import { secretStoreOf } from "./matches.js";
import { MOVES } from "./texts.js";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ADDRESSES = Object.fromEntries(contractsWith(games).map((name) => [name, ADDRESS]));
const FEE = 2000n;
const CHALLENGES = [
  { game: "rock-paper-scissors", stake: "5", token: "FIGHT", clock: 3600, rated: true },
  { game: "warmancer", mode: "classic", token: "COIN", lock: "7", opponentLock: "8", days: 2 },
];

/** Returns the decoders of what a bot sends to the API. */
export function apiDecoders(matches: readonly Recorded[], history: Archive): Decoder[] {
  const tokens = new Tokens({ getCode: async () => "0x", call: async () => "0x" } as unknown as Provider, ADDRESSES);
  const context = { games, addresses: ADDRESSES, deployment: {}, tokens } as unknown as CommandContext;
  const key = { player1: ADDRESS, key1: ADDRESS, player2: ADDRESS, key2: ADDRESS, token: ADDRESS, feeBps: FEE };
  const place = { chainId: 1n, channelId: channelIdOf(key), channel: key, nonce: 16_384, swapped: false };
  const moves = games
    .filter(({ channels }) => channels)
    .map((game) => {
      const { record } = matches.find((each) => each.game === game)!;
      const { terms, player1 } = record;
      const first = firstTurn(terms, player1, history);
      return decoder(`a legal move of ${game.name} for a bot`, {
        covers: ["cli/api/choice.ts: readLegalMove"],
        cost: 20,
        inputs: fc.tuple(listsNear(MOVES[game.name] ?? [["1"]]), fc.constantFrom(first, { ...first, record })),
        decode: ([args, turn]) => readLegalMove(game, turn, args, secretStoreOf("0x0102"), { ...place, terms }),
      });
    });
  return [
    ...moves,
    decoder("a challenge of a bot", {
      covers: ["cli/api/challenge-request.ts: readChallengeRequest"],
      cost: 2,
      inputs: jsonNear(CHALLENGES),
      decode: async (json) => wantedChallenge(context, readChallengeRequest(json, ""), undefined, FEE),
    }),
  ];
}
