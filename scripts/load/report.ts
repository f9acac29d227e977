import { id, SigningKey } from "ethers";
import { randomKey } from "../../sdk/player/secrets.js";
import { Histogram, type Times } from "./histogram.js";
import { DISTURBED } from "./players.js";
import { MARKS, RECORDED_MARKS, type Figures, type LoadOptions } from "./run.js";

/** Widths of the columns in characters. */
const COLUMNS = [12, 14, 16, 22];
const SHARES = [0.5, 0.9, 0.99];
/** Recoveries of a signer with which the time of a message is compared, so that figures of machines are comparable. */
const RECOVERIES = 500;

/** Formats the figures of a measurement for people. */
export function linesOf(options: LoadOptions, figures: Figures): string[] {
  const { messages, seconds, processes, players, killed } = figures;
  const marks = options.recorded === undefined ? MARKS : RECORDED_MARKS;
  const percents = marks.map((mark) => `${100 * mark}`).join(", ");
  const relayTime = processes.reduce((sum, { kind, time }) => sum + (kind === "relay" ? time : 0), 0);
  const failures = players.reduce((sum, each) => sum + each.failures, 0);
  return [
    ...headOf(options),
    `${messages.toLocaleString("en")} messages in ${seconds.toFixed(0)} s, ${(messages / seconds).toFixed(0)} a second; ${failures} requests failed and were repeated`,
    `Relays: ${((1000 * messages) / relayTime).toFixed(0)} messages for each second of a core; message : recovery of a signer by ethers = ${(relayTime / messages / recoveryTime()).toFixed(2)} : 1`,
    ...(options.recorded === undefined ? latencyLines(figures) : []),
    rowOf("", "processor s", "ms a message", `MB at ${percents} %`),
    ...processes.map(({ kind, name, time, memory }) =>
      rowOf(
        name,
        (time / 1000).toFixed(1),
        (time / messages).toFixed(3),
        // Most memory of Postgres is shared by its processes.
        kind === "store" ? "" : memory.map((megabytes) => megabytes.toFixed(0)).join(", "),
      ),
    ),
    ...(killed.length > 0 ? [`Killed with signal 9 and started again: ${killed.join(", ")}`] : []),
    `Checked: every acknowledged message must arrive once and in order, and be stored once`,
  ];
}

function headOf({ players, minutes, think, relays, postgres, recorded, relayShare, seed }: LoadOptions): string[] {
  const of = `${relays} ${relays === 1 ? "relay" : "relays behind HAProxy"}, messages in ${postgres ? "Postgres" : "a folder"}`;
  const how =
    recorded === undefined
      ? `${minutes} minutes, think time ${think} s on average, seed ${seed}; figures without the first ${100 * MARKS[0]} %`
      : `${recorded} messages, signed beforehand and not checked by players, seed ${seed}; figures without the first and last ${100 * RECORDED_MARKS[0]} %`;
  const capped = `Each relay is held to ${relayShare} of a core by cpulimit; nothing else is limited`;
  return [`${players} players, ${of}`, how, ...(relayShare === undefined ? [] : [capped])];
}

function latencyLines({ players, killed }: Figures): string[] {
  const line = (what: string, times: readonly Times[]) => {
    const histogram = new Histogram(...times);
    const shares = SHARES.map((share) => `p${100 * share} ${histogram.percentile(share).toFixed(1)}`).join(", ");
    return `${what}: ${shares}, max ${histogram.times.max.toFixed(0)} ms, of ${histogram.total.toLocaleString("en")}`;
  };
  const [relay, store, calm] = (["relay", "store", "calm"] as const).map((kind) =>
    players.map(({ latency }) => latency[kind]),
  );
  const after = (what: string, times: readonly Times[]) =>
    times.some(({ counts }) => counts.length > 0)
      ? [line(`  within ${DISTURBED / 1000} s after a kill of ${what}`, times)]
      : [];
  const late = players.map(({ lag }) => `${lag.most.toFixed(0)} and ${lag.max.toFixed(0)} ms`).join("; ");
  return [
    line("From player to player, signed and checked", [...relay, ...store, ...calm]),
    ...(killed.length === 0
      ? []
      : [...after("a relay", relay), ...after("the store", store), line("  at other times", calm)]),
    `Timers of the players' processes were late by p99 and max: ${late}`,
  ];
}

/** Returns the processor milliseconds in which ethers recovers the signer of a digest. */
function recoveryTime(): number {
  const digest = id("digest");
  const signature = new SigningKey(randomKey()).sign(digest);
  const recover = () => {
    const before = process.cpuUsage();
    for (let i = 0; i < RECOVERIES; i++) SigningKey.recoverPublicKey(digest, signature);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / RECOVERIES;
  };
  recover();
  return recover();
}

function rowOf(...cells: readonly string[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(COLUMNS[i]) : cell.padStart(COLUMNS[i])))
    .join("")
    .trimEnd();
}
