// Tests of a game, for Mocha with Chai on a chain in memory.
export { testLaws, type LawOptions } from "./laws.js";
export { testGame, testModule, type GameOptions } from "./test-game.js";
export { lawsOf, type Derivation } from "./derived.js";
export type { WrongMove } from "./derived-script.js";

// Matches as a game's author writes them.
export type { Deployed, Fraud, LawGame, OutsideAct, Piece, Played, Script, Seats, Table } from "./game.js";
export { answerPiece, firstCommitment, fitsCommitment, fraudsOf, ofTokens, padded, revealPiece } from "./committed.js";
export { byte, flipped, patched, withByte } from "./bytes.js";
export { Random } from "./random.js";

// The chain on which the matches are played.
export { Bench, type BenchOptions, type Draft, type Outcome } from "./bench.js";
export {
  addressesIn,
  openWorld,
  termsOf,
  UNIT,
  type Account,
  type Artifacts,
  type Connection,
  type World,
} from "./world.js";
