import { getAddress, isAddress } from "ethers";
import { InputError, text, type Reader } from "./input.js";

/** Reads an address. If it is in mixed case, its checksum must be right. */
export const address: Reader<string> = (value, path) => {
  const written = text(value, path);
  if (!isAddress(written)) throw new InputError(path, `${JSON.stringify(written)} is not an address`);
  return getAddress(written);
};
