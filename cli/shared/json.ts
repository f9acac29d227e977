import { readFile } from "node:fs/promises";
import { InputError } from "../../sdk/protocol/input.js";
import { statusName } from "../../sdk/protocol/status.js";
import { printableJson } from "../../sdk/protocol/text.js";

/** Reads a JSON file. @throws InputError naming the file if it cannot be read or is not JSON. */
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

/** Formats data as one printable line of JSON: bigints as strings, statuses by name. */
export function jsonText(data: unknown): string {
  const json = JSON.stringify(data, (key, value: unknown) => {
    if (typeof value !== "bigint") return value;
    return key === "status" ? statusName(value) : String(value);
  });
  return printableJson(json);
}
