import { dirname, relative } from "node:path";
import { changesIn, type Change } from "./operators.js";
import { numbering } from "./shared.js";
import { analyse, spanOf, type CompilerError, type SyntaxNode } from "../contract-syntax.js";

/** A mistake in a contract, which the tests should find. */
export interface Mutant {
  /** Number that switches it on, from 1. */
  id: number;
  file: string;
  line: number;
  operator: string;
  before: string;
  after: string;
  /** File and function. */
  place: string;
  /**
   * File, function and change: the same in each commit that does not touch the changed code. A number follows if the
   * function has the same change more than once.
   */
  key: string;
}

/** All mutants of some sources that compile. */
export interface Mutants {
  all: readonly Mutant[];
  /** Returns the sources with some of the mutants, by their paths. */
  sourcesWith(chosen: ReadonlySet<number>): Map<string, string>;
}

/** Mutants of one function in a build. */
const PER_FUNCTION = 8;
/** Characters of each side of a change in its key. */
const KEY_LENGTH = 60;

/** Mutants of one piece of a file. */
interface Place {
  start: number;
  end: number;
  /** A definition is the end of a contract, where the modifiers of its mutants are defined. */
  kind: "expression" | "statement" | "modifier" | "definition";
  mutants: (Mutant & Pick<Change, "modifier">)[];
}

/** File with the switch, and its function. */
const SWITCH_FILE = "contracts/MutantSwitch.sol";
const SWITCH = "mutantOn";
/**
 * Source of the function that tells the contracts whether a mutant is switched on. The block's beneficiary is the number
 * of the mutant: any call can read it, and it changes no storage. For the largest beneficiary, the call reports the
 * mutant as Hardhat's coverage reports a line, by a call of an address without code.
 */
const SWITCH_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

function mutantOn(uint256 id) pure returns (bool) {
    return asPure(isBeneficiary)(id);
}

function isBeneficiary(uint256 id) view returns (bool isOn) {
    assembly ("memory-safe") {
        isOn := eq(coinbase(), id)
        if iszero(shl(96, not(coinbase()))) {
            mstore(0, id)
            pop(staticcall(gas(), 0xc0bEc0BEc0BeC0bEC0beC0bEC0bEC0beC0beC0BE, 0, 32, 0, 0))
        }
    }
}

function asPure(
    function(uint256) view returns (bool) reading
) pure returns (function(uint256) pure returns (bool) result) {
    assembly ("memory-safe") {
        result := reading
    }
}
`;
/** Nodes that are replaced as statements. */
const STATEMENTS = new Set(["EmitStatement", "ExpressionStatement", "Pair", "RevertStatement"]);

/**
 * Finds all mutants of sources, except those that the compiler refuses.
 * @throws Error for an error of the compiler that no mutant causes
 */
export function mutantsOf(sources: ReadonlyMap<string, string>): Mutants {
  const { sources: parsed } = analyse(sources);
  const textIn = (file: string) => (node: SyntaxNode) => sources.get(file)!.slice(...spanOf(node));
  const files = new Map([...sources.keys()].map((file) => [file, { tree: parsed[file].ast, textOf: textIn(file) }]));
  let count = 0;
  const numbered = numbering();
  const places = new Map(
    [...changesIn(files)].map(([file, changes]) => {
      const text = sources.get(file)!;
      return [file, placesOf(changes, (change) => mutantOf(++count, file, text, change, numbered), text)] as const;
    }),
  );
  const sourcesWith = (chosen: ReadonlySet<number>) => {
    const switched = [...sources].map(
      ([file, text]) => [file, rendered(file, text, places.get(file)!, chosen)] as const,
    );
    return new Map([...switched, [SWITCH_FILE, SWITCH_SOURCE]]);
  };
  const found = [...places.values()].flatMap((each) =>
    each.filter(({ kind }) => kind !== "definition").flatMap(({ mutants }) => mutants),
  );
  const left = new Set(found.map(({ id }) => id));
  for (;;) {
    const switched = sourcesWith(left);
    const errors = analyse(switched).errors?.filter(({ severity }) => severity === "error") ?? [];
    if (errors.length === 0) return { all: found.filter(({ id }) => left.has(id)), sourcesWith };
    const refused = errors.flatMap((error) => causesOf(error, switched));
    if (refused.length === 0) throw new Error(errors[0].formattedMessage);
    for (const id of refused) left.delete(id);
  }
}

/** @param numbered Distinguishes equal changes. */
function mutantOf(
  id: number,
  file: string,
  text: string,
  { node, operator, after, scope }: Change,
  numbered: (key: string) => string,
): Mutant {
  const [start, end] = spanOf(node);
  const before = text.slice(start, end);
  const place = `${file} ${scope}`;
  const key = numbered(`${place}: ${shortened(before)} => ${shortened(after)}`);
  return { id, file, line: text.slice(0, start).split("\n").length, operator, before, after, place, key };
}

function shortened(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length > KEY_LENGTH ? `${line.slice(0, KEY_LENGTH - 1)}…` : line;
}

/** Collects changes by their place. The outer of two places comes first. */
function placesOf(changes: readonly Change[], mutantFrom: (change: Change) => Mutant, text: string): Place[] {
  const places = new Map<string, Place>();
  const add = (mutant: Place["mutants"][number], at: Omit<Place, "mutants">) => {
    const key = `${at.start}-${at.end}`;
    const place = places.get(key) ?? { ...at, mutants: [] };
    places.set(key, place);
    place.mutants.push(mutant);
  };
  for (const change of changes) {
    const { modifier } = change;
    const isStatement = STATEMENTS.has(change.node.nodeType);
    const [start, last] = spanOf(change.node);
    // The tree's statements have no semicolons.
    const end = isStatement ? text.indexOf(";", last) + 1 : last;
    const mutant = { ...mutantFrom(change), modifier };
    add(mutant, { start, end, kind: modifier ? "modifier" : isStatement ? "statement" : "expression" });
    if (modifier) add(mutant, { start: modifier.contractEnd, end: modifier.contractEnd, kind: "definition" });
  }
  return [...places.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

/** Returns a file with its mutants. */
function rendered(file: string, text: string, places: readonly Place[], chosen: ReadonlySet<number>): string {
  const path = relative(dirname(file), SWITCH_FILE);
  const left = places.map((place) => ({ ...place, mutants: place.mutants.filter(({ id }) => chosen.has(id)) }));
  const planted = left.filter(({ mutants }) => mutants.length > 0);
  if (planted.length === 0) return text;
  const source = renderedPart(text, 0, text.length, planted);
  return `${source}\nimport {${SWITCH}} from "${path.startsWith(".") ? path : `./${path}`}";\n`;
}

function renderedPart(text: string, start: number, end: number, places: readonly Place[]): string {
  let [result, at] = ["", start];
  for (let i = 0; i < places.length;) {
    const place = places[i];
    let next = i + 1;
    while (next < places.length && places[next].end <= place.end) next++;
    result += text.slice(at, place.start) + renderedPlace(text, place, places.slice(i + 1, next));
    [at, i] = [place.end, next];
  }
  return result + text.slice(at, end);
}

/** Returns a piece of a file with its mutants. Comments name the mutants for errors of the compiler. */
function renderedPlace(text: string, { start, end, kind, mutants }: Place, inner: readonly Place[]): string {
  const original = renderedPart(text, start, end, inner);
  const marked = (id: number, code: string) => `/*<${id}*/ ${code} /*${id}>*/`;
  switch (kind) {
    case "expression": {
      const choices = mutants.map(({ id, after }) => `${SWITCH}(${id}) ? (${marked(id, after)}) : `);
      return `(${choices.join("")}(${original}))`;
    }
    case "statement": {
      const choices = mutants.map(({ id, after }) => `if (${SWITCH}(${id})) {${marked(id, after)}} else `);
      return `{ ${choices.join("")}{ ${original} } }`;
    }
    case "modifier":
      return mutants.map(({ id }) => `unless${id}`).join(" ");
    case "definition":
      return mutants
        .map(({ id, modifier }) => {
          const [before, after] = [modifier!.before, modifier!.after].map((code) =>
            code ? `if (!${SWITCH}(${id})) { ${code} }` : "",
          );
          return `${marked(id, `modifier unless${id}() { ${before} _; ${after} }`)}\n`;
        })
        .join("");
  }
}

/** Returns the mutants that may cause an error: those around its place, or the first one inside. */
function causesOf(error: CompilerError, switched: ReadonlyMap<string, string>): number[] {
  const { file = "", start = 0, end = 0 } = error.sourceLocation ?? {};
  const text = switched.get(file) ?? "";
  const around = [...text.matchAll(/\/\*<(\d+)\*\/[^]*?\/\*\1>\*\//g)].filter(
    ({ index, 0: piece }) => index <= start && index + piece.length >= end,
  );
  const inside = [...text.slice(start, end).matchAll(new RegExp(`${SWITCH}\\((\\d+)\\)`, "g"))];
  return (around.length > 0 ? around : inside.slice(0, 1)).map(([, id]) => Number(id));
}

/** Returns the mutants in an order in which each function has one in turn. */
export function spread(mutants: readonly Mutant[]): Mutant[] {
  const turns = new Map<Mutant, number>();
  const counts = new Map<string, number>();
  for (const mutant of mutants) {
    const turn = counts.get(mutant.place) ?? 0;
    counts.set(mutant.place, turn + 1);
    turns.set(mutant, turn);
  }
  return mutants.toSorted((one, other) => turns.get(one)! - turns.get(other)!);
}

/**
 * Divides mutants into builds with at most `PER_FUNCTION` in each function: each switch needs a variable, and the EVM's
 * stack can reach only 16.
 */
export function buildsOf(mutants: readonly Mutant[]): Mutant[][] {
  const builds: Mutant[][] = [];
  const counts = new Map<string, number>();
  for (const mutant of mutants) {
    const count = counts.get(mutant.place) ?? 0;
    counts.set(mutant.place, count + 1);
    (builds[Math.floor(count / PER_FUNCTION)] ??= []).push(mutant);
  }
  return builds;
}
