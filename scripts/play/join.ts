import { setTimeout as pause } from "node:timers/promises";
import type { Client, Extras } from "../../sdk/client.js";
import { customError } from "../../sdk/errors.js";
import { untilFinal } from "../../sdk/finality.js";
import type { GameModule } from "../../sdk/games/module.js";
import { decodeAnswer, decodeSealed, type Hex } from "../../sdk/seal.js";
import { answerTo } from "../../sdk/sealed.js";
import { Seat, Status } from "../../sdk/status.js";
import { termsHash } from "../../sdk/terms.js";
import type { MatchView } from "./match.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import { acceptRisks } from "./stakes.js";

/** Least rest of a firm offer, in seconds, for joining it in one step. */
const LEAST_REST = 900n;

/** Joins a match, in two steps where one would show the answer too early. @returns the transaction's hash. */
export async function join(
  session: Session,
  view: MatchView,
  game: GameModule,
  move: Hex,
  yes?: boolean,
): Promise<string> {
  const { matchId, terms, status } = view;
  const client = await session.client();
  const extras = status === Status.P1Deposited ? await takeSeat(session, view, game, move, yes) : {};
  const { opening } = await session.history.match(matchId);
  const fresh = answerTo(opening, move);
  // What is refused must not count as shown: a dry run first, on the next block.
  const dryRun = () =>
    client.arena.join.staticCall(matchId, termsHash(terms), fresh, { value: extras.value ?? 0n, blockTag: "pending" });
  await whenLateEnough(dryRun);
  const { seal } = decodeSealed(opening);
  const { answer, file } = await session.vault.answer([session.chainId, client.addresses.Arena, matchId, seal], fresh);
  const shown = decodeAnswer(answer).move;
  if (shown !== move) {
    throw new Error(
      `Match ${matchId} was answered with ${game.showMove(shown)} before: send that again. ${file} keeps it.`,
    );
  }
  return (await client.join(matchId, terms, answer, extras)).hash;
}

/** Funds the seat unless one step does all. @returns what is still to be sent along with the answer. */
async function takeSeat(
  session: Session,
  view: MatchView,
  game: GameModule,
  move: Hex,
  yes?: boolean,
): Promise<Extras> {
  const { matchId, terms } = view;
  const client = await session.client();
  const oneStep = await isOneStep(client, view);
  // One step is refused as a whole; a stake that is in stays in, whether the move can be played or not.
  const concerns = oneStep ? [] : await game.concerns(move, client.address, client.addresses, session.provider);
  const extras = await acceptRisks(session, { terms, seat: Seat.Two }, concerns, yes);
  if (oneStep) return extras;
  await client.fund(matchId, terms, extras);
  log("Your stake is in, and player 1 is bound. Waiting until that is final before your move is shown.");
  await untilFinal(client.arena, matchId);
  return {};
}

/** Whether the offer binds player 1 to the caller for long enough. */
async function isOneStep(client: Client, { firm, player2, deadline }: MatchView): Promise<boolean> {
  return firm && player2 === client.address && deadline >= BigInt(await client.now()) + LEAST_REST;
}

/** A stake that has just come in must be older than the answer. */
async function whenLateEnough(dryRun: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const refusal = await dryRun().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal === undefined) return;
    if (customError(refusal)?.name !== "JoinTooSoon") throw refusal as Error;
    await pause(1000);
  }
}
