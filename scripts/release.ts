/** `tsx scripts/release.ts TAG`: checks that a tag may be released, and prints its section of the changelog. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { InputError, oneLine } from "../sdk/protocol/input.js";

/** Files that contain the version. */
const FILES = ["package.json", ...["sdk", "contracts", "create"].map((folder) => `${folder}/package.json`)];

/** A project to release. */
export interface Release {
  tag: string;
  /** Versions, by the file that contains them. */
  versions: Readonly<Record<string, string>>;
  changelog: string;
}

/**
 * Checks a release, and finds its notes.
 * @returns the changelog's section for the release.
 * @throws InputError if a file has another version than the tag, or if the changelog has no section with the version
 * and a date.
 */
export function notesOf({ tag, versions, changelog }: Release): string {
  for (const [file, version] of Object.entries(versions)) {
    if (tag !== `v${version}`) throw new InputError(tag, `${file} has the version ${version}`);
  }
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) =>
    new RegExp(`^${tag.slice(1).replaceAll(".", "\\.")} - \\d{4}-\\d\\d-\\d\\d\n`).test(each),
  );
  if (section === undefined) throw new InputError(tag, "the changelog has no section with this version and a date");
  return section.slice(section.indexOf("\n")).trim();
}

function read(tag: string): Release {
  const versionIn = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  const versions = Object.fromEntries(FILES.map((file) => [file, versionIn(file)]));
  return { tag, versions, changelog: readFileSync("CHANGELOG.md", "utf8") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(notesOf(read(process.argv[2] ?? "")));
  } catch (error) {
    console.error(oneLine(error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}
