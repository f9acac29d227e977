import { InputError } from "../../sdk/protocol/input.js";

/** Name of the Trusted Types policy through which the page starts its Worker. */
const TRUSTED_TYPES = "duello";

/**
 * Returns the content security policy of the page.
 * @param nodes URLs of the nodes that the page may query; the policy does not apply to those of wallets.
 * @param indexes URLs of the indexes that the page may query; a path is on the page's own host.
 * @param relays URLs of the relays that the page may query, in the same form.
 * @throws InputError for a URL that would change the policy.
 */
export function contentPolicy(
  nodes: readonly string[],
  indexes: readonly string[] = [],
  relays: readonly string[] = [],
): string {
  const elsewhere = (urls: readonly string[]) => urls.filter((url) => !isPath(url));
  const origins = [
    ...nodes.map((node) => originOf("rpc", node, /^(https?|wss?):/)),
    ...elsewhere(indexes).map((index) => originOf("index", index, /^https?:/)),
    ...elsewhere(relays).map((relay) => originOf("relay", relay, /^https?:/)),
  ];
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${[...new Set(["'self'", ...origins])].join(" ")}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join("; ");
}

/** Returns whether a URL is a path on the page's own host. */
export function isPath(url: string): boolean {
  const page = "http://page.invalid/";
  return !URL.parse(url) && URL.parse(url, page)?.origin === new URL(page).origin;
}

/** Words for the kinds of servers, by the name of the option. */
const KINDS = { rpc: "a node", index: "an index", relay: "a relay" } as const;

/** Returns the checked origin of a node, an index or a relay: a host may contain characters that end a directive. */
function originOf(kind: keyof typeof KINDS, url: string, protocols: RegExp): string {
  const { origin = "" } = URL.parse(url) ?? {};
  if (protocols.test(origin) && /^\w+:\/\/[\w.:[\]-]+$/.test(origin)) return origin;
  throw new InputError(kind, `${JSON.stringify(url)} is not the URL of ${KINDS[kind]}`);
}

const META = /<meta http-equiv="Content-Security-Policy" content="[^"]*" \/>/;

/** Returns the markup of the page with this policy, which replaces any previous one. */
export function withPolicy(html: string, policy: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  return META.test(html) ? html.replace(META, meta) : html.replace(/<meta charset="utf-8"(?: \/)?>/, `$&\n    ${meta}`);
}
