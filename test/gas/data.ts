import { dataLength, getBytes, Transaction, type Interface, type TransactionReceipt } from "ethers";
import solady from "solady";
import type { Hex } from "../../sdk/protocol/hex.js";

/** Transactions of a match that call the same function, and the data that they publish on a rollup. */
export interface PublishedData {
  /** Name of the function. */
  call: string;
  count: number;
  /** Bytes of calldata, and the number of zeros among them. */
  calldata: number;
  zeros: number;
  /** Bytes of the signed transactions. */
  signed: number;
  /** Bytes of the signed transactions after compression by FastLZ, each compressed separately. */
  fastLz: number;
  /** Bytes that OP Stack chains charge for. */
  charged: number;
}

// Constants of the OP Stack's estimate since its Fjord upgrade, in millionths of a byte.
const INTERCEPT = -42_585_600;
const FASTLZ_COEFFICIENT = 836_500;
const MIN_SIZE = 100_000_000;
const SCALE = 1_000_000;

/** Returns the length of data after compression by FastLZ. */
export function fastLzLength(data: Hex): number {
  return dataLength(solady.LibZip.flzCompress(data));
}

/** Returns the bytes that OP Stack chains charge for a signed transaction. */
export function chargedSize(signed: Hex): number {
  return Math.max(MIN_SIZE, INTERCEPT + FASTLZ_COEFFICIENT * fastLzLength(signed)) / SCALE;
}

/** Sums the published data of transactions, by the function that they call. */
export async function publishedBy(abi: Interface, receipts: readonly TransactionReceipt[]): Promise<PublishedData[]> {
  const rows = new Map<string, PublishedData>();
  for (const receipt of receipts) {
    const transaction = Transaction.from(await receipt.getTransaction());
    const { data, serialized } = transaction;
    const call = abi.parseTransaction({ data })!.name;
    const row = rows.get(call) ?? { call, count: 0, calldata: 0, zeros: 0, signed: 0, fastLz: 0, charged: 0 };
    rows.set(call, row);
    row.count += 1;
    row.calldata += dataLength(data);
    row.zeros += getBytes(data).filter((byte) => byte === 0).length;
    row.signed += dataLength(serialized);
    row.fastLz += fastLzLength(serialized);
    row.charged += chargedSize(serialized);
  }
  return [...rows.values()];
}

/** Columns of numbers, in their order. */
const COLUMNS = ["count", "calldata", "zeros", "signed", "fastLz", "charged"] as const;

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });

/** Formats the rows of a table of matches: the transactions of each function, and those of the whole match. */
export function dataRows(published: Readonly<Record<string, readonly PublishedData[]>>): string[][] {
  return Object.entries(published).flatMap(([match, calls]) => {
    const sum = (column: (typeof COLUMNS)[number]) => calls.reduce((total, row) => total + row[column], 0);
    return [
      ...calls.map((row, i) => [
        i === 0 ? match : "",
        `\`${row.call}\``,
        ...COLUMNS.map((column) => number(row[column])),
      ]),
      ["", "all", ...COLUMNS.map((column) => number(sum(column)))],
    ];
  });
}
