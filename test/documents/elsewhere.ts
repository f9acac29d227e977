/** A command that a document names and this test cannot run. */
export interface Elsewhere {
  command: string;
  why: string;
  /** What runs it: a file, and words in it that show so. */
  by: readonly [file: string, words: string];
}

const STAYS = "it runs until it is stopped, and the test has one running already";
const CHECKS = "it checks or rewrites the project under test: npm test does the same";
const LONG = "it takes minutes";

/** All of them. One that no document names any longer must go from here. */
export const ELSEWHERE: readonly Elsewhere[] = [
  { command: "npm start", why: STAYS, by: ["test/start-support.ts", '"scripts/start.ts", ...args'] },
  { command: "npm test", why: "it is what runs this", by: [".ci/run", "npm test"] },
  { command: "npm run build", why: CHECKS, by: ["scripts/check.ts", "npm run -s build"] },
  { command: "npm run lint", why: CHECKS, by: ["scripts/check.ts", "npm run -s lint:ts"] },
  { command: "npm run format", why: CHECKS, by: ["scripts/check.ts", "prettier --check"] },
  { command: "npx hardhat test mocha test/dice.ts", why: CHECKS, by: ["scripts/check.ts", "hardhat test"] },
  { command: "npm run gas", why: "it rewrites test/gas.json", by: ["test/gas.ts", "UPDATE_GAS"] },
  { command: "npm run coverage", why: LONG, by: ["hardhat.config.ts", "coverage"] },
  { command: "npm run -s bench", why: LONG, by: ["test/bench.ts", "scripts/bench.ts"] },
  { command: "npm run -s bench -- --parity 100000", why: LONG, by: ["test/bench.ts", '"--parity", "5"'] },
];
