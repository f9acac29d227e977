import { dataLength, getBytes, Transaction, type TransactionReceipt } from "ethers";
import solady from "solady";
import type { Hex } from "../../sdk/protocol/hex.js";

/** Transactions of the same kind: the data that they publish on a rollup, and the gas that they use there. */
export interface PublishedData {
  /** Name of the kind. */
  kind: string;
  count: number;
  /** Bytes of calldata. */
  calldata: number;
  /** Bytes of the signed transactions after compression by FastLZ, each compressed separately. */
  fastLz: number;
  /** Bytes that OP Stack chains charge for. */
  charged: number;
  /** Gas that the transactions use. */
  gas: number;
  /** Part of the gas that pays for the calldata. */
  calldataGas: number;
}

/** Ethereum's fees in wei per gas: the base fee, and the base fee of blobs. */
export interface EthereumFees {
  baseFee: number;
  blobBaseFee: number;
}

/** Settings of an OP Stack chain for the fee for data. */
export interface DataScalars {
  baseFeeScalar: number;
  blobBaseFeeScalar: number;
}

// Constants of the OP Stack's estimate since its Fjord upgrade, in millionths of a byte.
const INTERCEPT = -42_585_600;
const FASTLZ_COEFFICIENT = 836_500;
const MIN_SIZE = 100_000_000;
const SCALE = 1_000_000;

const GWEI = 1_000_000_000;
/** The scalars of Base Mainnet since Fjord, and its minimum price of gas since February 2026, in wei. */
const BASE_MAINNET = { baseFeeScalar: 2269, blobBaseFeeScalar: 1_055_762, gasPrice: 5_000_000 };
/** Ethereum's base fee per blob gas is at least this part of its base fee. */
const BLOB_RESERVE = 1 / 16;
/** Assumed base fees of Ethereum, in gwei. */
const LEVELS = { low: 0.05, usual: 0.5, high: 10 };

/** Gas of a byte of calldata: a zero, and any other. */
const [ZERO_BYTE, OTHER_BYTE] = [4, 16];

/** Returns the gas of calldata. */
export function calldataGas(data: string): number {
  return getBytes(data).reduce((sum, byte) => sum + (byte === 0 ? ZERO_BYTE : OTHER_BYTE), 0);
}

/** Returns the length of data after compression by FastLZ. */
export function fastLzLength(data: Hex): number {
  return dataLength(solady.LibZip.flzCompress(data));
}

/** Returns the bytes that OP Stack chains charge for a signed transaction. */
export function chargedSize(signed: Hex): number {
  return Math.max(MIN_SIZE, INTERCEPT + FASTLZ_COEFFICIENT * fastLzLength(signed)) / SCALE;
}

/** Returns the fee for data in wei. @param charged Bytes that the chain charges for. */
export function dataFee(
  charged: number,
  { baseFeeScalar, blobBaseFeeScalar }: DataScalars,
  { baseFee, blobBaseFee }: EthereumFees,
): number {
  return (charged * (16 * baseFeeScalar * baseFee + blobBaseFeeScalar * blobBaseFee)) / SCALE;
}

/** Sums the published data of transactions, by their kind. @param kindOf Returns the kind of a transaction's calldata. */
export async function publishedBy(
  kindOf: (data: string) => string,
  receipts: readonly TransactionReceipt[],
): Promise<PublishedData[]> {
  const rows = new Map<string, PublishedData>();
  for (const receipt of receipts) {
    const { data, serialized } = Transaction.from(await receipt.getTransaction());
    const kind = kindOf(data);
    const row = rows.get(kind) ?? { kind, count: 0, calldata: 0, fastLz: 0, charged: 0, gas: 0, calldataGas: 0 };
    rows.set(kind, row);
    row.count += 1;
    row.calldata += dataLength(data);
    row.fastLz += fastLzLength(serialized);
    row.charged += chargedSize(serialized);
    row.gas += Number(receipt.gasUsed);
    row.calldataGas += calldataGas(data);
  }
  return [...rows.values()];
}

/** Returns the part of the cost at the usual prices that transactions would save if they had no calldata. */
export function calldataShare({ count, charged, gas, calldataGas: own }: PublishedData): number {
  const data = (bytes: number) => dataGas(bytes, LEVELS.usual);
  return (own + data(charged - (count * MIN_SIZE) / SCALE)) / (gas + data(charged));
}

const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 0 });

/** Returns the rows of the table of price levels: Ethereum's fees in gwei, and what a charged byte costs in gas. */
export function levelRows(): string[][] {
  return Object.entries(LEVELS).map(([level, gwei]) => {
    const perByte = dataGas(1, gwei).toLocaleString("en", { maximumSignificantDigits: 3 });
    return [level, String(gwei), String(gwei * BLOB_RESERVE), perByte];
  });
}

/** Returns the rows of a table of matches: the transactions of each function, and those of the whole match. */
export function matchRows(published: Readonly<Record<string, readonly PublishedData[]>>): string[][] {
  return Object.entries(published).flatMap(([match, calls]) => [
    ...calls.map((row, i) => [i === 0 ? match : "", `\`${row.kind}\``, number(row.count), ...figuresOf(row)]),
    ["", "all", number(calls.reduce((sum, { count }) => sum + count, 0)), ...figuresOf(sumOf(calls))],
  ]);
}

/** Returns the rows of a table of single transactions, by the group of each. */
export function transactionRows(groups: Readonly<Record<string, readonly PublishedData[]>>): string[][] {
  return Object.entries(groups).flatMap(([group, rows]) =>
    rows.map((row, i) => [i === 0 ? group : "", row.kind, ...figuresOf(row)]),
  );
}

type Figures = Pick<PublishedData, "calldata" | "fastLz" | "charged" | "gas">;

/** Formats the last columns of a row: bytes, the gas used, and the fee for data as gas at each price level. */
function figuresOf({ calldata, fastLz, charged, gas }: Figures): string[] {
  const data = Object.values(LEVELS).map((gwei) => dataGas(charged, gwei));
  return [calldata, fastLz, charged, gas, ...data].map(number);
}

function sumOf(rows: readonly Figures[]): Figures {
  const sum = (column: keyof Figures) => rows.reduce((total, row) => total + row[column], 0);
  return { calldata: sum("calldata"), fastLz: sum("fastLz"), charged: sum("charged"), gas: sum("gas") };
}

/** Returns the gas on Base that costs as much as data. @param gwei Ethereum's base fee. */
function dataGas(charged: number, gwei: number): number {
  const baseFee = gwei * GWEI;
  return dataFee(charged, BASE_MAINNET, { baseFee, blobBaseFee: baseFee * BLOB_RESERVE }) / BASE_MAINNET.gasPrice;
}
