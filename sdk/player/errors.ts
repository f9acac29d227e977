import { COIN } from "../protocol/terms.js";
import { Interface, ZeroAddress, type ErrorDescription } from "ethers";
import {
  Channels__factory,
  CommitReveal__factory,
  Characters__factory,
  FightToken__factory,
} from "../../typechain-types/index.js";
import { arenaAbi } from "../chain/arena.js";
import { interfaceOf } from "../chain/events.js";
import { besides } from "../games/constructor-args.js";
import type { GameModule } from "../games/module.js";
import { oneLine } from "../protocol/input.js";
import { commonSentences, type ErrorValues, type Sentences } from "../protocol/sentences.js";
import { messagesOf } from "../chain/trouble.js";
import { revertData } from "../chain/revert.js";
import type { Hex } from "../protocol/hex.js";
import { statusText } from "../protocol/status.js";
import { timeText } from "../protocol/text.js";
import { walletSentence } from "./wallet-errors.js";

/** Sentences for the errors of the contracts, except those of single games. */
export const sentences: Sentences = {
  ...commonSentences,
  UnknownMatch: "There is no match {matchId}.",
  UnknownTerms: "There are no terms {termsId}.",
  WrongOffer: "Match {matchId} is the offer {actual}, not the expected {expected}.",
  WrongStatus: "This cannot be done with match {matchId}: {status}.",
  TooLate: "Too late for match {matchId}: its deadline was {deadline}, it is {time}.",
  TooEarly: "Match {matchId} runs until {deadline}; it is {time}.",
  JoinTooSoon: "The stake of player 2 came into match {matchId} at {fundedAt}: join in a later block.",
  FundFirst: "Match {matchId} is not a firm offer to you by name: fund your seat first, then join.",
  NotTheOpponent: "The second seat of match {matchId} is for {opponent}, not for {caller}.",
  NotTheChallenger: "Only the challenger {challenger} of match {matchId} can do this, not {caller}.",
  NotAPlayer: "{caller} is not a player of match {matchId}.",
  OwnOpponent: "{player} cannot play against itself.",
  OfferIsFirm: "Match {matchId} is a firm offer: it cannot be cancelled before it lapses at {until}.",
  OfferIsOpen: "Match {matchId} is offered to anyone: only an offer that names its opponent can be declined.",
  FirmUntilOutOfBounds: "A firm offer ends after {time} and by {latest}, not at {firmUntil}.",
  ClockOutOfBounds: "A clock of {clock} s is not between {min} s and {max} s.",
  WrongFee: "The terms name a house fee of {feeBps} of 10000; it is {current}.",
  FeeTooHigh: "A house fee of {feeBps} of 10000 is above {max}.",
  BadTreasury: "{treasury} cannot be the treasury.",
  NotAContract: "There is no contract at {account}.",
  CreatedElsewhere:
    "This chain put contract {number} of the arena at {actual}, where the arena would not find it; it looks at {expected}.",
  BadStep: "The game of match {matchId} answered what no game may answer here.",
  WrongToken: "Match {matchId} is played for {expected}, not for {token}.",
  TransferTooSmall: "The {value} sent do not cover the stake of {stake} in match {matchId}.",
  PurseTooLow: "The purse of {player} holds {balance} of {token}; {needed} are needed.",
  NotReceived: "{received} of {token} arrived instead of {amount}.",
  Overdrawn: "{taken} of {token} left the arena instead of {amount}.",
  WrongValue: "{value} of the chain's coin were sent instead of {expected}.",
  BadReceiver: "Money cannot go to {receiver}.",
  BadTransferData:
    "The transfer's data is {length} bytes: it must be empty, or a match and its offer's hash in 64 bytes.",
  NotTheOwner: "Only {owner} may send its tokens into a match, not {operator}.",
  ReentrancyGuardReentrantCall: "The arena cannot be changed while it is calling a game or a token.",
  OwnableUnauthorizedAccount: "{account} is not the owner.",
  ERC20InsufficientBalance: "{sender} owns {balance} of the token; {needed} are needed.",
  ERC20InsufficientAllowance: "{spender} may take {allowance} of the token; {needed} are needed.",
  TokenDoesNotExist: "There is no such fighter or card, or no more.",
  NotOwnerNorApproved: "Only the owner of a fighter or card may do this, or who is approved for it.",
  TransferFromIncorrectOwner: "The fighter or card belongs to somebody else.",
  TransferToZeroAddress: "A fighter or card cannot go to nobody.",
  TransferToNonERC721ReceiverImplementer: "The receiver takes no fighters or cards.",
  CoinsSent: "{value} of the chain's coin were sent where none are taken.",
  NotAMinter: "{caller} is not a minter of this token.",
  NotTheArena: "The game answers its arena {arena} only, not {caller}.",
  UnknownMode: "The game has no mode {mode}.",
  MatchIsOver: "Match {matchId} is over: the player in turn can only give it up, or show newer messages.",
  MatchWaits: "Match {matchId} waits for the other player's first action: it cannot be given up now.",
  NotWaiting: "Match {matchId} does not wait for its first action.",
  NotTheChannels: "Only the channels of the arena may do this, not {caller}.",
  AlreadyOpen: "Channel {channelId} is open.",
  NotOpen: "Channel {channelId} is not open.",
  SamePlayer: "{player} cannot open a channel with itself.",
  WrongChannelFee: "The channel names a house fee of {feeBps} of 10000; it is {current}.",
  WrongChannelTerms: "The channel is not for token {token} with a house fee of {feeBps} of 10000.",
  WrongNonce: "Number {nonce} is not next in the channel: {expected} is.",
  NoncesUsedUp: "Channel {channelId} has no number after {nonce}: open one with other keys.",
  Expired: "Too late: this ended at {until}, it is {time}.",
  StillOpen: "The channel is open until {until}; it is {time}.",
  NotSignedBy: "{signer} has not signed this.",
  BadTranscript: "The transcript of match {nonce} is malformed.",
  PastTheEnd: "Action {index} of match {nonce} comes after the end of the game.",
  BadChannelStep: "The game of match {nonce} answered what no game may answer in a channel.",
  TooLittleGas: "The game refused an action with {gas} gas left, which may be why: send at least {min} more.",
  NotNewer:
    "Match {nonce} was brought with {posted} messages: {count} are not newer, with the last of its mover at {signed}.",
  NotFinal: "The end of match {nonce} is not final: the other player has not signed that it has seen it.",
  IsFinal: "Match {nonce} is over, and not to be challenged: play it.",
  StillInTurn: "The player of match {nonce} who acted last must act again: it cannot challenge.",
  NotTheMover: "Only {mover}, who acted last in match {nonce}, can challenge, not {caller}.",
  StakesTooHigh: "The channel holds less than the stakes of match {nonce}.",
  AmountsTooHigh: "The amounts are {sum} together; the channel can hold {max}.",
  MatchPosted: "Match {matchId} of this channel waits for its first action.",
  NotAReveal: "A reveal has at least {min} bytes, not {length}.",
  NotALogEntry: "Entry {index} is {value}, which the game never logs.",
  GameIsOver: "The game is over before move {index}, counted from 0.",
};

/** Formats an amount of a token. Returns undefined if the token is unknown; the smallest unit is shown then. */
export type AmountText = (amount: bigint, token?: string) => string | undefined;

/**
 * An error whose message is a sentence for people, whatever its cause.
 * @example
 * ```ts
 * import { explain, Explained } from "duello";
 *
 * explain(new Explained("Your fighter rests until noon.")); // => "Your fighter rests until noon."
 * ```
 */
export class Explained extends Error {
  override readonly name = "Explained";
}

/** Fields of errors that are amounts, and their token if known: the field with its address, or the address itself. */
const AMOUNTS: Readonly<Record<string, { fields: readonly string[]; tokenField?: string; token?: string }>> = {
  TransferTooSmall: { fields: ["value", "stake"] },
  PurseTooLow: { fields: ["balance", "needed"], tokenField: "token" },
  NotReceived: { fields: ["received", "amount"], tokenField: "token" },
  Overdrawn: { fields: ["taken", "amount"], tokenField: "token" },
  WrongValue: { fields: ["value", "expected"], token: COIN },
  CoinsSent: { fields: ["value"], token: COIN },
  AmountsTooHigh: { fields: ["sum", "max"] },
  ERC20InsufficientBalance: { fields: ["balance", "needed"] },
  ERC20InsufficientAllowance: { fields: ["allowance", "needed"] },
};

/** Field of a sentence, with the words that name the token of an amount. */
const FIELD = /\{(\w+)\}( of (?:\{token\}|the token|the chain's coin))?/g;

/** Names of values that are times, in any error. */
const TIMES = ["deadline", "time", "fundedAt", "until", "firmUntil", "latest"];

/** Data that Solidity itself reverts with: Error(string) or Panic(uint256), not custom errors. */
const BUILT_IN = /^0x(08c379a0|4e487b71)/i;

/** Contract that declares errors, and the sentences for them. */
interface Declaring {
  declared: Interface;
  sentences: Sentences;
  values?: ErrorValues;
}

const core: readonly Declaring[] = [
  { declared: arenaAbi, sentences },
  { declared: Channels__factory.createInterface(), sentences },
  { declared: FightToken__factory.createInterface(), sentences },
  { declared: Characters__factory.createInterface(), sentences },
  // Errors that all games share.
  { declared: CommitReveal__factory.createInterface(), sentences },
];

/** Games by the errors that calls to them threw, since two games may use one name for different errors. */
const gamesOfErrors = new WeakMap<object, GameModule>();

/**
 * Notes the game whose call threw an error, for `explain`.
 * @returns the same error.
 * @example
 * ```ts
 * import { explain, noted, stockGame } from "duello";
 *
 * try {
 *   await signer.sendTransaction(await client.calls.act(7n, "0x0304"));
 * } catch (error) {
 *   console.error(explain(noted(error, stockGame("tic-tac-toe"))));
 * }
 * ```
 */
export function noted<T>(thrown: T, game: GameModule | undefined): T {
  if (game && typeof thrown === "object" && thrown !== null) gamesOfErrors.set(thrown, game);
  return thrown;
}

/**
 * Returns the custom error inside any error that a provider or contract call threw; undefined if there is none.
 * @example
 * ```ts
 * import { customError, games } from "duello";
 *
 * const error = customError(thrown, games);
 * if (error?.name === "TooLate") console.error(`The deadline was ${error.args.deadline}.`);
 * ```
 */
export function customError(thrown: unknown, games: readonly GameModule[] = []): ErrorDescription | undefined {
  return declaredError(thrown, games)?.error;
}

/** Finds the custom error inside a thrown error, and the contract that declares it: the called contract, if known. */
function declaredError(
  thrown: unknown,
  games: readonly GameModule[],
): { by: Declaring; error: ErrorDescription } | undefined {
  const data = revertData(thrown);
  if (data === undefined || BUILT_IN.test(data)) return undefined;
  const called = gamesOfErrors.get(thrown as object);
  const all = called === undefined ? games : [called, ...games];
  for (const by of [...core, ...all.flatMap(declaringOf)]) {
    const error = parsed(by.declared, data);
    if (error) return { by, error };
  }
  return undefined;
}

/** Contracts of games by module, cached because reading an ABI is slow. */
const declaringOfGames = new WeakMap<GameModule, readonly Declaring[]>();

function declaringOf(game: GameModule): readonly Declaring[] {
  const known = declaringOfGames.get(game);
  if (known) return known;
  const { abi, characters, errors, errorValues: values } = game;
  const own = { ...sentences, ...errors };
  const declaring = [
    ...[{ abi }, ...besides(game)].map((each) => ({ declared: Interface.from(each.abi), sentences: own, values })),
    ...(characters ? [{ declared: interfaceOf(characters.minted), sentences: own }] : []),
  ];
  declaringOfGames.set(game, declaring);
  return declaring;
}

/** Options of `explain`. */
export interface ExplainOptions {
  /** Games whose errors are known. An error in a call of a `Client` is always explained with the game of that call. */
  games?: readonly GameModule[];
  /** Formats the amounts in an error; in the token's smallest unit by default. */
  amountText?: AmountText;
}

/**
 * Explains any error in one printable line. A custom error or a wallet error has its own sentence; any other error is
 * explained by its message.
 * @example
 * ```ts
 * import { explain } from "duello";
 *
 * explain({ code: 4001 }); // => "It was rejected in the wallet: nothing was sent."
 * explain(new Error("nonce is 7")); // => "nonce is 7"
 * ```
 */
export function explain(thrown: unknown, options: ExplainOptions = {}): string {
  const { games = [], amountText = () => undefined } = options;
  if (thrown instanceof Explained) return oneLine(thrown.message);
  const found = declaredError(thrown, games);
  if (found) return oneLine(sentenceOf(found.error, found.by, amountText));
  // The text in a contract's revert data is untrusted.
  return (revertData(thrown) === undefined ? walletSentence(thrown) : undefined) ?? messageOf(thrown);
}

/** Selectors of each interface's errors, cached because ethers hashes each error on every look-up. */
const selectors = new WeakMap<Interface, ReadonlySet<string>>();

function selectorsOf(known: Interface): ReadonlySet<string> {
  const found = selectors.get(known);
  if (found) return found;
  const all = new Set<string>();
  known.forEachError(({ selector }) => all.add(selector));
  selectors.set(known, all);
  return all;
}

/**
 * Parses a custom error of an interface. Returns undefined if only the selector matches, since any contract can revert
 * with such data.
 */
function parsed(known: Interface, data: Hex): ErrorDescription | undefined {
  if (!selectorsOf(known).has(data.slice(0, 10).toLowerCase())) return undefined;
  try {
    const error = known.parseError(data) ?? undefined;
    // Ethers rejects a wrong value only when the value is accessed.
    error?.args.toArray();
    return error;
  } catch {
    return undefined;
  }
}

/** Returns the first non-empty line of a thrown error. */
function messageOf(thrown: unknown): string {
  const messages = thrown instanceof Error ? messagesOf(thrown) : [String(thrown)];
  const lines = messages.flatMap((message) => message.split("\n"));
  return lines.map((line) => oneLine(line)).find((line) => line.trim() !== "") ?? "It failed without a word.";
}

/** Describes a custom error by its sentence, or by its name and values. */
function sentenceOf({ name, args, fragment }: ErrorDescription, by: Declaring, amountText: AmountText): string {
  const bare = `${name}(${fragment.inputs.map((input) => `{${input.name}}`).join(", ")})`;
  const sentence = by.sentences[name] ?? bare;
  // `args[field]` could return a property of the array instead, e.g. `length`.
  const valueOf = (field: string) => args.getValue(field) as bigint | string;
  const textOf = (field: string) => {
    const value = valueOf(field);
    if (field === "owner" && value === ZeroAddress) return "nobody";
    if (field === "status") return statusText[String(value)] ?? `status ${value}`;
    if (TIMES.includes(field)) return timeText(value as bigint);
    return (by.values?.[field] ?? String)(value);
  };
  const { fields, tokenField, token } = AMOUNTS[name] ?? { fields: [] };
  const tokenOf = tokenField === undefined ? token : String(valueOf(tokenField));
  return sentence.replace(FIELD, (_, field: string, ofToken: string | undefined) => {
    const amount = fields.includes(field) ? amountText(valueOf(field) as bigint, tokenOf) : undefined;
    return amount ?? `${textOf(field)}${ofToken?.replace("{token}", () => textOf("token")) ?? ""}`;
  });
}
