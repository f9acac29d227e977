import { isError, type Interface, type Provider } from "ethers";
import { AT_ONCE } from "../chain/source.js";
import type { OnProgress } from "../chain/history.js";
import type { ExpectedAnswer } from "../chain/record.js";
import type { LocatedMismatch } from "../chain/mismatch.js";

/** Expected answer of a contract's view. */
export interface Expectation extends ExpectedAnswer {
  /** Address of the contract. */
  address: string;
  /** Number of the match that the answer is about. */
  matchId?: bigint;
  /** Another answer that the view may return instead. */
  or?: readonly unknown[];
}

/**
 * Calls a contract and returns the data of its answer; undefined if the call reverts.
 * @param expected Data of the expected answer, for callers that record it; undefined for an impossible answer.
 */
export type Ask = (address: string, data: string, expected?: string) => Promise<string | undefined>;

/**
 * Creates an `Ask` that calls contracts with their state at a block.
 * @throws like the provider, for any error other than a revert.
 * @example
 * ```ts
 * import { askChain, games, Reading, verify } from "duello";
 *
 * const reading = await Reading.open(provider, addresses, 1);
 * const { mismatch, answers } = await verify(reading, games, { ask: askChain(provider, reading.last.number) });
 * ```
 */
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

/**
 * Compares the answers of contracts with the expected answers.
 * @param interfaces Interfaces that declare the views, by the contract's address.
 * @param onProgress Called with the number of compared answers, and the number of all answers to compare.
 * @returns The first mismatch.
 */
export async function compareState(
  expectations: readonly Expectation[],
  interfaces: ReadonlyMap<string, Interface>,
  ask: Ask,
  onProgress?: OnProgress,
): Promise<LocatedMismatch | undefined> {
  for (let i = 0; i < expectations.length; i += AT_ONCE) {
    const some = expectations.slice(i, i + AT_ONCE);
    const asked = some.map(async (expectation) => {
      const { address, view, args, answer } = expectation;
      const declared = interfaces.get(address)!;
      const expected = encodedBy(declared, view, answer);
      const data = await ask(address, declared.encodeFunctionData(view, args), expected);
      return mismatchIn(expectation, declared, expected, data);
    });
    const mismatch = (await Promise.all(asked)).find((each) => each !== undefined);
    if (mismatch) return mismatch;
    onProgress?.(i + some.length, expectations.length);
  }
  return undefined;
}

function mismatchIn(
  { view, args, or, matchId }: Expectation,
  declared: Interface,
  encoded: string | undefined,
  data: string | undefined,
): LocatedMismatch | undefined {
  if (data !== undefined && (data === encoded || (or && data === encodedBy(declared, view, or)))) return undefined;
  const at = `${view}(${args.map(String).join(", ")})`;
  const place = { matchId, at };
  if (data === undefined) return { ...place, what: "the answer", expected: "one", found: "a refusal" };
  const wanted = encoded === undefined ? new Map<string, string>() : partsOf(declared, view, encoded)!;
  const found = partsOf(declared, view, data);
  const part = [...(found?.keys() ?? [])].find((name) => wanted.get(name) !== found!.get(name));
  // The data is not a valid answer, or is the expected answer in another encoding.
  if (part === undefined) return { ...place, what: "the answer", expected: String(encoded), found: data };
  return { ...place, what: part, expected: wanted.get(part) ?? "what it cannot answer", found: found!.get(part) };
}

/** Encodes an answer as the contract does; undefined for an impossible answer, e.g. a purse below zero. */
function encodedBy(declared: Interface, view: string, answer: readonly unknown[]): string | undefined {
  try {
    return declared.encodeFunctionResult(view, answer);
  } catch {
    return undefined;
  }
}

/** Decodes an answer into texts by the name of the part; undefined for invalid data. */
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
