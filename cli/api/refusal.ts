/** HTTP status of a refused request. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500;

/** Refusal of a request, with the reason in one sentence. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /** @param options The cause, if the reason may quote a relay or a node. */
  constructor(
    readonly status: RefusalStatus,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
