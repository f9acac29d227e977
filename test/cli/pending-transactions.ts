import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { id, toBeHex } from "ethers";
import { PendingTransactions, type CommandTransaction } from "../../cli/shared/wallet/pending-transactions.js";
import { holderOf } from "../../cli/shared/files/lock.js";
import { requireContainers, startHolder } from "../support/containers.js";

const address = toBeHex(1, 20);
const owner = "0123456789abcdef".repeat(2);
const entry: CommandTransaction = {
  ...{ nonce: 7, from: address, to: address, data: "0x", value: 10n ** 77n, hash: undefined },
  ...{ action: id("an action"), what: "join match 1", call: "join", isSent: false, owner },
};

describe("The store of a player's pending transactions", () => {
  let folder: string;
  let files: PendingTransactions;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    files = new PendingTransactions(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("reserves transactions for the command that claimed them until the command ends, and leaves no files", async () => {
    const end = files.claim(owner);
    await files.put(entry);
    expect([files.isOwned(entry), await files.all()]).to.deep.equal([true, [entry]]);
    await files.remove(entry);
    expect(files.isOwned(entry)).to.equal(true);
    end();
    expect(files.isOwned(entry)).to.equal(false);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("reserves transactions for a running command in another container on the same folder, but not for a killed one", async function () {
    requireContainers(this);
    const command = await startHolder(join(folder, `${owner}.lock`));
    await files.put(entry);
    expect(files.isOwned(entry)).to.equal(true);
    expect(holderOf(join(folder, `${owner}.lock`))).to.match(/^process 1 on /);
    await command.kill();
    expect(files.isOwned(entry)).to.equal(false);
    await files.remove(entry);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("lets one command send at a time, and lets the next command send after a failure", async () => {
    const steps: string[] = [];
    const send = (name: string) =>
      files.exclusively(async () => {
        steps.push(`${name} begins`);
        await files.put(entry);
        steps.push(`${name} ends`);
        throw new Error(name);
      });
    const sent = await Promise.allSettled([send("first"), send("second")]);
    expect(sent.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    const [first, second] = steps[0] === "first begins" ? ["first", "second"] : ["second", "first"];
    expect(steps).to.deep.equal([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
  });

  it("rejects a file of a newer or missing version, and names the file", async () => {
    await files.put(entry);
    const file = join(folder, "7.json");
    const { version, ...content } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    expect(version).to.equal(1);
    for (const [changed, found] of [
      [{ version: 2, ...content }, "version 2"],
      [content, "no version"],
    ] as const) {
      writeFileSync(file, JSON.stringify(changed));
      expect(await files.all().catch((error: unknown) => (error as Error).message)).to.match(
        new RegExp(`^${file}: it has ${found} of sent transactions, and this program reads version 1: `),
      );
    }
  });
});
