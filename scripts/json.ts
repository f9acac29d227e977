import { readFile } from "node:fs/promises";
import { InputError } from "../sdk/input.js";

/** What a JSON file holds. @throws InputError naming the file if it cannot be read or is not JSON. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new InputError(file, (error as Error).message);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(file, `not JSON: ${(error as Error).message}`);
  }
}
