import type { Challenge } from "../../../sdk/player/calls.js";
import { addressOfGame } from "../../../sdk/games/list.js";
import { modeNamed } from "../../../sdk/games/modes.js";
import { EVEN, impliedMode, type GameModule } from "../../../sdk/games/module.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { nextTime } from "../../../sdk/chain/time.js";
import { readAddress, readAmount, readDuration } from "../../../sdk/protocol/arguments.js";
import { textOf, type Flags } from "../command/command.js";
import { readMode } from "../command/modes.js";
import type { CommandContext } from "../command/context.js";

const MAX_STAKE = 2n ** 96n - 1n;

/** A challenge that still lacks player 1's data, with the content of its mode if that comes from the caller's file. */
interface ReadChallenge {
  challenge: Omit<Challenge, "data">;
  /** Content of a mode that comes from the caller's own file, to register if needed. */
  ownMode?: Hex;
}

/**
 * Reads the offer that the flags describe.
 * @param named Mode that the caller named in place of a game; defaults to the game's first.
 * @throws InputError
 */
export async function readChallenge(
  context: CommandContext,
  game: GameModule,
  flags: Flags,
  named?: string,
): Promise<ReadChallenge> {
  const token = await context.tokens.read(textOf(flags, "token")!);
  const amount = (flag: string) => readAmount(textOf(flags, flag)!, token.decimals, `--${flag}`, MAX_STAKE);
  const stake1 = amount("stake");
  const against = textOf(flags, "against") === undefined ? undefined : amount("against");
  const opponent = textOf(flags, "opponent");
  const player2 = opponent === undefined ? undefined : readAddress(opponent, "--opponent");
  const { agents } = context.deployment;
  const implied = impliedMode(game, { opponent: player2, agents, isFree: stake1 === 0n && !against }, named);
  const { mode, own } = await readMode(game, textOf(flags, "mode") ?? implied, "--mode");
  const address = addressOfGame(game, context.deployment.addresses);
  // Reading a move needs the rules of the mode, which is not registered yet.
  if (own !== undefined) context.history.learnMode(address, own);
  const published = modeNamed(game, mode);
  const odds = published === undefined ? EVEN : game.modes[published].odds;
  const stake2 = against ?? (stake1 * odds[1]) / odds[0];
  const challenge = {
    terms: {
      game: address,
      mode,
      token: token.address,
      stake1,
      stake2,
      clock: BigInt(readDuration(textOf(flags, "clock")!, "--clock")),
      rated: flags.unrated !== true,
    },
    opponent: player2,
    firmUntil: await readFirmUntil(context, flags),
  };
  return { challenge, ownMode: own };
}

async function readFirmUntil(context: CommandContext, flags: Flags): Promise<number | undefined> {
  const firm = textOf(flags, "firm");
  if (firm === undefined) return flags.soft === true ? 0 : undefined;
  if (flags.soft === true) throw new InputError("--soft", "--firm is given too");
  return (await nextTime(context.provider)) + readDuration(firm, "--firm");
}
