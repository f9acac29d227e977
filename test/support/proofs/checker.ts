import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import solc from "solc";

const ROOT = join(import.meta.dirname, "../../..");
const FILE = "Law.sol";
const CONTRACT = "Law";
/** Steps of the solver for one question: a limit that does not depend on the speed of the machine. */
const STEPS = 2_000_000;

/** A contract that the checker examines. */
export interface Examined {
  /** Declarations outside of the contract, such as imports. */
  header: string;
  /** Members of the contract. The last function states the law: it is examined, with all functions that it calls. */
  code: string;
  /** Kinds of checks. */
  targets: readonly Target[];
  /** True to ask the solver nothing more once a check is violated. */
  untilViolated?: boolean;
}

/** Assertions, and operations whose result does not fit. */
export type Target = "assert" | "overflow" | "underflow";

/** What the checker reports of a contract. */
export interface Report {
  /** Code of each check in the law that is proved. */
  proved: string[];
  /** Code of each check that is violated, in the law or in a function that it calls. */
  violated: string[];
  /** Everything else: checks that are neither proved nor violated, and code that the checker cannot represent. */
  unclear: string[];
}

interface Location {
  file: string;
  start: number;
  end: number;
}

interface Message {
  message: string;
  severity: string;
  formattedMessage: string;
  sourceLocation?: Location;
  /** Calls that lead there, among other places. */
  secondarySourceLocations?: { sourceLocation?: Location }[];
}

type Answer = { contents: string } | { error: string };
type Compile = (
  input: string,
  callbacks: { import: (path: string) => Answer; smtSolver: (query: string) => Answer },
) => string;

/** Returns whether z3 is installed. */
export function hasSolver(): boolean {
  return spawnSync("z3", ["--version"]).status === 0;
}

function read(path: string): Answer {
  const folder = /^(contracts|test)\//.test(path) ? "" : "node_modules";
  return { contents: readFileSync(join(ROOT, folder, path), "utf8") };
}

/** A conversion to a narrower type, as the checker writes it: by way of bits, on which the solver gives up. */
const NARROWED = /\(bv2nat \(ite \(>= (\S+) 0\) \(\(_ int2bv (\d+)\) \1\) \(bvneg \(\(_ int2bv \2\) \(- \1\)\)\)\)\)/g;

function solve(query: string): string {
  const input = query.replaceAll(NARROWED, (_, number, bits) => `(mod ${number} ${2n ** BigInt(bits)})`);
  // The solver exits with 1 if a question has no model, which is an answer.
  return spawnSync("z3", ["-in", "-smt2", `rlimit=${STEPS}`], { input, encoding: "utf8" }).stdout;
}

/** The checker's own notice about its engine: the compiler, and so the checker, changes only by a commit. */
const NOTICE = /engine of the SMTChecker is deprecated/;

/**
 * Examines a contract by solc's SMTChecker. A contract a call, since the checker is slower with several.
 * @throws Error if the code does not compile
 */
export function examine({ header, code, targets, untilViolated = false }: Examined): Report {
  const source = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.37;\n${header}\ncontract ${CONTRACT} {\n${code}\n}\n`;
  const law = source.lastIndexOf("function ");
  const report: Report = { proved: [], violated: [], unclear: [] };
  for (const { message, formattedMessage, sourceLocation, secondarySourceLocations = [] } of check(
    source,
    targets,
    untilViolated,
  )) {
    if (!/SMTChecker|BMC/.test(message) || NOTICE.test(message)) continue;
    const isInLaw = (place?: Location) => place?.file === FILE && place.start >= law;
    const checked = source.slice(sourceLocation?.start, sourceLocation?.end);
    // The checker also examines each called function alone, without the assumptions of the law.
    const calls = secondarySourceLocations.map((call) => call.sourceLocation);
    if (/ check is safe!$/.test(message)) {
      if (isInLaw(sourceLocation)) report.proved.push(checked);
    } else if (!/ happens here\.$/.test(message)) report.unclear.push(formattedMessage);
    else if ([sourceLocation, ...calls].some(isInLaw)) report.violated.push(checked);
  }
  return report;
}

function check(content: string, targets: readonly Target[], untilViolated: boolean): Message[] {
  let isViolated = false;
  const smtSolver = (query: string): Answer => {
    if (isViolated) return { contents: "unknown" };
    const contents = solve(query);
    isViolated = untilViolated && contents.startsWith("sat");
    return { contents };
  };
  const input = {
    language: "Solidity",
    sources: { [FILE]: { content } },
    settings: {
      modelChecker: {
        contracts: { [FILE]: [CONTRACT] },
        engine: "bmc",
        solvers: ["smtlib2"],
        targets,
        showProvedSafe: true,
        showUnproved: true,
        showUnsupported: true,
      },
    },
  };
  const compile = solc.compile as Compile;
  const output = compile(JSON.stringify(input), { import: read, smtSolver });
  const { errors } = JSON.parse(output) as { errors: Message[] };
  const failure = errors.find(({ severity }) => severity === "error");
  if (failure) throw new Error(failure.formattedMessage);
  return errors;
}
