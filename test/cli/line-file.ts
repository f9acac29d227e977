import { fstatSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { LineFile, Overtaken } from "../../cli/shared/files/line-file.js";
import { withFsync } from "../support/fsync.js";

describe("A file of lines", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-"));
    path = join(folder, "channels", "1.jsonl");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const opened = () => new LineFile(path, "the log of a channel");
  const FIRST = '{"version":1,"format":"the log of a channel"}';

  it("syncs the line and the directory entry to disk before it returns", async () => {
    const inodes: number[] = [];
    const file = opened();
    const append = (line: string) =>
      withFsync(
        async (synced) => void inodes.push(fstatSync(synced).ino),
        () => file.append(line),
      );
    await append("one");
    const [own, parent] = await Promise.all([stat(path), stat(dirname(path))]);
    expect(inodes).to.deep.equal([own.ino, parent.ino]);
    await append("two");
    expect(inodes).to.deep.equal([own.ino, parent.ino, own.ino]);
  });

  it("keeps no part of a line that could not be written", async () => {
    const file = opened();
    const fail = () => Promise.reject(new Error("no space"));
    for (const lines of [[], ["one"]]) {
      const lost = withFsync(fail, () => file.append("lost"));
      expect(await lost.catch((error: unknown) => (error as Error).message)).to.equal("no space");
      expect(await opened().read()).to.deep.equal(lines);
      await file.append("one");
    }
    expect(await file.read()).to.deep.equal(["one", "one"]);
  });

  it("keeps lines in order, in a file that only its owner can read", async () => {
    const file = opened();
    expect(await file.read()).to.deep.equal([]);
    await file.append("one");
    await file.append("two");
    expect(await opened().read()).to.deep.equal(["one", "two"]);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it("drops an unterminated last line of a dead process", async () => {
    await opened().append("one");
    await appendFile(path, "tw");
    const file = opened();
    expect(await file.read()).to.deep.equal(["one"]);
    await file.append("three");
    expect(await readFile(path, "utf8")).to.equal(`${FIRST}\none\nthree\n`);
  });

  it("appends nothing once another process has appended", async () => {
    const [one, other] = [opened(), opened()];
    await Promise.all([one.read(), other.read()]);
    await one.append("mine");
    const refused = await other.append("yours").catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Overtaken);
    expect(await other.read()).to.deep.equal(["mine"]);
    await other.append("yours");
    expect(await one.append("again").catch((error: unknown) => error)).to.be.instanceOf(Overtaken);
  });

  it("reports in advance whether another process has appended a line or a part of one, or has removed the file", async () => {
    const [one, other] = [opened(), opened()];
    expect(await one.isOvertaken()).to.equal(false);
    await Promise.all([one.read(), other.read()]);
    await one.append("mine");
    expect([await one.isOvertaken(), await other.isOvertaken()]).to.deep.equal([false, true]);
    await other.read();
    expect(await other.isOvertaken()).to.equal(false);
    await appendFile(path, "tw");
    expect(await other.isOvertaken()).to.equal(true);
    await rm(path);
    expect(await one.isOvertaken()).to.equal(true);
  });

  it("appends nothing to a file that was truncated after it was read", async () => {
    const file = opened();
    await file.append("one");
    await writeFile(path, "");
    expect(await file.append("two").catch((error: unknown) => error)).to.be.instanceOf(Overtaken);
  });

  it("names its format and version in its first line, which is written with the second", async () => {
    await opened().append("one");
    expect(await readFile(path, "utf8")).to.equal(`${FIRST}\none\n`);
    const file = opened();
    expect(await file.read()).to.deep.equal(["one"]);
    expect([file.bytes, file.placeOf(0)]).to.deep.equal([FIRST.length + 5, `${path}:2`]);
    await writeFile(path, FIRST.slice(0, 9));
    await opened().append("one");
    expect(await readFile(path, "utf8")).to.equal(`${FIRST}\none\n`);
  });

  it("is neither read nor written if its version is newer or missing", async () => {
    await opened().append("one");
    const reads = "of the log of a channel, and this program reads version 1";
    for (const [first, problem] of [
      [FIRST.replace("1", "2"), `it has version 2 ${reads}: use the newer program that wrote it`],
      [FIRST.replace("1", '"2"'), `it has no version ${reads}: it is damaged, or too old to be used: move it away`],
      [
        FIRST.replace("channel", "chapel"),
        `it has no version ${reads}: it is damaged, or too old to be used: move it away`,
      ],
      ["null", `it has no version ${reads}: it is damaged, or too old to be used: move it away`],
      ["", `it has no version ${reads}: it is damaged, or too old to be used: move it away`],
    ]) {
      const text = `${first}\none\n`;
      await writeFile(path, text);
      const file = opened();
      for (const act of [() => file.read(), () => file.append("two")]) {
        expect(await act().catch((error: unknown) => (error as Error).message)).to.equal(`${path}:1: ${problem}`);
      }
      expect(await readFile(path, "utf8")).to.equal(text);
    }
  });
});
