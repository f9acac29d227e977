import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { fileProblem } from "./file-problem.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { statusName } from "../../../sdk/protocol/status.js";
import { printableJson } from "../../../sdk/protocol/text.js";

/** Reads a JSON file. @throws InputError naming the file if it cannot be read or is not JSON. */
export async function readJson(file: string): Promise<unknown> {
  return parsed(await readFile(file, "utf8").catch(refused(file)), file);
}

/** Flags that refuse links and never block; Windows has neither. */
const FILES_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Options of a file made by somebody else. */
interface SmallFileOptions {
  /** True in a folder that others write to: links, pipes and devices are rejected. */
  isShared?: boolean;
}

/**
 * Reads a JSON file made by somebody else.
 * @throws InputError as `readJson`, and for a file of more than `max` bytes; no further bytes are read.
 */
export async function readSmallJson(file: string, max: number, options: SmallFileOptions = {}): Promise<unknown> {
  const bytes = await readStart(file, max + 1, options).catch(refused(file));
  if (bytes.length > max) throw new InputError(file, `more than ${max} bytes`);
  return parsed(bytes.toString("utf8"), file);
}

/** Reads at most a number of bytes of a file. */
async function readStart(file: string, max: number, { isShared = false }: SmallFileOptions): Promise<Buffer> {
  const handle = await open(file, isShared ? FILES_ONLY : "r");
  try {
    if (isShared && !(await handle.stat()).isFile()) throw new Error("it is no file");
    const bytes = Buffer.alloc(max);
    let length = 0;
    for (let read = -1; read !== 0 && length < max; length += read) {
      ({ bytesRead: read } = await handle.read(bytes, length, max - length));
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function refused(file: string) {
  return (error: unknown): never => {
    throw new InputError(file, fileProblem(error));
  };
}

function parsed(text: string, file: string): unknown {
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
