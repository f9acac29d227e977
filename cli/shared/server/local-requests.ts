import type { IncomingHttpHeaders } from "node:http";

/** Names under which a browser reaches only this machine: no name server can redirect them. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Schemes of browser extensions. Wallets are extensions, and ask nodes in their own name. */
const EXTENSION = /^(chrome|moz|safari-web)-extension:$/;

/**
 * Decides whether a server for this machine answers a request. Programs on this machine, wallets, and pages on this
 * machine are answered. Web pages from elsewhere are refused: they could send commands through a visitor's browser.
 * @returns the reason to refuse, in one sentence; undefined if there is none.
 */
export function localRefusal(headers: IncomingHttpHeaders): string | undefined {
  const { host = "", origin } = headers;
  // If a name server redirects the host name of a page to 127.0.0.1, the page's requests still carry that host name.
  if (!LOOPBACK.test(URL.parse(`http://${host}`)?.hostname ?? "")) {
    return `Host ${JSON.stringify(host)} is not this machine: use localhost, 127.0.0.1 or [::1].`;
  }
  if (origin !== undefined) {
    const { protocol = "", hostname = "" } = URL.parse(origin) ?? {};
    if (EXTENSION.test(protocol) || (/^https?:$/.test(protocol) && LOOPBACK.test(hostname))) return undefined;
    return `Origin ${JSON.stringify(origin)} is not this machine: web pages elsewhere are not answered.`;
  }
  // Browsers send no origin if a page only embeds something, such as a picture.
  const isEmbedded = headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-mode"] !== "navigate";
  return isEmbedded ? "Web pages elsewhere are not answered." : undefined;
}
