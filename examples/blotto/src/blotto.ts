import { byteListMove, hexOf, InputError, integer, layout, list, object, oneRound, optional } from "duello";
import { packedEntry, sized, type Reader } from "duello";
import artifact from "../artifacts/contracts/Blotto.sol/Blotto.json" with { type: "json" };

/** Mode: the number of soldiers that each player has. */
interface Mode {
  readonly soldiers: number;
}

const FIELDS = 3;
const [MIN_SOLDIERS, MAX_SOLDIERS, USUAL_SOLDIERS] = [5, 50, 10];

const readMode: Reader<Mode> = object({ soldiers: optional(integer(MIN_SOLDIERS, MAX_SOLDIERS), USUAL_SOLDIERS) });

/** Fields of a log entry, in bits: the soldiers of player 1 and of player 2 on each field, and the winner. */
const LOG = layout({
  ...{ one0: [0, 8], one1: [8, 8], one2: [16, 8] },
  ...{ two0: [24, 8], two1: [32, 8], two2: [40, 8] },
  winner: [48, 2],
});

/** Blotto: soldiers on three fields; the player who wins more fields wins the match. */
export const blotto = oneRound({
  name: "blotto",
  contract: "Blotto",
  abi: artifact.abi,
  artifact,
  modes: { ten: { content: "0x" }, five: { content: "0x05" }, fifty: { content: "0x32" } },
  errors: { WrongArmy: "The move sends {sent} soldiers instead of {soldiers}." },
  rules: {
    mode: {
      usual: { soldiers: USUAL_SOLDIERS },
      read: readMode,
      encode: ({ soldiers }) => hexOf(Uint8Array.of(soldiers)),
      decode: (content) => readMode({ soldiers: sized(content, "mode", 1)[0] }, "mode"),
      describe: ({ soldiers }) => [`Each player has ${soldiers} soldiers.`],
      reasons: { soldiers: "an army has 5 to 50 soldiers" },
    },
    noun: "an army",
    move: { ...byteListMove("SOLDIERS SOLDIERS SOLDIERS"), read: ({ soldiers }) => armyOf(soldiers) },
    random({ soldiers }, source) {
      // Stars and bars with two bars: every army is equally likely.
      const first = source.below(soldiers + 2);
      const other = source.below(soldiers + 1);
      const second = other < first ? other : other + 1;
      const [low, high] = [Math.min(first, second), Math.max(first, second)];
      return [low, high - low - 1, soldiers + 1 - high];
    },
    play({ moves: [one, two] }) {
      const won = one.filter((soldiers, field) => soldiers > two[field]).length;
      const lost = one.filter((soldiers, field) => soldiers < two[field]).length;
      const winner = won === lost ? 0 : won > lost ? 1 : 2;
      const [[one0, one1, one2], [two0, two1, two2]] = [one, two];
      return { winner, entries: [{ one0, one1, one2, two0, two1, two2, winner }] };
    },
    entry: packedEntry(LOG, ({ winner }) => winner <= 2),
  },
});

/** Makes a reader of moves that send all soldiers. */
function armyOf(soldiers: number): Reader<number[]> {
  return (value, path) => {
    const army = list(integer(0, soldiers), FIELDS)(value, path);
    const sent = army.reduce((sum, each) => sum + each, 0);
    if (sent !== soldiers) throw new InputError(path, `${sent} soldiers are sent instead of ${soldiers}`);
    return army;
  };
}
