import { reasonOf } from "../chain/trouble.js";
import { InputError } from "../protocol/input.js";

/** Runs a function on untrusted data. @throws InputError in place of any error */
export async function refusing<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(path, reasonOf(error) || "it is damaged");
  }
}
