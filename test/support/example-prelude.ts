import {
  SigningKey,
  ZeroAddress,
  ZeroHash,
  type InterfaceAbi,
  type Provider,
  type Signer,
  type TransactionReceipt,
} from "ethers";
import type { network } from "hardhat";
import type { Arena } from "../../typechain-types/index.js";
import { SeededRandom } from "../../sdk/bots/seeded-random.js";
import type { RandomSource } from "../../sdk/bots/source.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import type { Archive } from "../../sdk/chain/archive.js";
import type { History } from "../../sdk/chain/history.js";
import type { IndexClient } from "../../sdk/chain/index-client.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import type { CommittedThenOpenRules } from "../../sdk/games/committed-then-open.js";
import type { GameDefinition } from "../../sdk/games/module.js";
import type { OneRoundRules } from "../../sdk/games/one-round.js";
import type { OpenTurnsRules } from "../../sdk/games/open-turns.js";
import type { OpenTurn, SecretStore } from "../../sdk/games/moves.js";
import type { BladesView } from "../../sdk/games/pistols/bot.js";
import { ticTacToe } from "../../sdk/games/tic-tac-toe/index.js";
import type { WarmancerView } from "../../sdk/games/warmancer/bot/view.js";
import type { Player } from "../../sdk/games/warmancer/player.js";
import type { Position } from "../../sdk/games/warmancer/position.js";
import type { LawGame, Script } from "../../sdk/laws/game.js";
import type { World } from "../../sdk/laws/world.js";
import type { Token } from "../../sdk/player/amounts.js";
import type { ChannelPorts } from "../../sdk/player/channels/player.js";
import type { Client } from "../../sdk/player/client.js";
import type { KeyHolder } from "../../sdk/player/key-store.js";
import type { TimedMatchView } from "../../sdk/player/match-view.js";
import type { OutboxStore, PendingTransaction, PendingWaiter } from "../../sdk/player/outbox.js";
import type { AgentState, ChallengeView } from "../../sdk/player/policy-decision.js";
import type { Policy } from "../../sdk/player/policy.js";
import { Practice } from "../../sdk/player/practice.js";
import type { ShownAnswers } from "../../sdk/player/shown-answers.js";
import type { Tokens } from "../../sdk/player/tokens.js";
import type { Channel, ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { signedSeek, type Search, type Seek } from "../../sdk/protocol/channels/seek.js";
import type { OpenMessage } from "../../sdk/protocol/channels/wire.js";
import type { Committer } from "../../sdk/protocol/commitment.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Offer } from "../../sdk/protocol/offer.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";

// What the examples of the SDK's docstrings may use without declaring it. Examples with a value that is only declared
// need a chain: they are compiled, but not run.

/** Address of player 1. */
export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** Address of player 2. */
export const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
/** Id of the local chain. */
export const chainId = 31_337n;
/** Addresses of the contracts on a local chain. */
export const addresses: Addresses = {
  Arena: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  FightToken: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
  Fighters: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
  AutoBattler: "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9",
  MiniGames: "0x0165878A594ca255338adfa4d48449f69242Eb8F",
  Pistols: "0xa513E6E4b8f2a923D98304ec87F64353C4D5C853",
  TicTacToe: "0x2279B7A0a67DB372996a5FaB50D91eAA73d2eBe6",
  Warmancer: "0x8A791620dd6260079BF849Dc5567aDC3F2FdC318",
};
/** The token FIGHT of the local chain. */
export const fight: Token = { address: addresses.FightToken, symbol: "FIGHT", decimals: 18 };
/** Terms of a match for 10 FIGHT against 10 FIGHT. */
export const terms: Terms = {
  game: addresses.TicTacToe,
  stake1: 10n ** 19n,
  token: fight.address,
  stake2: 10n ** 19n,
  mode: ZeroHash,
  clock: 3600n,
  feeBps: 500n,
  rated: true,
};
/** Alice's offer of a match. */
export const offer: Offer = { matchId: 7n, terms, player1: alice, fingerprint: "0x0102030405" };

/** Alice, who commits to a move of the mini-games. */
export const committer: Committer = { chainId, game: addresses.MiniGames, player: alice };
/** Salt of a commitment. */
export const salt: Hex = `0x${"01".repeat(32)}`;
/** Salt of an answer. */
export const otherSalt: Hex = `0x${"02".repeat(32)}`;
/** Alice's secret key, from which the salts of her commitments are derived. */
export const secretKey: Hex = `0x${"11".repeat(32)}`;

/** Session keys of Alice and Bob, which sign the messages of a channel. */
export const aliceKey = new SigningKey(`0x${"21".repeat(32)}`);
export const bobKey = new SigningKey(`0x${"22".repeat(32)}`);
/** The contract and chain for which the messages of channels are signed. */
export const channelsAt: ChannelsAt = { chainId, channels: channelsOf(addresses.Arena) };
/** Channel between Alice and Bob. */
export const channel: Channel = {
  player1: alice,
  key1: "0x2BD0C9FE079c8FcA0E3352eb3D02839c371E5c41",
  player2: bob,
  key2: "0x1563915e194D8CfBA1943570603F7606A3115508",
  token: fight.address,
  feeBps: 500n,
};
/** What Alice searches for: somebody who locks 50 FIGHT against hers until a day in 2030. */
export const search: Search = {
  opponent: ZeroAddress,
  token: fight.address,
  feeBps: 500n,
  amount: 5n * 10n ** 19n,
  otherAmount: 5n * 10n ** 19n,
  until: 1_893_456_000,
};
/** Alice's signed search. */
export const seek: Seek = signedSeek(aliceKey, channelsAt, {
  ...search,
  player: alice,
  key: channel.key1,
  expires: 1_893_000_000,
});
/** URLs of relays. */
export const relays: readonly string[] = ["https://relay.example"];

/** A finished match of tic-tac-toe that was played in memory: player 1 has filled the top row. */
const finished = await Practice.start(ticTacToe, { mode: "0x", seat: Seat.One });
for (const cell of [0, 3, 1, 4, 2]) await finished.play(cell);
/** The events of a match. */
export const archive: Archive = finished.archive;
/** Number of the match. */
export const matchId = finished.matchId;
/** Record of the match. */
export const record: MatchRecord = await finished.record();
/** Match of rock, paper, scissors against the computer, before its first move. */
export const practice = await Practice.start(miniGames, {
  mode: miniGames.modes["rock-paper-scissors"].content,
  seat: Seat.One,
});
/** Source of random numbers that are the same in every run. */
export const source: RandomSource = new SeededRandom(salt);

/** A match in play, in which player 1 must act. */
export const view: TimedMatchView = {
  ...offer,
  status: Status.AllJoined,
  player2: bob,
  firm: true,
  byTransfer: false,
  turn: Seat.One,
  deadline: 1_893_456_000n,
  reserve: 1800n,
  token: fight,
  game: "tic-tac-toe",
  trust: "stock",
  mode: "default",
};

/** A duel with pistols between a newcomer and an honourable duelist, before blades. */
export const duel: BladesView = {
  duelists: [
    { archetype: 0, strength: 0 },
    { archetype: 3, strength: 50 },
  ],
  health: [3, 3],
  seat: 1,
};

/** Connection to a node. */
export declare const provider: Provider;
/** Wallet of a player. */
export declare const signer: Signer;
/** History of the deployment. */
export declare const history: History;
/** The deployment's arena. */
export declare const arena: Arena;
/** Client of Alice, and of Bob. */
export declare const client: Client;
export declare const opponent: Client;
/** Receipt of a transaction. */
export declare const receipt: TransactionReceipt;
/** Turn of a player in a match on chain. */
export declare const turn: OpenTurn;
/** Store of a player's secrets. */
export declare const secretStore: SecretStore;
/** Store of the answers that a player has shown. */
export declare const shownAnswers: ShownAnswers;
/** A player with keys. */
export declare const holder: KeyHolder;
/** Tokens of the deployment. */
export declare const tokens: Tokens;
/** Client of an index. */
export declare const index: IndexClient;
/** Player's consent to open a channel. */
export declare const opening: OpenMessage;
/** Wallet, moves and decisions of a player in a channel. */
export declare const ports: ChannelPorts;
/** Policy of an agent, a challenge to it, and its state. */
export declare const policy: Policy;
export declare const challenge: ChallengeView;
export declare const state: AgentState;
/** Store of sent transactions, and how to wait for them. */
export declare const outboxStore: OutboxStore<PendingTransaction>;
export declare const waiter: PendingWaiter<PendingTransaction>;
/** A transaction that was sent. */
export declare const pending: PendingTransaction;
/** What a player of Warmancer knows: its own side, the position of its match, and its view before a move. */
export declare const player: Player;
export declare const position: Position;
export declare const boardView: WarmancerView;
/** Connection to a chain in memory, the contracts on it, a game on it, and a match of that game. */
export declare const connection: Awaited<ReturnType<typeof network.create>>;
export declare const world: World;
export declare const lawGame: LawGame;
export declare const script: Script;
/** ABI of a game's contract, its rules by base, and a whole module. */
export declare const abi: InterfaceAbi;
export declare const roundRules: OneRoundRules<object, number, { winner: number }, object>;
export declare const turnRules: OpenTurnsRules<object, number, { turn: number }, object>;
export declare const openingRules: CommittedThenOpenRules<object, number, number, { turn: number }, object>;
export declare const definition: GameDefinition;
/** Anything that was thrown. */
export declare const thrown: unknown;
