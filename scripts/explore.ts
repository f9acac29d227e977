/**
 * `npm run explore`: visits all states of the channels of CI and of larger ones. It fails if a state violates a property,
 * or if there are fewer states than `docs/security.md` says.
 */
import { LARGE, MORE, QUICK } from "../test/channels/model/channels.js";
import { figuresOf, Search } from "../test/channels/model/explore.js";

const MIN_STATES = 10_000_000;
const start = performance.now();
let [states, transitions, violations] = [0, 0, 0];
for (const [what, channel] of Object.entries({ ...LARGE, ...MORE, ...QUICK })) {
  for (const number of [1, 2] as const) {
    const began = performance.now();
    const found = new Search({ ...channel, number }).run();
    states += found.states;
    transitions += found.transitions;
    console.log(`${what}, as player ${number}: ${figuresOf(found)}, ${secondsSince(began)} s`);
    if (found.bad === undefined) continue;
    violations++;
    console.error([found.bad, ...found.trace].join("\n"));
  }
}
const megabytes = Math.ceil(process.resourceUsage().maxRSS / 1024);
console.log(
  `${states} states and ${transitions} transitions in ${secondsSince(start)} s, with at most ${megabytes} MB of memory.`,
);
if (violations > 0) process.exitCode = 1;
else if (states < MIN_STATES) {
  console.error(`There should be at least ${MIN_STATES} states.`);
  process.exitCode = 1;
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}
