import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { gunzipSync } from "node:zlib";
import { makeError, type FetchRequest, type GetUrlResponse } from "ethers";

/**
 * Sends a request of ethers. For each part of an answer that arrives, the function of ethers copies all parts before it,
 * which takes most of the time that a command needs for answers of some megabytes.
 * @throws an error of ethers with the code TIMEOUT, errors of the connection
 */
export async function getUrl({ url, method, headers, body, timeout }: FetchRequest): Promise<GetUrlResponse> {
  const { request } = url.startsWith("https:") ? https : http;
  const sent = request(url, { method, headers, timeout });
  sent.once("timeout", () =>
    sent.destroy(makeError("request timeout", "TIMEOUT", { operation: "request.send", reason: "timeout" })),
  );
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode = 0, statusMessage = "" } = response;
  const received = Buffer.concat((await response.toArray()) as Buffer[]);
  const isZipped = response.headers["content-encoding"] === "gzip";
  return {
    statusCode,
    statusMessage,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: isZipped ? gunzipSync(received) : received,
  };
}
