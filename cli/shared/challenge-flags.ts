import type { Challenge } from "../../sdk/player/client.js";
import { modeHash } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/protocol/input.js";
import { nextTime } from "../../sdk/chain/time.js";
import { readAddress, readAmount, readDuration, readHash } from "./arguments.js";
import { textOf, type Flags } from "./command.js";
import type { Session } from "./session.js";
import { readToken } from "./tokens.js";

const MAX_STAKE = 2n ** 96n - 1n;

/** Reads the offer that the flags describe, without the data of player 1. @throws InputError */
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

function readMode(game: GameModule, text: string): { hash: string; odds: readonly [bigint, bigint] } {
  const stock = Object.entries(game.modes).find(([name, { content }]) => name === text || modeHash(content) === text);
  if (stock) return { hash: modeHash(stock[1].content), odds: stock[1].odds };
  if (text.startsWith("0x")) return { hash: readHash(text, "--mode"), odds: [1n, 1n] };
  throw new InputError("--mode", `${game.title} has no mode ${text}; there are ${Object.keys(game.modes).join(", ")}`);
}

async function readFirmUntil(session: Session, flags: Flags): Promise<number | undefined> {
  const firm = textOf(flags, "firm");
  if (firm === undefined) return flags.soft === true ? 0 : undefined;
  if (flags.soft === true) throw new InputError("--soft", "--firm is given too");
  return (await nextTime(session.provider)) + readDuration(firm, "--firm");
}
