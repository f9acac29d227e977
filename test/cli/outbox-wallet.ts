import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { id, Transaction, Wallet, type Provider, type TransactionLike, type TransactionRequest } from "ethers";
import { OutboxWallet } from "../../cli/shared/wallet/outbox-wallet.js";
import { PendingTransactions } from "../../cli/shared/wallet/pending-transactions.js";

const NEXT = 7;

/** A wallet that queries no node before it signs. */
class OfflineWallet extends Wallet {
  override async populateTransaction(tx: TransactionRequest): Promise<TransactionLike> {
    return { ...(tx as TransactionLike), chainId: 1n, gasLimit: 21_000n, maxFeePerGas: 1n };
  }
}

describe("The wallet of a command", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "duello-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("uses each nonce once, even if the node's count omits sent transactions", async () => {
    const sent: number[] = [];
    const provider = {
      getTransactionCount: async () => NEXT,
      broadcastTransaction: async (raw: string) => {
        const { nonce, hash } = Transaction.from(raw);
        sent.push(nonce);
        return { hash };
      },
    } as unknown as Provider;
    const wallet = new OfflineWallet(id("a key"), provider);
    const to = wallet.address;
    const files = new PendingTransactions(folder);
    const owner = "0123456789abcdef".repeat(2);
    const end = files.claim(owner);
    const other = { from: to, to, data: "0x", value: 0n, hash: id("hash"), action: id("other"), what: "", call: "" };
    await files.put({ ...other, nonce: NEXT, isSent: true, owner });

    const outbox = new OutboxWallet(wallet, files);
    for (const what of ["one", "two"]) await outbox.begin({ call: "pay", what, content: what }, { to });
    expect(sent).to.deep.equal([NEXT + 1, NEXT + 2]);
    expect((await files.all()).map(({ nonce }) => nonce)).to.deep.equal([NEXT, NEXT + 1, NEXT + 2]);
    await outbox.markReported();
    outbox.close();
    end();
  });
});
