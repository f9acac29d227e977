/** Part of an answer of `npm audit --json`. Names in `via` refer to other packages of the answer. */
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
 * @param answers Answers for one or more lock files, one after the other.
 * @param accepted Reasons by id of the advisory, e.g. `GHSA-67mh-4wv8-2f99`.
 */
export function openAdvisories(answers: string, accepted: Readonly<Record<string, string>>): string[] {
  const advisories = answers
    .trim()
    .split(/(?<=^\})\n/m)
    .flatMap(advisoriesOf);
  const found = new Map(advisories.map((advisory) => [advisory.url.split("/").at(-1)!, advisory]));
  const open = [...found].filter(([id, { severity }]) => SEVERE.includes(severity) && !(id in accepted));
  const past = Object.keys(accepted).filter((id) => !found.has(id));
  return [
    ...open.map(([id, { name, range, severity, title }]) => `${id}: ${name} ${range}, ${severity}: ${title}`),
    ...past.map((id) => `${id}: accepted, but no package has it any longer`),
  ];
}

function advisoriesOf(answer: string): Advisory[] {
  const { auditReportVersion, vulnerabilities } = JSON.parse(answer) as Answer;
  if (auditReportVersion !== 2) throw new Error(`npm audit did not answer: ${answer.trim()}`);
  return Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each !== "string");
}
