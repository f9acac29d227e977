import { commonSentences, type ErrorValues, type Sentences } from "../../protocol/sentences.js";
import { tileName, TILES, tilesOf } from "./tiles.js";

/** Rejection for which the contract has a custom error: its name, and its values in the declared order. */
export class ContractError extends Error {
  override readonly name = "ContractError";

  constructor(
    readonly error: string,
    readonly values: Readonly<Record<string, Value>> = {},
  ) {
    super(sentence(error, values));
  }
}

type Value = number | bigint | string;

/** Sentence for each custom error of the game; `{name}` stands for the error's value of that name. */
export const sentences: Sentences = {
  NoOwnPawn: "There is no living pawn of one's own on {from}.",
  Impassable: "Nobody can enter {to}.",
  OwnPawnThere: "On {to} stands a pawn of one's own.",
  NotInLine: "No line leads from {from} to {to}.",
  RankCannotMove: "The pawn in slot {slot} is of rank {rank}, which cannot move.",
  RankCannotMoveFar: "The pawn in slot {slot} is of rank {rank}, which moves one step only.",
  Blocked: "On the way from {from} to {to}, {tile} is not free.",
  NotDue: "An action of kind {kind} is not due now: {due} is.",
  SetupNotDue: "No setup can ride on this action: its sender has none to show yet.",
  ProofNotDue: "The rank of slot {slot} was proved; that of slot {expected} is due.",
  UnknownRank: "There is no rank {rank}, in slot {slot}; they are 0 to 11.",
  WrongProof: "The proof of slot {slot} leads to the root {root}, not to {expected}.",
  TooManyOfRank: "That makes {count} pawns of rank {rank}; there can be {max}.",
  ZeroRoot: "A root of zero is that of no setup.",
  CasualIsUnrated: "A casual match cannot be rated.",
  WrongArmy: "There are {count} pawns of rank {rank}, not between {min} and {max}.",
  NoPawnMoves: "No pawn of the army can move.",
  OverBudget: "The army costs {price}; the budget is {budget}.",
  WrongSetup: "The setup has the root {root}, not {expected}.",
  CasualHidesNothing: "A casual match hides nothing.",
  SetupOutsideBoard: "Tiles of a setup cannot be entered: {tiles}.",
  SetupsOverlap: "Both setups have the tiles {tiles}.",
  UnequalSetups: "The setups have {count1} and {count2} tiles: they must be as many, from 2 to 64.",
  ArmySize: "The army has {count} pawns for {slots} tiles.",
  HalfATurn: "The last turn has move {index} only, counted from 0, and a turn has two.",
  Disconnected: "From the first tile only {reached} can be reached of {passable}.",
};

/** Maximum number of tiles that a sentence names. */
const MAX_NAMED = 10;

/** Words for the values of errors, by the name of the value: tiles are shown by their names. */
export const errorValues: ErrorValues = { from: tileText, to: tileText, tile: tileText, tiles: tilesText };

/** Returns the name of a tile; a number outside the grid is returned as text. */
function tileText(tile: Value): string {
  const number = Number(tile);
  return number >= 0 && number < TILES ? tileName(number) : `tile ${tile}`;
}

/** Returns the names of the tiles of a mask; if there are many, only the first tiles. */
function tilesText(mask: Value): string {
  const tiles = tilesOf(BigInt(mask));
  const more = tiles.length - MAX_NAMED;
  return `${tiles.slice(0, MAX_NAMED).map(tileText).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function sentence(error: string, values: Readonly<Record<string, Value>>): string {
  const known: Sentences = {
    ...commonSentences,
    WrongStatus: "This cannot be done with match {matchId}: it is over.",
    ...sentences,
  };
  return known[error].replace(/\{(\w+)\}/g, (_, field: string) => {
    return (errorValues[field] ?? String)(values[field]);
  });
}
