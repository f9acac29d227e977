import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { id } from "ethers";
import { FolderTransport } from "../../cli/shared/off-chain/folder-transport.js";
import type { AwayMessage } from "../../sdk/protocol/away/messages.js";

const ARENA = `0x${"A1".repeat(20)}`;
const match = { chainId: 31_337n, arena: ARENA, matchId: 7n };
const signature = `0x${"11".repeat(65)}`;
/** Calls of the file system that Node makes in parallel. */
const THREADS = 4;
const ask = (nonce: number): AwayMessage => ({ type: "ask", seat: 1n, winner: 0n, nonce, signature });

describe("A folder in place of a relay", () => {
  let folder: string;
  let files: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "duello-")));
    files = join(folder, "31337", ARENA, "7");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = () => new FolderTransport(folder, match);

  it("delivers messages of both players in order, each once", async () => {
    const [one, two] = [open(), open()];
    expect(await two.after(0)).to.deep.equal({ messages: [], seen: 0 });
    for (const [i, transport] of [one, two, one, two].entries()) await transport.put(ask(i));
    await Promise.all([one.put(ask(0)), two.put(ask(2))]);
    const { messages, seen } = await two.after(0);
    expect(messages).to.deep.equal([0, 1, 2, 3].map(ask));
    expect(await two.after(seen)).to.deep.equal({ messages: [], seen: 4 });
    expect((await open().after(2)).messages).to.deep.equal([2, 3].map(ask));
  });

  it("loses no message if both players write at once", async () => {
    const transports = [open(), open(), open()];
    await Promise.all(transports.flatMap((each, k) => [0, 1, 2].map((i) => each.put(ask(10 * k + i)))));
    expect((await open().after(0)).messages).to.have.deep.members([0, 1, 2, 10, 11, 12, 20, 21, 22].map(ask));
    expect((await readdir(files)).filter((name) => !name.endsWith(".json"))).to.deep.equal([]);
  });

  it("skips files that are not messages", async () => {
    await open().put(ask(1));
    const wrong = [
      "",
      "{}",
      "[]",
      JSON.stringify({ ...ask(1), nonce: -1 }, (_, v: unknown) => (typeof v === "bigint" ? Number(v) : v)),
      "x".repeat(10_000),
    ];
    for (const [i, text] of wrong.entries()) await writeFile(join(files, `${i + 2}.json`), text);
    for (const name of ["0.json", "-1.json", "x.json", "9e9.json"]) await writeFile(join(files, name), "{}");
    await open().put(ask(2));
    expect(await open().after(0)).to.deep.equal({ messages: [ask(1), ask(2)], seen: wrong.length + 2 });
  });

  it("reads a flood of messages in parts", async () => {
    await open().put(ask(0));
    for (let i = 2; i <= 250; i++) await writeFile(join(files, `${i}.json`), id(String(i)));
    expect(await open().after(0)).to.deep.equal({ messages: [ask(0)], seen: 100 });
    expect(await open().after(100)).to.deep.equal({ messages: [], seen: 250 });
  });

  it("accepts no message once the last number is used, and says so", async () => {
    await mkdir(files, { recursive: true });
    await writeFile(join(files, "999999999.json"), "{}");
    for (const nonce of [1, 2]) {
      const refused = await open()
        .put(ask(nonce))
        .catch((error: unknown) => error);
      expect((refused as Error).message).to.equal(
        `${folder} takes no more messages: its file 999999999.json has the last number.`,
      );
    }
    expect(await readdir(files)).to.deep.equal(["999999999.json"]);
  });

  it("gives up on a message if its number is always taken", async () => {
    await mkdir(files, { recursive: true });
    const transport = open();
    // As on a file system that does not distinguish `1.json` from `1.JSON`.
    Object.assign(transport, { writeNew: async () => false });
    const refused = await transport.put(ask(1)).catch((error: unknown) => error);
    expect((refused as Error).message).to.equal(`${folder} takes no message: others have taken 100 numbers before it.`);
  });

  it("is not read if it has more files than a match has messages", async () => {
    await mkdir(files, { recursive: true });
    for (let i = 0; i <= 10_000; i++) writeFileSync(join(files, `x${i}`), "");
    for (const use of [() => open().after(0), () => open().put(ask(1))]) {
      const refused = await use().catch((error: unknown) => error);
      expect((refused as Error).message).to.equal(`${folder} has more than 10000 files of a match.`);
    }
  });

  it("skips pipes, folders and links, and waits for none of them", async () => {
    const elsewhere = join(folder, "elsewhere.json");
    await open().put(ask(1));
    await rename(join(files, "1.json"), elsewhere);
    for (let i = 1; i <= THREADS; i++) execFileSync("mkfifo", [join(files, `${i}.json`)]);
    await mkdir(join(files, "5.json"));
    await symlink(elsewhere, join(files, "6.json"));
    await symlink("/dev/zero", join(files, "7.json"));
    expect(await open().after(0)).to.deep.equal({ messages: [], seen: 7 });
    await open().put(ask(2));
    expect(await open().after(0)).to.deep.equal({ messages: [ask(2)], seen: 8 });
  });

  it("does not write through a link in the place of a draft", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, "precious");
    await mkdir(files, { recursive: true });
    for (let i = 1; i <= 50; i++) await symlink(victim, join(files, `1.json.${process.pid}-${i}`));
    await open().put(ask(1));
    expect(await readFile(victim, "utf8")).to.equal("precious");
    expect((await open().after(0)).messages).to.deep.equal([ask(1)]);
  });

  it("is not written to, and creates no folder, if a link in it leads elsewhere", async () => {
    const elsewhere = await mkdtemp(join(folder, "elsewhere-"));
    for (const planted of [join(folder, "31337"), join(folder, "31337", ARENA), files]) {
      await mkdir(dirname(planted), { recursive: true });
      await symlink(elsewhere, planted);
      const refused = await open()
        .put(ask(1))
        .catch((error: unknown) => error);
      expect((refused as Error).message).to.equal(`${folder} is not written to: a link in it leads to ${elsewhere}.`);
      expect(await readdir(elsewhere)).to.deep.equal([]);
      await rm(planted);
    }
    // The folder itself may be a link.
    const own = join(folder, "own");
    await symlink(elsewhere, own);
    await new FolderTransport(own, match).put(ask(1));
    expect((await new FolderTransport(elsewhere, match).after(0)).messages).to.deep.equal([ask(1)]);
  });

  it("deletes the drafts of killed processes, but no target of a link in their place", async () => {
    const victim = join(folder, "victim");
    await writeFile(victim, "precious");
    await mkdir(files, { recursive: true });
    const drafts = [1, 1, 2].map((number) => join(files, `${number}.json.${randomUUID()}`));
    await symlink(victim, drafts[0]);
    for (const draft of drafts.slice(1)) await writeFile(draft, "{");
    for (const nonce of [1, 2, 3]) await open().put(ask(nonce));
    expect((await readdir(files)).sort()).to.deep.equal(["1.json", "2.json", "3.json"]);
    expect(await readFile(victim, "utf8")).to.equal("precious");
  });

  it("delivers a message whose draft another process has removed", async () => {
    const transport = open();
    const { draftOf } = transport as unknown as { draftOf: (...args: unknown[]) => Promise<string> };
    let drafts = 0;
    Object.assign(transport, {
      async draftOf(...args: unknown[]) {
        const draft = await draftOf.apply(transport, args);
        if (++drafts === 1) await rm(draft);
        return draft;
      },
    });
    await transport.put(ask(1));
    expect([(await open().after(0)).messages, drafts]).to.deep.equal([[ask(1)], 2]);
  });

  it("stops reading a flood of messages when its signal aborts", async () => {
    await mkdir(files, { recursive: true });
    for (let i = 1; i <= 250; i++) await writeFile(join(files, `${i}.json`), "");
    const read = open().after(0, { signal: AbortSignal.abort() });
    expect(await read.catch((error: unknown) => (error as Error).name)).to.equal("AbortError");
  });

  it("waits for the first message, but no longer than requested", async () => {
    const waiting = open().after(0, { waitMs: 600_000 });
    await open().put(ask(5));
    expect((await waiting).messages).to.deep.equal([ask(5)]);
    const stop = new AbortController();
    const aborted = open()
      .after(1, { waitMs: 600_000, signal: stop.signal })
      .catch((error: unknown) => (error as Error).name);
    stop.abort();
    expect(await aborted).to.equal("AbortError");
  });
});
