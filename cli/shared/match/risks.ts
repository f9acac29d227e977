import { COIN } from "../../../sdk/protocol/terms.js";
import type { Challenge, StakeOptions } from "../../../sdk/player/calls.js";
import { weaknessOf } from "../../../sdk/games/win-rate.js";
import { modeNamed } from "../../../sdk/games/modes.js";
import type { GameModule, Team } from "../../../sdk/games/module.js";
import { operatorChecks } from "../../../sdk/games/operators.js";
import { modeInTerms } from "../../../sdk/player/modes.js";
import { risksOf, type Risk, type SeatToTake } from "../../../sdk/player/risks.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { committedBy } from "./matches.js";
import { acceptWarnings, log } from "../command/output.js";
import type { CommandContext } from "../command/context.js";
import { NOT_AUDITED } from "../../../sdk/player/match-text.js";
import { amountText } from "../../../sdk/player/amounts.js";

/**
 * Warns of the risks of a seat, and requires that the caller accepts them. @param moveChecks Further warnings, about
 * the move. @param known Risks that the caller itself causes, which need no warning.
 * @returns the coin that the purse lacks for the stake, and the accepted risks.
 * @throws Error if the warnings are not accepted.
 */
export async function acceptRisks(
  context: CommandContext,
  seatToTake: SeatToTake,
  moveChecks: readonly string[],
  yes?: boolean,
  known: readonly Risk[] = [],
): Promise<StakeOptions> {
  const { terms, seat } = seatToTake;
  const client = await context.client();
  const { arena, address } = client;
  const named = await context.tokens.at(terms.token);
  reportTrust(context, terms);
  reportWeakness(context, terms);
  const risks = await risksOf(seatToTake, client, context.provider, (amount) => amountText(amount, named));
  const news = risks.filter(({ risk }) => !known.includes(risk));
  if (news.some(({ risk }) => risk === "foreign-mode")) await reportRules(context, terms);
  await acceptWarnings([...news.map(({ text }) => text), ...moveChecks], yes);
  const { token, stake1, stake2 } = terms;
  const stake = seat === Seat.One ? stake1 : stake2;
  const lacking = token === COIN ? stake - (await arena.purseOf(address, COIN)) : 0n;
  return { value: lacking > 0n ? lacking : 0n, acceptedRisks: risks.map(({ risk }) => risk) };
}

/**
 * Warns of the risks of an offer that the caller is about to make, and requires that the caller accepts them.
 * @param ownMode Content of the caller's own mode, which needs no warning.
 * @param moveChecks Further warnings, about the move and the opponent.
 */
export async function acceptOffer(
  context: CommandContext,
  { terms, opponent }: Pick<Challenge, "terms" | "opponent">,
  ownMode: Hex | undefined,
  moveChecks: readonly string[],
  yes?: boolean,
): Promise<StakeOptions> {
  const seatToTake = { terms: { ...terms, feeBps: await context.arena.feeBps() }, seat: Seat.One, open: !opponent };
  return acceptRisks(context, seatToTake, moveChecks, yes, ownMode === undefined ? [] : ["foreign-mode"]);
}

/** Logs that a game is from the caller's own list: the caller chose it, and need not accept it again. */
function reportTrust(context: CommandContext, { game: address }: SeatToTake["terms"]): void {
  const game = context.findGame(address);
  if (game?.trust === "listed") log(`${game.title} is ${NOT_AUDITED}.`);
}

function reportWeakness(context: CommandContext, { game: address, mode }: SeatToTake["terms"]): void {
  const game = context.findGame(address);
  const name = game && modeNamed(game, mode);
  const weakness = name && weaknessOf(game, name);
  if (weakness) log(weakness);
}

/** Logs the rules of a mode that nobody has published. */
async function reportRules(context: CommandContext, terms: SeatToTake["terms"]): Promise<void> {
  for (const line of (await modeInTerms(context, terms))?.rules ?? []) log(line);
}

/** Lists what could prevent the caller from playing a move of the game at an address, one sentence each. */
export async function moveChecksOf(
  context: CommandContext,
  game: GameModule,
  address: string,
  move: unknown,
): Promise<string[]> {
  const { characters } = game;
  if (!characters) return [];
  const { history } = context;
  const { address: player } = await context.client();
  const committed = await committedBy(context, game);
  const checks = await characters.moveChecks(move as Team, { player, game: address, history, committed });
  return [...checks, ...(await operatorChecks(characters, player, history))];
}
