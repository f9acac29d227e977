/** What the page asks the Worker: the move of the computer player for the player in turn. */
export interface OpponentRequest {
  /** Name of the game. */
  readonly game: string;
  /** The match, with the secrets of the player in turn alone. */
  readonly saved: unknown;
}

/** Answer of the Worker. */
export type OpponentAnswer = { readonly moveArgs: readonly string[] } | { readonly error: string };

/** Address of the page's entry, which a Worker runs as the computer player: one build serves both. */
let entry: string | undefined;

export function setEntry(url: string): void {
  entry = url;
}

/** Under Trusted Types a Worker takes an address from a policy alone; ours lets the entry through, and nothing else. */
const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
  }
).trustedTypes?.createPolicy("duello", {
  createScriptURL(url: string) {
    if (url !== entry) throw new TypeError("Only the page's own entry runs as a Worker.");
    return url;
  },
});

/**
 * Finds the move of the computer player in a Worker, so that the page stays quick however long it thinks.
 * @param signal Ends the search.
 */
export function chooseOpponentMove(request: OpponentRequest, signal?: AbortSignal): Promise<readonly string[]> {
  const worker = new Worker(policy?.createScriptURL(entry!) ?? entry!, { type: "module" });
  return new Promise<readonly string[]>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<OpponentAnswer>) => {
      if ("moveArgs" in data) resolve(data.moveArgs);
      else reject(new Error(data.error));
    });
    worker.addEventListener("error", ({ message }) => reject(new Error(message || "The computer player failed.")));
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
