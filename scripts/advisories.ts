/**
 * `npm run advisories`: reads the answer of `npm audit --json`, and fails on an advisory of moderate or higher severity
 * that scripts/advisories/accepted.json does not accept with a reason.
 */
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** Part of the answer of `npm audit --json`. Names in `via` refer to other packages of the answer. */
interface Answer {
  auditReportVersion?: number;
  vulnerabilities: Record<string, { via: (string | Advisory)[] }>;
}

interface Advisory {
  name: string;
  title: string;
  url: string;
  severity: string;
  range: string;
}

const SEVERE = ["moderate", "high", "critical"];

/**
 * Lists what has to be decided: severe advisories that are not accepted, and accepted ones that no package has any
 * longer. Throws if npm has no answer.
 * @param accepted Reasons by id of the advisory, e.g. `GHSA-67mh-4wv8-2f99`.
 */
export function openAdvisories(answer: string, accepted: Readonly<Record<string, string>>): string[] {
  const { auditReportVersion, vulnerabilities } = JSON.parse(answer) as Answer;
  if (auditReportVersion !== 2) throw new Error(`npm audit did not answer: ${answer.trim()}`);
  const advisories = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each !== "string");
  const found = new Map(advisories.map((advisory) => [advisory.url.split("/").at(-1)!, advisory]));
  const open = [...found].filter(([id, { severity }]) => SEVERE.includes(severity) && !(id in accepted));
  const past = Object.keys(accepted).filter((id) => !found.has(id));
  return [
    ...open.map(([id, { name, range, severity, title }]) => `${id}: ${name} ${range}, ${severity}: ${title}`),
    ...past.map((id) => `${id}: accepted, but no package has it any longer`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const accepted = JSON.parse(readFileSync("scripts/advisories/accepted.json", "utf8")) as Record<string, string>;
  const open = openAdvisories(await text(process.stdin), accepted);
  for (const line of open) console.error(line);
  if (open.length > 0) process.exitCode = 1;
  else console.log(`No open advisory; ${Object.keys(accepted).length} accepted.`);
}
