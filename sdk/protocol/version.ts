import { InputError, type Reader } from "./input.js";

/** Versions of the formats in which programs store data. A format whose meaning changes gets the next number. */
export const VERSIONS = {
  /** Keys, secrets and answers in a player's vault, a JSON file each. */
  "the vault": 1,
  /** Transactions whose outcome has not been reported yet, a JSON file each. */
  "sent transactions": 1,
  /** Numbers of open matches, a JSON file. */
  "the list of matches": 1,
  /** Description of a player's channel in its vault, a JSON file. */
  "a channel": 1,
  /** Log of a player in a channel, a file of JSON lines. */
  "the log of a channel": 1,
  /** Amounts that an agent has paid for other players, a JSON file. */
  "the budget of a sponsor": 1,
  /** Messages of a match in a relay's archive, a file of JSON lines. */
  "the archive of a relay": 1,
  /** Events of a deployment, as an `Archive` is saved. */
  "a saved archive": 1,
  /** A practice match, as a `Practice` is saved. */
  "a practice match": 1,
  /** Matches stored on a player's machine for replays without a node, a JSON file each. */
  "a kept match": 1,
  /** Database of the web page in a browser. */
  "the page's data": 3,
} as const;

/** Name of a format in which programs store data. */
export type Format = keyof typeof VERSIONS;

/**
 * Thrown for data that a newer program has written.
 * @example
 * ```ts
 * import { checkVersion, NewerVersion } from "duello";
 *
 * try {
 *   checkVersion("the vault", 99, "key.json");
 * } catch (error) {
 *   if (error instanceof NewerVersion) console.error("Update the program."); // nothing is damaged
 * }
 * ```
 */
export class NewerVersion extends InputError {}

/**
 * Checks that data has the version of its format that this program reads and writes.
 * @param path Name of the data in errors, e.g. its file.
 * @throws InputError that names both versions, and the remedy.
 * @example
 * ```ts
 * import { checkVersion, VERSIONS } from "duello";
 *
 * checkVersion("the vault", VERSIONS["the vault"], "key.json");
 * checkVersion("the vault", 99, "key.json"); // throws NewerVersion: key.json: it has version 99…
 * ```
 */
export function checkVersion(format: Format, version: unknown, path: string): void {
  const known = VERSIONS[format];
  if (version === known) return;
  const reads = `and this program reads version ${known}`;
  if (typeof version !== "number" || !Number.isInteger(version) || version < known) {
    const found = Number.isInteger(version) ? `version ${Number(version)}` : "no version";
    throw new InputError(
      path,
      `it has ${found} of ${format}, ${reads}: it is damaged, or too old to be used: move it away`,
    );
  }
  throw new NewerVersion(path, `it has version ${version} of ${format}, ${reads}: use the newer program that wrote it`);
}

/** Returns data with the version of its format. */
export function versioned<T extends object>(format: Format, content: T): { version: number } & T {
  return { version: VERSIONS[format], ...content };
}

/** Creates a reader of the results of `versioned`, which returns the data without its version. */
export function readVersioned<T>(format: Format, reader: Reader<T>): Reader<T> {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return reader(value, path);
    const { version, ...content } = value as Record<string, unknown>;
    checkVersion(format, version, path);
    return reader(content, path);
  };
}

/** Returns the first line of a file of JSON lines, which contains the version of its format. */
export function versionLine(format: Format): string {
  return JSON.stringify(versioned(format, { format }));
}

/** Checks the first line of a file of JSON lines. @param path Name of the line in errors. @throws InputError */
export function checkVersionLine(format: Format, line: string, path: string): void {
  const named = versionIn(line);
  checkVersion(format, named?.format === format ? named.version : undefined, path);
}

/**
 * Returns whether a line, such as the first line of a file, contains the version of one of several formats.
 * @throws InputError for a version that this program does not read.
 */
export function isVersionLine(formats: readonly Format[], line: string, path: string): boolean {
  const named = versionIn(line);
  const format = formats.find((each) => each === named?.format);
  if (format !== undefined) checkVersion(format, named?.version, path);
  return format !== undefined;
}

function versionIn(line: string): { format?: unknown; version?: unknown } | undefined {
  try {
    return (JSON.parse(line) as object | null) ?? undefined;
  } catch {
    return undefined;
  }
}
