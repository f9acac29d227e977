import { Status } from "../../sdk/protocol/status.js";
import type { Chain } from "./chain.js";
import type { Soaked } from "./run.js";

/** Ends of matches, in printing order. */
const ENDS = [
  [Status.P1Win, "1 won"],
  [Status.P2Win, "2 won"],
  [Status.Draw, "draw"],
  [Status.P1WinInactive, "2 silent"],
  [Status.P2WinInactive, "1 silent"],
  [Status.P1Canceled, "no match"],
] as const;

const WIDTH = 10;

/** Figures of a run. All values are valid in JSON; amounts are in the smallest unit. */
export interface Figures {
  seed: string;
  matches: number;
  /** Number of matches in channels. */
  offered: number;
  transactions: number;
  gas: string;
  seconds: number;
  /** Number of matches by game and final status. */
  ends: Record<string, Record<string, number>>;
  faults: Record<string, number>;
  money: Record<string, Record<"deposited" | "purses" | "house" | "withdrawn", string>>;
}

/** Collects the figures of a run. */
export function figuresOf(
  seed: string,
  chain: Chain,
  { world, ends, offered, money }: Soaked,
  seconds: number,
): Figures {
  const counts = Object.values(ends).flatMap((each) => Object.values(each));
  const sums = [...money].map(([token, { deposited, withdrawn, house, purses }]) => {
    const left = [...purses.values()].reduce((sum, purse) => sum + purse, 0n);
    const texts = { deposited: String(deposited), purses: String(left), house: String(house) };
    return [token === world.addresses.FightToken ? "FIGHT" : "coin", { ...texts, withdrawn: String(withdrawn) }];
  });
  return {
    seed,
    matches: counts.reduce((sum, count) => sum + count, 0),
    offered,
    transactions: chain.sent.length,
    gas: String(chain.sent.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
    seconds,
    ends,
    faults: Object.fromEntries([...world.faults].sort(([, a], [, b]) => b - a)),
    money: Object.fromEntries(sums) as Figures["money"],
  };
}

/** Formats figures for people. */
export function linesOf({ matches, offered, transactions, gas, seconds, ends, faults, money }: Figures): string[] {
  const count = (value: number | string) => BigInt(value).toLocaleString("en");
  const rate = (matches / seconds).toFixed(1);
  const width = Math.max(...Object.keys(ends).map((name) => name.length)) + 2;
  const row = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(width) + cells.map((cell) => String(cell).padStart(WIDTH)).join("");
  const heads = ENDS.map(([, head]) => head);
  const counts = (each: Record<string, number>) => ENDS.map(([status]) => each[String(status)] ?? 0);
  return [
    `${count(matches)} matches, and ${count(offered)} in channels, in ${seconds.toFixed(1)} s, ${rate} a second: ${count(transactions)} transactions, ${count(gas)} gas`,
    row("", heads),
    ...Object.entries(ends).map(([name, each]) => row(name, counts(each))),
    ...Object.entries(faults).map(([fault, times]) => `${String(times).padStart(6)} × ${fault}`),
    ...Object.entries(money).map(
      ([token, { deposited, purses, house, withdrawn }]) =>
        `${token}: ${count(deposited)} paid in = ${count(purses)} in purses + ${count(withdrawn)} withdrawn; ${count(house)} of it went to the house`,
    ),
    "Every match has ended, every replay is identical, no unit is missing, and all follows from the events.",
  ];
}
