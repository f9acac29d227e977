import { COIN, type Challenge, type Extras } from "../../sdk/player/client.js";
import { weaknessOf } from "../../sdk/games/win-rate.js";
import { modeHash } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/protocol/input.js";
import { risksOf, type Stand } from "../../sdk/player/risks.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { nextTime } from "../../sdk/chain/time.js";
import { readAddress, readAmount, readDuration, readHash } from "./arguments.js";
import { textOf, type Flags } from "./command.js";
import { committedBy } from "./keys.js";
import { modeNamed, stockGame } from "./match.js";
import { acceptWarnings, log } from "./output.js";
import type { Session } from "./session.js";
import { amountText, readToken, tokenAt } from "./tokens.js";

const MAX_STAKE = 2n ** 96n - 1n;

/** The offer that the flags describe, but for the data of player 1. */
export async function readChallenge(
  session: Session,
  game: GameModule,
  flags: Flags,
): Promise<Omit<Challenge, "data">> {
  const token = await readToken(session, textOf(flags, "token")!);
  const amount = (flag: string) => readAmount(textOf(flags, flag)!, token.decimals, `--${flag}`, MAX_STAKE);
  const stake1 = amount("stake");
  const { hash, odds } = readMode(game, textOf(flags, "mode") ?? Object.keys(game.modes)[0]);
  const stake2 = textOf(flags, "against") === undefined ? (stake1 * odds[1]) / odds[0] : amount("against");
  const opponent = textOf(flags, "opponent");
  return {
    terms: {
      game: session.deployment.addresses[game.contract],
      mode: hash,
      token: token.address,
      stake1,
      stake2,
      clock: BigInt(readDuration(textOf(flags, "clock")!, "--clock")),
      rated: flags.unrated !== true,
    },
    opponent: opponent === undefined ? undefined : readAddress(opponent, "--opponent"),
    firmUntil: await readFirmUntil(session, flags),
  };
}

/**
 * Warns of a seat's risks and of what else is given, and returns what to send along once that is accepted: the coin
 * that the purse lacks for the stake, and the risks.
 */
export async function acceptRisks(
  session: Session,
  stand: Stand,
  moveChecks: readonly string[],
  yes?: boolean,
): Promise<Extras> {
  const { arena, address, addresses } = await session.client();
  const named = await tokenAt(session, stand.terms.token);
  reportWeakness(session, stand.terms);
  const risks = await risksOf(stand, addresses, session.provider, (amount) => amountText(amount, named));
  await acceptWarnings([...risks.map(({ text }) => text), ...moveChecks], yes);
  const { token, stake1, stake2 } = stand.terms;
  const stake = stand.seat === Seat.One ? stake1 : stake2;
  const lacking = token === COIN ? stake - (await arena.purseOf(address, COIN)) : 0n;
  return { value: lacking > 0n ? lacking : 0n, acceptedRisks: risks.map(({ risk }) => risk) };
}

function reportWeakness(session: Session, { game: address, mode }: Stand["terms"]): void {
  const game = stockGame(session, address);
  const name = game && modeNamed(game, mode);
  const weakness = name && weaknessOf(game, name);
  if (weakness) log(weakness);
}

/** What may keep the caller from playing a move. */
export async function moveChecksOf(session: Session, game: GameModule, move: Hex): Promise<string[]> {
  if (!game.moveChecks) return [];
  const { address: player } = await session.client();
  return game.moveChecks(move, { player, history: session.history, committed: await committedBy(session, game) });
}

function readMode(game: GameModule, word: string): { hash: string; odds: readonly [bigint, bigint] } {
  const stock = Object.entries(game.modes).find(([name, { content }]) => name === word || modeHash(content) === word);
  if (stock) return { hash: modeHash(stock[1].content), odds: stock[1].odds };
  if (word.startsWith("0x")) return { hash: readHash(word, "--mode"), odds: [1n, 1n] };
  throw new InputError("--mode", `${game.title} has no mode ${word}; there are ${Object.keys(game.modes).join(", ")}`);
}

async function readFirmUntil(session: Session, flags: Flags): Promise<number | undefined> {
  const firm = textOf(flags, "firm");
  if (firm === undefined) return flags.soft === true ? 0 : undefined;
  if (flags.soft === true) throw new InputError("--soft", "--firm is given too");
  return (await nextTime(session.provider)) + readDuration(firm, "--firm");
}
