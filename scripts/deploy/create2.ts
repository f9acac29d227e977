import { traitsOf } from "../../sdk/chain/traits.js";
import { FutureType, isFuture, isModuleParameterRuntimeValue, type ArgumentType } from "@nomicfoundation/ignition-core";
import {
  concat,
  ContractFactory,
  dataSlice,
  getCreate2Address,
  id,
  Interface,
  keccak256,
  zeroPadValue,
  type Provider,
} from "ethers";
import hre from "hardhat";
import type { DuelloModule } from "../../ignition/modules/Duello.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError, type Reader } from "../../sdk/protocol/input.js";
import type { AddressesByName } from "./deployed-code.js";
import { addressOf, type Journal } from "./journal.js";

/** Factory of contracts, https://createx.rocks. It has this address on every chain where it exists. */
const CREATE_X = "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed";

/** Hash of the factory's code, version 1.0.0, which Ignition checks, too. */
const CREATE_X_CODE = "0xbd8a7ea8cfca7b4e5f5041d7d4b17bc317c5ce42cfbc42066a00cf26b43eb53f";

const factory = new Interface(["function deployCreate2(bytes32 salt, bytes initCode) payable returns (address)"]);

/** Constructor arguments that are not contracts of the deployment. */
export interface Parameters {
  owner: string;
  treasury: string;
}

/** Addresses that are equal on all chains. */
export interface EqualAddresses {
  salt: Hex;
  addresses: AddressesByName;
}

/** Reads the name of a set of equal addresses. */
export const create2Name: Reader<string> = (value, path) => {
  if (typeof value === "string" && /^[\w.-]{1,64}$/.test(value)) return value;
  throw new InputError(path, "the name has 1 to 64 letters, digits, and characters of . _ -");
};

/**
 * Computes the salt of a deployment that has the same addresses on every chain: the deployer, a zero byte, and 11 bytes
 * of the name's hash. The factory accepts it only from this deployer, so nobody can take the addresses first. It works
 * on every chain.
 */
function create2Salt(deployer: string, name: string): Hex {
  return concat([deployer, "0x00", dataSlice(id(name), 0, 11)]);
}

/** Returns the transaction that creates a contract through the factory. @param initCode Creation code and arguments. */
export function create2Request(salt: Hex, initCode: Hex): { to: string; data: Hex } {
  return { to: CREATE_X, data: factory.encodeFunctionData("deployCreate2", [salt, initCode]) };
}

/** Computes the addresses of all contracts of a module from their deployer, a name, and the parameters. */
export async function equalAddresses(
  module: DuelloModule,
  deployer: string,
  name: string,
  parameters: Parameters,
): Promise<EqualAddresses> {
  const salt = create2Salt(deployer, name);
  const addresses: Record<string, string> = {};
  const resolved = (arg: ArgumentType): string => {
    if (isFuture(arg) && "contractName" in arg) return addresses[arg.contractName];
    if (isModuleParameterRuntimeValue(arg)) return parameters[arg.name as keyof Parameters];
    throw new Error("a constructor takes something other than contracts and parameters");
  };
  // The factory hashes a salt together with the sender at its beginning.
  const guarded = keccak256(concat([zeroPadValue(dataSlice(salt, 0, 20), 32), salt]));
  for (const [contract, future] of Object.entries(module.results)) {
    if (future.type === FutureType.NAMED_ARTIFACT_CONTRACT_AT) {
      addresses[contract] = addressOf(future);
      continue;
    }
    const { abi, bytecode } = await hre.artifacts.readArtifact(contract);
    const args = future.constructorArgs.map(resolved);
    const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction(...args);
    addresses[contract] = getCreate2Address(CREATE_X, guarded, keccak256(data));
  }
  return { salt, addresses };
}

/**
 * Returns true if a chain has the factory.
 * @throws InputError if a public chain lacks the factory, or if other code is at its address.
 */
export async function requireFactory(provider: Pick<Provider, "getCode">, chainId: number): Promise<boolean> {
  const code = await provider.getCode(CREATE_X);
  if (keccak256(code) === CREATE_X_CODE) return true;
  // Ignition puts the factory on a local chain on its own.
  if (code === "0x" && traitsOf(chainId).isFree) return false;
  const problem = code === "0x" ? "no contract" : "other code";
  throw new InputError(
    "--create2",
    `chain ${chainId} has ${problem} at ${CREATE_X}, where the factory CreateX would be: https://createx.rocks names its chains`,
  );
}

/** Checks that existing contracts have the addresses of this salt. @throws InputError for the first that differs. */
export function requireAddresses(standing: AddressesByName, planned: AddressesByName): void {
  for (const [name, address] of Object.entries(standing)) {
    if (!Object.hasOwn(planned, name) || planned[name] === address) continue;
    throw new InputError(
      "--create2",
      `${name} stands at ${address}; by this name, deployer, owner and treasury it would stand at ${planned[name]}`,
    );
  }
}

/** Checks that the addresses of contracts are free before the first run of a deployment. @throws InputError */
export async function requireFree(
  provider: Pick<Provider, "getCode">,
  { isEmpty }: Journal,
  planned: AddressesByName,
): Promise<void> {
  if (!isEmpty || (await provider.getCode(planned.Arena)) === "0x") return;
  throw new InputError(
    "--create2",
    `the arena of this name stands at ${planned.Arena}, and its journal is not here: restore it, or choose another name`,
  );
}
