// Terms, offers and commitments: bytes and hashes as in the contracts.
export {
  answerTo,
  commitMove,
  commitmentBy,
  revealFor,
  type CommitmentScheme,
  type Committer,
  type Secret,
} from "./protocol/commitment.js";
export {
  commitmentOf,
  decodeAnswer,
  decodeCommitment,
  decodeReveal,
  encodeAnswer,
  encodeCommitment,
  encodeReveal,
  MAX_NOTE_BYTES,
  newSalt,
  NO_STATE,
  stateHashOf,
  type Answer,
  type Commitment,
  type Header,
  type Reveal,
} from "./protocol/commit-reveal.js";
export { Dice, Roll, seedOf } from "./protocol/dice.js";
export {
  channelIdOf,
  channelMatchIdOf,
  type Channel,
  type ChannelOffer,
  type ChannelsAt,
  type Opening,
} from "./protocol/channels/messages.js";
export { channelOf, locksTooLong, signedSeek, type Search, type Seek } from "./protocol/channels/seek.js";
export {
  channelMessageText,
  type BalanceMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
  type OfferMessage,
  type OpenMessage,
} from "./protocol/channels/wire.js";
export { digestOf, type SigningRequest } from "./protocol/typed-data.js";
export { address } from "./protocol/address.js";
export {
  readAddress,
  readAmount,
  readCharacterId,
  readDuration,
  readHash,
  readMatchId,
  readNumber,
} from "./protocol/arguments.js";
export { bytesOf, hexOf, sized } from "./protocol/bytes.js";
export type { Hex } from "./protocol/hex.js";
export {
  boolean,
  bytes32,
  InputError,
  integer,
  list,
  listUpTo,
  object,
  oneLine,
  oneOf,
  optional,
  text,
  type Reader,
} from "./protocol/input.js";
export {
  applyResult,
  duelsOf,
  experienceOf,
  levelOf,
  NEWCOMER,
  ratingChange,
  resultsBy,
  type PlayerRecord,
  type Result,
  type Stakes,
} from "./protocol/ladder.js";
export {
  layout,
  pack,
  readField,
  unpack,
  unpackEntry,
  writeField,
  type Field,
  type Layout,
  type Values,
} from "./protocol/layout.js";
export { mismatchText, type Mismatch } from "./protocol/mismatch.js";
export {
  countPairs,
  MIN_OPPONENTS,
  netStandings,
  pairKey,
  pairPoints,
  pointsText,
  type NetStanding,
  type PairCounts,
  type RatedMatch,
} from "./protocol/net-ranking.js";
export { fingerprintOf, offerHash, offerOf, type Offer } from "./protocol/offer.js";
export type { ErrorValues, Sentences } from "./protocol/sentences.js";
export {
  awaitedSeat,
  isPlayerSeat,
  otherSeat,
  otherSide,
  playerInTurn,
  playerOf,
  seatOf,
  seatOfPlayer,
  sideOf,
} from "./protocol/sides.js";
export { durationText, markOf, percentText, shortAddress } from "./protocol/text.js";
export { checkVersion, NewerVersion, VERSIONS, type Format } from "./protocol/version.js";
export { isForfeit, isOpen, Seat, Status, statusName, statusText, winnerBy } from "./protocol/status.js";
export {
  BPS,
  COIN,
  INCREMENT_DIVISOR,
  MAX_CLOCK,
  MAX_FEE_BPS,
  MIN_CLOCK,
  OFFER_LIFE,
  offerDeadline,
  termsHash,
  type Terms,
} from "./protocol/terms.js";

// Reading a deployment.
export { CORE, type Addresses } from "./chain/addresses.js";
export { readDeployment, readDeployments, type Deployment, type PageDeployment } from "./chain/deployment.js";
export { codeMismatch, type Artifact, type CodeMismatch } from "./chain/code.js";
export { Archive, type ArchiveUpdate, type FollowOptions } from "./chain/archive.js";
export { channelsOf } from "./chain/channels.js";
export { characterContract, type CharacterContract } from "./chain/character-contract.js";
export { NeverMinted, readCharacter } from "./chain/characters.js";
export type { Content } from "./chain/content.js";
export {
  decodeEvent,
  eventIn,
  MalformedEvent,
  topicsFor,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Events,
  type Where,
} from "./chain/events.js";
export type { ArenaMatch } from "./chain/arena.js";
export { finalBlock, finalityLag, isFinal, untilFinal, type WaitOptions } from "./chain/finality.js";
export {
  History,
  UnregisteredMode,
  type MatchOptions,
  type OnProgress,
  type PastActions,
  type PastQuery,
  type ReadOptions,
} from "./chain/history.js";
export {
  IndexClient,
  IndexTrouble,
  type IndexedDeployment,
  type IndexedMatch,
  type IndexOptions,
  type IndexQuery,
  type MatchQuery,
} from "./chain/index-client.js";
export { firstRows, type IndexPage, type Paging } from "./chain/index-page.js";
export type { IndexRow, TableName } from "./chain/index-tables.js";
export { IndexedHistory, IndexedPast, type IndexUse } from "./chain/indexed-history.js";
export {
  countedMatches,
  standingsOf,
  winningsOf,
  type CountedMatch,
  type Standing,
  type Winnings,
} from "./chain/ranking.js";
export { LogReader, Refused, type LogFilter, type ReadManner, type Stretch } from "./chain/logs.js";
export { locatedMismatchText, MismatchError, type LocatedMismatch } from "./chain/mismatch.js";
export {
  outcomeOf,
  Failed,
  Replaced,
  Reverted,
  Unconfirmed,
  untilMined,
  type Outcome,
  type Sent,
  type MiningWaitOptions,
} from "./chain/receipt.js";
export type { ExpectedAnswer, MatchRecord, Replayed, RoundLog, Settlement } from "./chain/record.js";
export type { SavedArchive, SavedEvent } from "./chain/saved.js";
export { factsAfter, factsOf, hasCounted, seatsAfter, type MatchFacts, type MatchSeats } from "./chain/match-facts.js";
export { TEST_CHAIN, traitsOf, type ChainTraits } from "./chain/traits.js";
export { foldMatch, MatchState, type MatchContext } from "./chain/match-state.js";
export type { BlockId, EventSource } from "./chain/source.js";
export { readRecord, readStakes } from "./chain/ladder.js";
export { readTerms } from "./chain/terms.js";
export { nextTime } from "./chain/time.js";
export { textOf } from "./chain/response.js";
export { isOutage, Outage, reasonOf, troubleOf, type Trouble } from "./chain/trouble.js";
export { machineClock, type Clock } from "./chain/waiting.js";

// Games and computer opponents.
export { solve, type Equilibrium, type Payoffs } from "./bots/matrix-game.js";
export { PerfectStrategy, type Position, type SmallGame } from "./bots/perfect.js";
export { SeededRandom } from "./bots/seeded-random.js";
export { cryptoSource, pick, pickWeighted, shuffle, type RandomSource } from "./bots/source.js";
export type { Strategy } from "./bots/strategy.js";
export { strategyOf, type Assessment, type Chooser } from "./games/assessment.js";
export {
  measureOdds,
  type Average,
  type Calculator,
  type Expectation,
  type Odds,
  type Share,
} from "./games/calculator.js";
export { countersText, type Counters, type Fought } from "./games/counters.js";
export { exportedGames } from "./games/exported.js";
export { games, stockGame } from "./games/index.js";
export {
  addressesWith,
  addressOfGame,
  checkDistinct,
  contractsWith,
  deployedGames,
  findGame,
  gameAt,
  gameNamed,
} from "./games/list.js";
export {
  demoOf,
  formatOf,
  modeContent,
  modeHash,
  modeNamed,
  modesToRegister,
  type ModeToRegister,
} from "./games/modes.js";
export type { BasedDefinition, BasedGame } from "./games/based-game.js";
export { committedThenOpen, type CommittedThenOpenRules } from "./games/committed-then-open.js";
export { replayedFrames, type Step } from "./games/frames.js";
export { packedEntry, type EntryCodec } from "./games/entry-codec.js";
export type { ModeCodec, ModeFormat, ModeRules } from "./games/mode-format.js";
export { byteListMove, byteMove, type MoveCodec } from "./games/move-codec.js";
export {
  oneRound,
  type OneRoundRules,
  type RoundFrame,
  type RoundResult,
  type SimulatedRound,
} from "./games/one-round.js";
export { openTurns, type OpenTurnsRules } from "./games/open-turns.js";
export type { CommittedRoundRules, RevealedRound } from "./games/committed-round.js";
export type { SentMoves, SimulatedTurns, TurnFrame, TurnRules } from "./games/turns.js";
export type * from "./games/module.js";
export type { CourseProps, GameView, GameViews, HintMoment, PickerProps, SceneProps } from "./games/view.js";
export { defineGame } from "./games/module.js";
export {
  firstTurn,
  turnOf,
  type Moves,
  type OpenTurn,
  type PendingCommitment,
  type SecretStore,
  type Turn,
} from "./games/moves.js";
export { approvedOperatorsOf } from "./games/operators.js";
export { RecordError } from "./games/revealed-rounds.js";
export { weaknessOf, winRateOf } from "./games/win-rate.js";

// Playing.
export { unfolded, type UnfoldedMatch } from "./games/channel-match.js";
export type { BookMatch } from "./player/channels/book.js";
export { consentIn, isConsentSigned } from "./player/channels/consent.js";
export { ChannelChain, ownFirst, type ArenaState, type ChannelOnChain, type Held } from "./player/channels/chain.js";
export type { ChainDuty, DutyLimits } from "./player/channels/duty.js";
export { RelayLobby, RenewedSearch, type Lobby, type Seeker } from "./player/channels/lobby.js";
export {
  channelEntryText,
  MemoryChannelLog,
  parseChannelEntry,
  type ChannelEntry,
  type ChannelLog,
} from "./player/channels/log.js";
export {
  ChannelPlayer,
  offererOf,
  type ChannelCall,
  type ChannelLimits,
  type ChannelPlayerOptions,
  type ChannelPorts,
  type ChannelQuestion,
  type ChannelStatus,
} from "./player/channels/player.js";
export { Meeting, relayPlace, type Found, type MeetingPlace, type Proposed } from "./player/channels/meeting.js";
export { wishIn, wishOf, type OwnSide, type Wish } from "./player/channels/wishes.js";
export { listedSeeks } from "./player/channels/listed-seeks.js";
export { LogConflict } from "./player/log-place.js";
export { RelayClient } from "./player/channels/relay-client.js";
export { RelayChannelTransport } from "./player/channels/relay-transport.js";
export { MemoryChannelTransport, type ChannelTransport, type ReadLines } from "./player/channels/transport.js";
export {
  batchRequest,
  Calls,
  MIN_REST_TO_JOIN,
  type BatchRequest,
  type Call,
  type Caller,
  type Challenge,
  type CreateCall,
  type StakeOptions,
} from "./player/calls.js";
export { Client, type ClientOptions, type Offered, type RegisteredMode, type Stage } from "./player/client.js";
export {
  actionHash,
  Begun,
  completes,
  neverCounts,
  Outbox,
  type Action,
  type OutboxStore,
  type PendingTransaction,
  type PendingWaiter,
} from "./player/outbox.js";
export { eventsOf, toldEvents, type MatchEvent } from "./player/match-events.js";
export { outcomeFor, outcomeText, payoffOf, settledOutcome, type MatchOutcome, type Payoff } from "./player/outcome.js";
export { firmLines, gameText, NOT_AUDITED, isShort, shortClockOf, stateText } from "./player/match-text.js";
export {
  clocksOf,
  isLate,
  viewOfRecord,
  viewOnChain,
  type MatchReader,
  viewOf,
  type Clocks,
  type MatchView,
  type TimedMatchView,
} from "./player/match-view.js";
export { customError, explain, Explained, noted, type AmountText, type ExplainOptions } from "./player/errors.js";
export {
  canJoinInOneStep,
  joinDataFor,
  joiningTurn,
  joinMatch,
  MIN_REST_FOR_ONE_STEP,
  type JoinAnswer,
  type JoinDecision,
  type JoinOptions,
  type JoinStep,
} from "./player/join.js";
export {
  checkExported,
  checkOwnKey,
  exportedText,
  heldSecretStore,
  readExported,
  readKeyBackup,
  readStoredSecret,
  secretOf,
  secretsIn,
  type KeyHolder,
  type KeyScope,
  type KeyStore,
  type StoredKey,
  type StoredSecret,
} from "./player/key-store.js";
export {
  gameAndMode,
  modeBy,
  modeInTerms,
  registeredModes,
  viewMode,
  type ModeView,
  type NameHint,
} from "./player/modes.js";
export { agentWarnings, policyLines, type AgentChallenge, type ForecastContext } from "./player/agent-forecast.js";
export {
  agentState,
  decide,
  declineLowChance,
  isSeated,
  isToDecline,
  type AgentState,
  type ChallengeView,
  type Decision,
} from "./player/policy-decision.js";
export { readPolicy, type Policy, type PolicyReader, type StakeLimits } from "./player/policy.js";
export { isFor, nextStep, type NextStep } from "./player/next-step.js";
export { hasLevels, LEVELS, type Level } from "./games/levels.js";
export { MemorySecretStore, type KeptSecret } from "./player/memory-secret-store.js";
export { chooseIn, Practice, type PracticeOptions, type SavedPractice, type SavedSecret } from "./player/practice.js";
export { committedTeams, ownCharacters, type CommittedTeam, type OwnCharacter } from "./player/own-characters.js";
export { risksOf, Risky, seatIn, type Known, type Risk, type SeatToTake, type Warning } from "./player/risks.js";
export {
  commitWithKey,
  keyRequest,
  keysOfSignatures,
  randomKey,
  recoverSecret,
  secretStoreWith,
  sessionKey,
  UnsteadyWallet,
  walletKeys,
  walletSecretStore,
  type KeyRequest,
  type Keys,
} from "./player/secrets.js";
export {
  closeSession,
  gasPrice,
  openSession,
  SESSION_GAS,
  SESSION_SECONDS,
  sessionCalls,
  sessionClient,
  type ClosedSession,
  type SessionClientOptions,
  type SessionOptions,
} from "./player/session-key.js";
export { decodeRecord, encodeRecord, MAX_SHARED_RECORD, type SharedMatch } from "./player/shared-record.js";
export {
  actionToSend,
  answeredRound,
  answerToSend,
  exposureWarnings,
  roundOf,
  type AnswerAttempt,
  type AnswerContext,
  type Round,
  type ShownAnswer,
  type ShownAnswers,
} from "./player/shown-answers.js";
export {
  changesIn,
  characterStats,
  statsOf,
  type CharacterStats,
  type GameStats,
  type MatchChanges,
  type PlayerChange,
  type PlayerStats,
  type TokenStats,
} from "./player/stats.js";
export { amountText, ownToken, type Token } from "./player/amounts.js";
export { tokenAt, Tokens } from "./player/tokens.js";
export { takeTurn, type ComposedAction, type TurnOptions } from "./player/turn.js";
export { hasCode, isShortOfCoin, isUnsent, walletSentence, WrongNetwork } from "./player/wallet-errors.js";

// Verifying.
export { expectedRows, type ExpectedRow, type ExpectedRows } from "./verify/expected-rows.js";
export {
  compareIndex,
  type CompareOptions,
  type IndexComparison,
  type IndexMismatch,
} from "./verify/index-comparison.js";
export { Reading } from "./verify/reading.js";
export type { EventMismatch, Replay } from "./verify/compared-replay.js";
export { replay } from "./verify/replay.js";
export { checkShownState, readShownState, type CheckedState, type ShownState } from "./verify/shown-state.js";
export { askChain, type Ask } from "./verify/state.js";
export type { ShownCheck, ShownMessages } from "./verify/shown-messages.js";
export { verify, type SignedResult, type Verdict, type VerifyOptions } from "./verify/verify.js";
