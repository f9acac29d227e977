import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { LineFile, Overtaken } from "../../cli/shared/line-file.js";

describe("A file of lines", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-"));
    path = join(folder, "away", "1.jsonl");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("keeps lines in their order, for its owner only", async () => {
    const file = new LineFile(path);
    expect(await file.read()).to.deep.equal([]);
    await file.append("one");
    await file.append("two");
    expect(await new LineFile(path).read()).to.deep.equal(["one", "two"]);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it("drops a last line that a dead process left without an end", async () => {
    await new LineFile(path).append("one");
    await appendFile(path, "tw");
    const file = new LineFile(path);
    expect(await file.read()).to.deep.equal(["one"]);
    await file.append("three");
    expect(await readFile(path, "utf8")).to.equal("one\nthree\n");
  });

  it("adds nothing once another process has", async () => {
    const [one, other] = [new LineFile(path), new LineFile(path)];
    await Promise.all([one.read(), other.read()]);
    await one.append("mine");
    const refused = await other.append("yours").catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Overtaken);
    expect(await other.read()).to.deep.equal(["mine"]);
    await other.append("yours");
    expect(await one.append("again").catch((error: unknown) => error)).to.be.instanceOf(Overtaken);
  });

  it("tells before whether another process has added a line, or is about to", async () => {
    const [one, other] = [new LineFile(path), new LineFile(path)];
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

  it("adds nothing to a file that was cut or removed meanwhile", async () => {
    const file = new LineFile(path);
    await file.append("one");
    await writeFile(path, "");
    expect(await file.append("two").catch((error: unknown) => error)).to.be.instanceOf(Overtaken);
  });
});
