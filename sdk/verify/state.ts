import { isError, type Interface, type Provider } from "ethers";
import { AT_ONCE } from "../chain/archive.js";
import type { OnProgress } from "../chain/history.js";
import type { ExpectedAnswer } from "../chain/record.js";
import type { LocatedMismatch } from "../chain/mismatch.js";

/** What a view of a contract must answer. */
export interface Expectation extends ExpectedAnswer {
  address: string;
  matchId?: bigint;
  /** Another answer that is as good. */
  or?: readonly unknown[];
}

/** Answers a call of a contract: the data it returns, or undefined if it refuses. */
export type Ask = (address: string, data: string) => Promise<string | undefined>;

/** Asks a chain, as it was at a block. */
export function askChain(provider: Provider, blockTag: number): Ask {
  return async (to, data) => {
    try {
      return await provider.call({ to, data, blockTag });
    } catch (error) {
      if (isError(error, "CALL_EXCEPTION")) return undefined;
      throw error;
    }
  };
}

/** The first expectation that a chain does not meet. @param interfaces Who declares the views, by address. */
export async function compareState(
  expectations: readonly Expectation[],
  interfaces: ReadonlyMap<string, Interface>,
  ask: Ask,
  onProgress?: OnProgress,
): Promise<LocatedMismatch | undefined> {
  for (let i = 0; i < expectations.length; i += AT_ONCE) {
    const some = expectations.slice(i, i + AT_ONCE);
    const asked = some.map(async (expectation) => {
      const { address, view, args } = expectation;
      const declared = interfaces.get(address)!;
      return mismatchIn(expectation, declared, await ask(address, declared.encodeFunctionData(view, args)));
    });
    const mismatch = (await Promise.all(asked)).find((each) => each !== undefined);
    if (mismatch) return mismatch;
    onProgress?.(i + some.length, expectations.length);
  }
  return undefined;
}

function mismatchIn(expectation: Expectation, declared: Interface, data?: string): LocatedMismatch | undefined {
  const { view, args, answer, or = answer, matchId } = expectation;
  const encoded = [answer, or].map((each) => encodedBy(declared, view, each));
  if (data !== undefined && encoded.includes(data)) return undefined;
  const place = { ...(matchId !== undefined && { matchId }), at: `${view}(${args.map(String).join(", ")})` };
  if (data === undefined) return { ...place, what: "the answer", expected: "one", found: "a refusal" };
  const wanted = encoded[0] === undefined ? new Map<string, string>() : partsOf(declared, view, encoded[0])!;
  const found = partsOf(declared, view, data);
  const part = [...(found?.keys() ?? [])].find((name) => wanted.get(name) !== found!.get(name));
  // It is none, or says the same in other bytes.
  if (part === undefined) return { ...place, what: "the answer", expected: String(encoded[0]), found: data };
  return { ...place, what: part, expected: wanted.get(part) ?? "what it cannot answer", found: found!.get(part) };
}

/** An answer as the contract would return it; undefined for one that it never could, e.g. a purse below zero. */
function encodedBy(declared: Interface, view: string, answer: readonly unknown[]): string | undefined {
  try {
    return declared.encodeFunctionResult(view, answer);
  } catch {
    return undefined;
  }
}

/** The parts of an answer in words, by name; undefined if it is none. */
function partsOf(declared: Interface, view: string, data: string): Map<string, string> | undefined {
  const { outputs } = declared.getFunction(view)!;
  try {
    const values = declared.decodeFunctionResult(view, data);
    const parts = outputs.flatMap(({ name, components }, i) => {
      if (!components) return [[name || "the answer", String(values[i])] as const];
      return components.map((each, k) => [each.name, String((values[i] as unknown[])[k])] as const);
    });
    return new Map(parts);
  } catch {
    return undefined;
  }
}
