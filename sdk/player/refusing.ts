import { reasonOf } from "../chain/trouble.js";
import { InputError } from "../protocol/input.js";

/** Runs what somebody else's data may make fail in any way. @throws InputError for whatever it throws */
export async function refusing<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(path, reasonOf(error) || "it is damaged");
  }
}
