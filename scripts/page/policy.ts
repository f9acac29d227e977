import { InputError } from "../../sdk/protocol/input.js";

/** Name of the Trusted Types policy through which the page starts its Worker. */
const TRUSTED_TYPES = "duello";

/**
 * Returns the content security policy of the page.
 * @param nodes URLs of the nodes that the page may ask; wallets ask theirs without it.
 * @throws InputError for a URL that would change the policy.
 */
export function contentPolicy(nodes: readonly string[]): string {
  const origins = nodes.map(originOf);
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${[...new Set(["'self'", ...origins])].join(" ")}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ].join("; ");
}

/** Returns where a node is: a host may hold signs by which a directive ends. */
function originOf(node: string): string {
  const { origin } = URL.canParse(node) ? new URL(node) : { origin: "" };
  if (/^(https?|wss?):\/\/[\w.:[\]-]+$/.test(origin)) return origin;
  throw new InputError("rpc", `${JSON.stringify(node)} is not the URL of a node`);
}

const META = /<meta http-equiv="Content-Security-Policy" content="[^"]*" \/>/;

/** Returns the markup of the page with this policy, in place of another one if there is one already. */
export function withPolicy(html: string, policy: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  return META.test(html) ? html.replace(META, meta) : html.replace(/<meta charset="utf-8" \/>/, `$&\n    ${meta}`);
}
