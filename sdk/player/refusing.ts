import { reasonOf } from "../chain/trouble.js";
import { InputError } from "../protocol/input.js";

/** Runs a function that untrusted data may make fail in any way. @throws InputError for any error */
export async function refusing<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(path, reasonOf(error) || "it is damaged");
  }
}
