import type { JsonRpcProvider } from "ethers";
import type { Bytecodes } from "../deploy.ts";
import type { Responder } from "../provider.ts";

/** What a snippet gets in place of the console, the provider of ethers, and the file of the deployment. */
export interface Surroundings {
  readonly console: { log(...values: unknown[]): void };
  readonly JsonRpcProvider: new () => JsonRpcProvider;
  readonly deployment: object;
}

/** A snippet of the guides. */
export interface Snippet {
  /** Name in addresses. */
  readonly name: string;
  /** Title of its page, and the heading above it. */
  readonly page: string;
  readonly heading: string;
  /** File of its page. */
  readonly file: string;
  readonly code: string;
  run(surroundings: Surroundings): Promise<void>;
}

/** Starts an empty chain, on which the given accounts have coin. */
export type StartChain = (accounts: readonly string[]) => Promise<Responder>;

/** The part of the playground that runs the guides, which has its own copies of the SDK and of ethers. */
export interface Guides {
  readonly snippets: readonly Snippet[];
  /**
   * Runs a snippet on a new chain.
   * @param bytecodes Creation code of all contracts.
   * @param print Shows a line that the snippet prints.
   * @throws Error with a sentence that says why the snippet failed.
   */
  runSnippet(
    snippet: Snippet,
    on: { startChain: StartChain; bytecodes: Bytecodes },
    print: (line: string) => void,
  ): Promise<void>;
}
