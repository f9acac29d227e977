import { readFileSync } from "node:fs";
import { expect } from "chai";
import { openAdvisories } from "../../scripts/advisories/open.js";

const advisory = (id: string, severity: string) => ({
  source: 1,
  name: "esbuild",
  dependency: "esbuild",
  title: "reads files",
  url: `https://github.com/advisories/${id}`,
  severity,
  range: "<=0.24.2",
});

/** Returns an answer of npm in which `vite` depends on a package with these advisories. */
const answerOf = (...advisories: object[]) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: {
      esbuild: { name: "esbuild", severity: "high", isDirect: false, via: advisories, effects: ["vite"] },
      vite: { name: "vite", severity: "high", isDirect: true, via: ["esbuild"], effects: [] },
    },
    metadata: { vulnerabilities: { total: 2 } },
  });

describe("Advisories on packages", () => {
  for (const severity of ["moderate", "high", "critical"]) {
    it(`are open at severity ${severity} until they are accepted`, () => {
      const answer = answerOf(advisory("GHSA-1", severity), advisory("GHSA-2", severity));
      const open = [`GHSA-2: esbuild <=0.24.2, ${severity}: reads files`];
      expect(openAdvisories(answer, { "GHSA-1": "not used" })).to.deep.equal(open);
      expect(openAdvisories(answer, { "GHSA-1": "not used", "GHSA-2": "not used" })).to.deep.equal([]);
    });
  }

  it("are open in the answer for any lock file", () => {
    const answers = ["GHSA-1", "GHSA-2"].map((id) => JSON.parse(answerOf(advisory(id, "high"))) as object);
    const printed = answers.map((answer) => `${JSON.stringify(answer, undefined, 2)}\n`).join("");
    expect(openAdvisories(printed, { "GHSA-1": "not used" })).to.deep.equal([
      "GHSA-2: esbuild <=0.24.2, high: reads files",
    ]);
  });

  it("are ignored at a lower severity", () => {
    expect(openAdvisories(answerOf(advisory("GHSA-1", "low"), advisory("GHSA-2", "info")), {})).to.deep.equal([]);
  });

  it("are open if they are accepted but no package has them any longer", () => {
    const past = ["GHSA-1: accepted, but no package has it any longer"];
    expect(openAdvisories(answerOf(), { "GHSA-1": "not used" })).to.deep.equal(past);
  });

  it("are not taken for absent if the registry does not answer", () => {
    const refusal = JSON.stringify({ statusCode: 405, method: "POST", error: { summary: "", detail: "" } });
    expect(() => openAdvisories(refusal, {})).to.throw(`npm audit did not answer: ${refusal}`);
    expect(() => openAdvisories("", {})).to.throw();
  });

  it("are accepted only with an id and a reason", () => {
    const accepted = JSON.parse(readFileSync("scripts/advisories/accepted.json", "utf8")) as Record<string, string>;
    for (const [id, reason] of Object.entries(accepted)) {
      expect(id).to.match(/^GHSA(-[0-9a-z]{4}){3}$/);
      expect(reason, id).to.match(/^[A-Z].{30,}\.$/);
    }
  });
});
