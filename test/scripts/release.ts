import { expect } from "chai";
import { readFileSync } from "node:fs";
import { notesOf, type Release } from "../../scripts/release.js";

const release: Release = {
  tag: "v1.2.3",
  versions: { "package.json": "1.2.3", "sdk/package.json": "1.2.3" },
  changelog:
    "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-01-02\n\n### Added\n\n- That.\n\n## 1.2.2 - 2026-01-01\n\n- This.\n",
};

describe("A release", () => {
  it("prints the changelog section of its version", () => {
    expect(notesOf(release)).to.equal("### Added\n\n- That.");
  });

  it("is refused if a file's version differs from the tag", () => {
    for (const tag of ["v1.2.4", "1.2.3", "v1.2.30", ""]) {
      expect(() => notesOf({ ...release, tag }), tag).to.throw("package.json has the version 1.2.3");
    }
    const versions = { ...release.versions, "sdk/package.json": "1.2.2" };
    expect(() => notesOf({ ...release, versions })).to.throw("v1.2.3: sdk/package.json has the version 1.2.2");
  });

  it("is refused without a dated section of the changelog", () => {
    for (const heading of ["## 1.2.3", "## 1x2.3 - 2026-01-02", "### 1.2.3 - 2026-01-02", "## 1.2.30 - 2026-01-02"]) {
      const changelog = release.changelog.replace("## 1.2.3 - 2026-01-02", heading);
      expect(() => notesOf({ ...release, changelog }), heading).to.throw("no section with this version and a date");
    }
  });

  it("pins GitHub actions by hash, like CI and the scheduled checks", () => {
    const used = (file: string) => readFileSync(`.github/workflows/${file}.yml`, "utf8").match(/uses: .*/g) ?? [];
    expect(used("ci")).to.include.members(used("release"));
    for (const file of ["ci", "release", "scheduled"])
      expect(used(file).filter((each) => !/@[0-9a-f]{40} # v/.test(each))).to.deep.equal([]);
  });
});
