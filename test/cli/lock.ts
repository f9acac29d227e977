import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { acquireLock, isLocked, waitForLock } from "../../cli/shared/files/lock.js";
import { requireContainers, startHolder, type Holder } from "../support/containers.js";

describe("A lock", () => {
  const BUSY = "An agent plays for Alice";
  const holders: Holder[] = [];
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    file = join(folder, "agents", "alice.lock");
  });
  afterEach(async () => {
    for (const holder of holders.splice(0)) await holder.kill();
    rmSync(folder, { recursive: true });
  });

  async function start(isContained: boolean): Promise<Holder> {
    const holder = await startHolder(file, isContained);
    holders.push(holder);
    return holder;
  }

  it("excludes other holders, even in the same process, until it is released", () => {
    const release = acquireLock(file, BUSY);
    expect(() => acquireLock(file, BUSY)).to.throw(
      `${BUSY} already, process ${process.pid} on ${hostname()}: stop it first. ${file} is locked.`,
    );
    expect(isLocked(file)).to.equal(true);
    release();
    expect(isLocked(file)).to.equal(false);
    const again = acquireLock(file, BUSY);
    // A second release does not release a lock that was acquired since.
    release();
    expect(isLocked(file)).to.equal(true);
    again();
  });

  it("leaves only an empty file, which other users cannot open", () => {
    acquireLock(file, BUSY)();
    expect(readdirSync(join(folder, "agents"))).to.deep.equal(["alice.lock"]);
    const { size, mode } = statSync(file);
    expect([size, mode & 0o777]).to.deep.equal([0, 0o600]);
  });

  it("is free if its file does not exist, and a check does not create the file", () => {
    expect(isLocked(file)).to.equal(false);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("is acquired by a waiting process once it is released", async () => {
    const release = acquireLock(file, BUSY);
    const waiting = waitForLock(file, BUSY, Infinity);
    release();
    (await waiting)();
    const again = acquireLock(file, BUSY);
    expect(await waitForLock(file, BUSY, 0).catch((error: unknown) => (error as Error).message)).to.match(/ already, /);
    again();
  });

  it("is held while its process runs, and is free immediately when the process is killed", async () => {
    const holder = await start(false);
    expect(holder.said).to.equal("held");
    expect(() => acquireLock(file, BUSY)).to.throw(` already, process ${holder.child.pid} on ${hostname()}: stop it`);
    await holder.kill();
    acquireLock(file, BUSY)();
  });

  it("excludes a process of another container, which has other process ids", async function () {
    requireContainers(this);
    const first = await start(true);
    expect(first.said).to.equal("held");
    expect((await start(true)).said).to.match(/^Somebody works already, process 1 on \S+: stop it first\. /);
    expect(isLocked(file)).to.equal(true);
    expect(() => acquireLock(file, BUSY)).to.throw(" already, process 1 on ");
    await first.kill();
    acquireLock(file, BUSY)();
  });

  it("stays held whatever the holder's file contains", () => {
    const release = acquireLock(file, BUSY);
    for (const text of ["", "garbage", "process 1 on \u001b[2J", `process 1 on ${"x".repeat(300)}`]) {
      writeFileSync(`${file}.holder`, text);
      expect(() => acquireLock(file, BUSY)).to.throw(
        `${BUSY} already: stop it first. ${file} is locked, or its file system cannot lock files.`,
      );
    }
    release();
  });

  it("fails with a readable error if the file cannot be locked", () => {
    const refusal = (path: string) => new RegExp(`^Error: ${path} cannot be locked \\(.+\\): use a folder that `);
    mkdirSync(file, { recursive: true });
    expect(() => acquireLock(file, BUSY))
      .to.throw()
      .that.matches(refusal(file));
    const inside = join(folder, "text", "alice.lock");
    writeFileSync(join(folder, "text"), "");
    expect(() => acquireLock(inside, BUSY))
      .to.throw()
      .that.matches(refusal(inside));
    const text = join(folder, "text.lock");
    writeFileSync(text, "a text of somebody else, which is no lock and not empty".repeat(20));
    expect(() => acquireLock(text, BUSY))
      .to.throw()
      .that.matches(refusal(text));
  });

  it("fails on a read-only disk if the file exists", function () {
    requireContainers(this);
    const mount = `mount -t tmpfs none "$1" && mkdir "$1/agents" && touch "$1/agents/alice.lock" && mount -o remount,ro "$1"`;
    const hold = `exec "$0" --import tsx test/support/lock-holder.ts "$2"`;
    const args = ["--map-root-user", "--mount", "sh", "-c", `${mount} && ${hold}`, process.execPath, folder, file];
    const { stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8" });
    expect([stdout, stderr].join("")).to.match(/^\S+ cannot be locked \(attempt to write a readonly database\): use /);
  });

  it("prints nothing on standard error, even in Node versions that warn about SQLite", () => {
    const node = [
      "--import",
      "tsx",
      "--eval",
      `import("./cli/shared/files/lock.ts").then((lock) => lock.acquireLock("${file}"))`,
    ];
    const { status, stderr } = spawnSync(process.execPath, node, { encoding: "utf8" });
    expect([status, stderr]).to.deep.equal([0, ""]);
  });
});
