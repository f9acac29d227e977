import { expect } from "chai";
import { dataLength, isAddressable, type Addressable, type BaseContract, type Interface } from "ethers";
import { stateOf as readState, type State } from "../../sdk/laws/state.js";
import { COIN, ethers } from "./index.js";

/** Overrides for a transaction that is mined even if it reverts, and costs its sender no coin. */
export const FREE = { gasLimit: 10_000_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

/** Outcome of a successful call. */
export const ACCEPTED = "accepted";

const errors = new WeakMap<Interface, Set<string>>();

/** Returns the selectors of a contract's errors. They are cached, since ethers hashes a name at each request. */
function errorsOf(known: Interface): Set<string> {
  const selectors = errors.get(known) ?? new Set(["0x08c379a0", "0x4e487b71"]);
  if (!errors.has(known)) known.forEachError(({ selector }) => selectors.add(selector));
  errors.set(known, selectors);
  return selectors;
}

/** Returns the contracts of a world by name. */
export function contractsIn(world: object): Record<string, BaseContract> {
  return Object.fromEntries(
    Object.entries(world).filter(([, value]) => typeof value === "object" && "interface" in value),
  );
}

/** Reads the state of all contracts and people of a world. Two states are equal if nothing changed in between. */
export async function stateOf(world: object): Promise<State> {
  return readState(ethers.provider, Object.fromEntries(addressablesIn(world)));
}

/** Names the differences between two states. */
export function differences(before: State, after: State): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]);
}

/** Returns `accepted`, or the error as `Name(value, ...)`, with addresses replaced by their names in the world. */
export async function outcomeOf(world: object, sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
    return ACCEPTED;
  } catch (error) {
    const data = revertDataOf(error);
    if (typeof data !== "string") throw error;
    const known = dataLength(data) < 4 ? [] : Object.values(contractsIn(world));
    const naming = known.find((contract) => errorsOf(contract.interface).has(data.slice(0, 10)));
    const refusal = naming?.interface.parseError(data);
    return refusal ? `${refusal.name}${await textOf(refusal.args, world)}` : `unnamed ${data}`;
  }
}

/**
 * Expects a call to be refused, and the whole state to stay unchanged.
 * @param refusal The error as `outcomeOf` returns it, or its name; without `values` the name matches any values.
 * @param values The error's values, with people and contracts in place of their addresses.
 */
export async function expectRefused(
  world: object,
  send: () => Promise<unknown>,
  refusal: string,
  values?: readonly unknown[],
): Promise<void> {
  await expectUnchanged(world, async () => {
    const outcome = await outcomeOf(world, send());
    if (values) expect(outcome).to.equal(`${refusal}${await textOf(values, world)}`);
    else expect([outcome, outcome.split("(")[0]]).to.include(refusal);
  });
}

/** Expects a call to revert with any error, and the whole state to stay unchanged. */
export async function expectReverted(world: object, send: () => Promise<unknown>): Promise<void> {
  await expectUnchanged(world, async () => {
    await expect(send()).to.be.revert(ethers);
  });
}

/** Expects that a function leaves the whole state unchanged. */
export async function expectUnchanged(world: object, run: () => Promise<unknown>): Promise<void> {
  const before = await stateOf(world);
  await run();
  expect(differences(before, await stateOf(world)), "changes of the state").to.deep.equal([]);
}

/** Returns the revert data of a call. Without a stack trace Hardhat nests it one object deeper. */
function revertDataOf(error: unknown): unknown {
  const { data } = error as { data?: unknown };
  return typeof data === "object" && data !== null ? (data as { data?: unknown }).data : data;
}

function addressablesIn(world: object): [name: string, one: Addressable][] {
  return Object.entries(world).filter(([, value]) => isAddressable(value));
}

/** Formats values as in a refusal, with addresses by their names in the world. */
async function textOf(values: readonly unknown[], world: object): Promise<string> {
  const named = addressablesIn(world).map(async ([name, one]): Promise<[string, string]> => {
    return [await one.getAddress(), name];
  });
  const names = new Map([...(await Promise.all(named)), [COIN, "zero"]]);
  const textIn = async (value: unknown): Promise<string> => {
    if (Array.isArray(value)) return `(${(await Promise.all(value.map(textIn))).join(", ")})`;
    const plain = isAddressable(value) ? await value.getAddress() : String(value);
    return names.get(plain) ?? plain;
  };
  return textIn(values);
}
