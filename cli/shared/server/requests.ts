/** Request that a server answers, as the manual's reference describes it. */
export interface ServerRequest {
  method: "GET" | "PUT" | "POST";
  /** Path in Hono's form, e.g. `/keys/:key`. */
  path: string;
  /** Sentence on what the request does; begins with a verb. */
  does: string;
  /** Meaning of each parameter in the path, in the query or of the body. */
  parameters?: Readonly<Record<string, string>>;
  /** Body, as JSON or in words. */
  body?: string;
  /** Answer with status 200 or 201. */
  answer: string;
}

/** Requests of a server, and the statuses with which it refuses them. */
export interface ServerRequests {
  requests: Readonly<Record<string, ServerRequest>>;
  /** Reasons of refusals, by their HTTP status. */
  refusals: readonly { status: number; when: string }[];
}
