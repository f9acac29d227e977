import {
  JsonRpcProvider,
  makeError,
  type JsonRpcApiProviderOptions,
  type JsonRpcPayload,
  type JsonRpcResult,
} from "ethers";

/** Milliseconds within which a node must answer. */
const TIME_LIMIT = 20_000;

/** Provider that sends each request once, with the browser's `fetch`: retries are left to the archive. */
export class HttpProvider extends JsonRpcProvider {
  /** @param textOf Reads the text of an answer; undefined for a text that is too long. */
  constructor(
    private readonly url: string,
    chainId: number,
    options: JsonRpcApiProviderOptions,
    private readonly textOf: (answer: Response) => Promise<string | undefined>,
    private readonly timeLimit = TIME_LIMIT,
  ) {
    super(url, chainId, options);
  }

  /** Sends requests. @throws errors like those of ethers */
  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const signal = AbortSignal.timeout(this.timeLimit);
    const headers = { "content-type": "application/json" };
    const asked = fetch(this.url, { method: "POST", headers, body: JSON.stringify(payload), signal });
    const [response, body] = await asked
      .then(async (answer) => [answer, await this.textOf(answer)] as const)
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        throw makeError("request timeout", "TIMEOUT", { operation: "request.send", reason: "timeout" });
      });
    // The same error as from a node that refuses: the archive then requests fewer blocks.
    if (body === undefined) throw new Error("response size exceeded");
    if (!response.ok) throw serverError(response, body);
    try {
      return [JSON.parse(body) as JsonRpcResult | JsonRpcResult[]].flat();
    } catch {
      throw new Error("response body is not valid JSON");
    }
  }
}

function serverError({ url, status, statusText, headers }: Response, responseBody: string): Error {
  const after = headers.get("retry-after") ?? undefined;
  return makeError(`server response ${status} ${statusText}`, "SERVER_ERROR", {
    request: url,
    response: { statusCode: status, headers: { "retry-after": after } } as never,
    info: { requestUrl: url, responseBody, responseStatus: `${status} ${statusText}` },
  });
}
