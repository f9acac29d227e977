import { concat, getBytes, type Interface, type JsonRpcProvider, type JsonRpcSigner, toBeHex } from "ethers";

/** Returns the code of a contract that emits its calldata, which is some topics followed by the data. */
function codeFor(topics: number): string {
  const place = (word: number) => toBeHex(32 * word, 1);
  const [copy, push] = ["0x37", "0x60"];
  const data = concat([push, place(topics), "0x36", "0x03"]); // Size of the calldata without the topics.
  const words = Array.from({ length: topics }, (_, word) => concat([push, place(topics - 1 - word), "0x35"]));
  const log = toBeHex(0xa0 + topics, 1);
  return concat([data, push, place(topics), "0x5f", copy, ...words, data, "0x5f", log, "0x00"]);
}

/** Makes contracts of a local chain emit any event, even events that real contracts cannot emit. */
export class Emitter {
  private readonly codes = new Map<string, number>();

  constructor(
    private readonly provider: JsonRpcProvider,
    private readonly signer: JsonRpcSigner,
  ) {}

  async emit(address: string, abi: Interface, name: string, values: readonly unknown[]): Promise<void> {
    const { topics, data } = abi.encodeEventLog(name, values);
    if (this.codes.get(address) !== topics.length) {
      await this.provider.send("hardhat_setCode", [address, codeFor(topics.length)]);
      this.codes.set(address, topics.length);
    }
    const gasLimit = 100_000 + 60 * getBytes(data).length;
    const transaction = await this.signer.sendTransaction({ to: address, data: concat([...topics, data]), gasLimit });
    await transaction.wait();
  }
}
