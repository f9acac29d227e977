import { dataSlice, id, keccak256, toBigInt } from "ethers";
import type { Hex } from "../protocol/hex.js";

/** A source of random values that are the same in every run. */
export class Random {
  private last: Hex;

  constructor(seed: string) {
    this.last = id(seed);
  }

  /** 32 bytes, never zero in practice: a salt. */
  word(): Hex {
    this.last = keccak256(this.last);
    return this.last;
  }

  /** 0..n-1. */
  below(n: number): number {
    return Number(toBigInt(this.word()) % BigInt(n));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** Items in any order. */
  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(this.below(rest.length), 1)[0]);
  }

  /** `length` bytes, of which none is zero, so that each costs what a byte can cost. */
  note(length: number): Hex {
    const words = Array.from({ length: Math.ceil(length / 32) }, () => this.word().slice(2).replaceAll("00", "01"));
    return dataSlice(`0x${words.join("")}`, 0, length);
  }
}
