/** Reasons for which a relay refuses a request, with their HTTP status. */
export const REASONS = {
  /** It is no request of HTTP, or breaks off. */
  malformed: 400,
  /** Its message is wrong, or no player has signed it. */
  invalid: 400,
  "not-found": 404,
  "not-in-play": 404,
  method: 405,
  /** It did not come in time. */
  slow: 408,
  /** Its message is not the next one. */
  order: 409,
  over: 410,
  "too-long": 413,
  /** Its client has too many requests at once, sends too many, or has added too much. */
  "client-connections": 429,
  "client-requests": 429,
  "client-bytes": 429,
  headers: 431,
  failed: 500,
  /** Its turn did not come in time. */
  queue: 503,
  node: 503,
  disk: 503,
  stopping: 503,
  /** Its match has no room. */
  full: 507,
} as const;

/** Reason for which a request is refused. */
export type Reason = keyof typeof REASONS;

/** Refusal of a request. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly reason: Reason,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** Status of HTTP. */
  get status(): number {
    return REASONS[this.reason];
  }
}
