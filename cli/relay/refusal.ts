/** Reasons why a relay refuses a request, with their HTTP status. */
export const REASONS = {
  /** The request is not HTTP, or is incomplete. */
  malformed: 400,
  /** The message is invalid, or not signed by a player. */
  invalid: 400,
  "not-found": 404,
  /** The channel is unknown, and the request lacks the channel's fields. */
  unknown: 404,
  method: 405,
  /** The request did not arrive in time. */
  slow: 408,
  "too-long": 413,
  /** The client has too many parallel requests, sends too many, or has added too many channels or searches. */
  "client-connections": 429,
  "client-requests": 429,
  "client-channels": 429,
  "client-seeks": 429,
  headers: 431,
  failed: 500,
  /** The request waited too long for its turn. */
  queue: 503,
  /** The store accepts no messages: the disk is full, or the database does not answer. */
  store: 503,
  stopping: 503,
  /** There is no room for the message or search. */
  full: 507,
} as const;

/** Headers of a refusal that no longer applies in a second. */
export const LATER = { "Retry-After": "1" };

/** Reason why a request is refused. */
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

  /** HTTP status. */
  get status(): number {
    return REASONS[this.reason];
  }
}
