/** Reasons why a relay refuses a request, with their HTTP status. */
export const REASONS = {
  malformed: { status: 400, when: "The request is not HTTP, or is incomplete." },
  invalid: { status: 400, when: "The message is invalid, or not signed by a player." },
  "not-found": { status: 404, when: "There is no such path." },
  unknown: { status: 404, when: "The channel is unknown, and the request lacks the channel's fields." },
  method: { status: 405, when: "The path does not have this method." },
  slow: { status: 408, when: "The request did not arrive in time." },
  "too-long": { status: 413, when: "The body is too long." },
  "client-connections": { status: 429, when: "The client has too many requests at once." },
  "client-requests": { status: 429, when: "The client sends too many requests." },
  "client-channels": { status: 429, when: "The client has added too many channels." },
  "client-seeks": { status: 429, when: "The client has too many searches." },
  headers: { status: 431, when: "The headers are too long." },
  failed: { status: 500, when: "The relay has failed; its log says why." },
  queue: { status: 503, when: "The request waited too long for its turn." },
  store: { status: 503, when: "The store accepts no messages: the disk is full, or the database does not answer." },
  stopping: { status: 503, when: "The relay is stopping." },
  full: { status: 507, when: "There is no room for the message or search." },
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
    return REASONS[this.reason].status;
  }
}
