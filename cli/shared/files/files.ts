import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsync, openSync } from "node:fs";
import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Reader } from "../../../sdk/protocol/input.js";
import { readJson } from "./json.js";

/** Reads a JSON file; undefined if there is none. @throws InputError if its content is malformed. */
export async function readFileAs<T>(file: string, reader: Reader<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined;
  const content = await readJson(file).catch((error: unknown) => {
    // Another process may have removed it in the meantime.
    if (existsSync(file)) throw error;
  });
  return content === undefined ? undefined : reader(content, file);
}

/** Writes a file that only its owner may read. The write is atomic, and durable once this returns. */
export async function writeAtomically(file: string, content: object): Promise<string> {
  await replaceText(file, jsonText(content));
  return file;
}

/** Replaces the content of a file with a text, like `writeAtomically`. */
export async function replaceText(file: string, text: string): Promise<void> {
  await rename(await writeDraft(file, text), file);
  await syncFolder(dirname(file));
}

/** Writes a file like `writeAtomically`, unless the file exists. @returns false if it exists. */
export async function writeNew(file: string, content: object): Promise<boolean> {
  return placeNew(await writeDraft(file, jsonText(content)), file);
}

/**
 * Renames a draft, unless a file with the new name exists. The old name is gone in both cases. @returns false if such a
 * file exists.
 */
export async function placeNew(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    await syncFolder(dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns once the entries of a folder are on the disk: a new or renamed file is durable only then. */
export async function syncFolder(path: string): Promise<void> {
  const folder = openSync(path, "r");
  try {
    await sync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns once a file or folder is on the disk. */
export async function sync(file: number): Promise<void> {
  await new Promise<void>((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
}

function jsonText(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

async function writeDraft(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const name = `${file}.${randomUUID()}`;
  const draft = await open(name, "wx", 0o600);
  await draft.writeFile(text);
  await draft.sync();
  await draft.close();
  return name;
}
