import { traitsOf } from "../../sdk/chain/traits.js";
import { nextTime } from "../../sdk/chain/time.js";
import { explain } from "../../sdk/player/errors.js";
import { InputError } from "../../sdk/protocol/input.js";
import { timeText } from "../../sdk/protocol/text.js";
import { readDuration } from "../../sdk/protocol/arguments.js";
import type { PlayCommand } from "../shared/command/command.js";

/** Time on a chain cannot go back, so a mistyped jump must not end every match on it. */
const MAX_LEAP = 366 * 86_400;

/** Commands for the clock of a test chain. */
export const clock: readonly PlayCommand[] = [
  {
    usage: "pass <time>",
    description: "let time pass on a test chain, e.g. 1d, until a clock has run out or fighters are rested",
    examples: ["pass 1d"],
    async run({ provider, chainId }, [text]) {
      const seconds = readDuration(text, "time");
      if (seconds < 1 || seconds > MAX_LEAP) throw new InputError("time", `${text} is not between 1s and 366d`);
      if (!traitsOf(chainId).hasSettableClock) {
        throw new InputError("pass", `time passes by command on test chains only, and this is chain ${chainId}`);
      }
      try {
        await provider.send("evm_increaseTime", [seconds]);
        await provider.send("evm_mine", []);
      } catch (error) {
        throw new Error(`The node cannot let time pass: ${explain(error)}`, { cause: error });
      }
      const time = await nextTime(provider);
      return { data: { seconds, time }, text: `It is ${timeText(BigInt(time))}.` };
    },
  },
];
