import type { Log } from "ethers";
import { decodeEvent, encodeEvent, interfaceOf } from "../sdk/chain/events.js";
import { games } from "../sdk/games/index.js";
import { MatchSynthesizer } from "./record/match-synthesizer.js";

/** Number of short matches whose events are measured. */
const MATCHES = 100;
/** Number of times that the events are decoded and encoded. */
const ROUNDS = { own: 100, ethers: 5 };

/** Measures how fast the events of matches are decoded and encoded, by the SDK and by ethers. @returns two lines. */
export async function benchEvents(): Promise<string[]> {
  const matches = new MatchSynthesizer();
  await matches.playEach(
    games.filter(({ demo }) => demo === undefined),
    MATCHES,
  );
  const logs = matches.done().all.map((event) => ({ event, name: event.name, ...encodeEvent(event) }));
  const rate = (run: (log: (typeof logs)[number]) => unknown, rounds: number) => {
    logs.forEach(run);
    const start = process.cpuUsage();
    for (let n = 0; n < rounds; n++) logs.forEach(run);
    const { user, system } = process.cpuUsage(start);
    return (rounds * logs.length * 1e6) / (user + system);
  };
  const own = [
    rate((log) => decodeEvent(log as unknown as Log), ROUNDS.own),
    rate(({ event }) => encodeEvent(event), ROUNDS.own),
  ];
  const ethers = [
    rate(({ name, topics, data }) => interfaceOf(name).decodeEventLog(name, data, topics), ROUNDS.ethers),
    rate(({ name, event }) => interfaceOf(name).encodeEventLog(name, Object.values(event.args)), ROUNDS.ethers),
  ];
  const [decoding, encoding] = own.map((each, i) => (each / ethers[i]).toFixed(1));
  return [
    `Events of recorded matches: ${own[0].toFixed(0)} decoded a second, ${own[1].toFixed(0)} encoded`,
    `ours : ethers = ${decoding} : 1 decoding, ${encoding} : 1 encoding`,
  ];
}
