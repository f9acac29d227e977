import { createHash } from "node:crypto";

const SCRIPT = /<script(?<attributes>[^>]*)>(?<text>[^]*?)<\/script>/g;

/** Lists the inline scripts of a page. */
export function inlineScripts(html: string): string[] {
  const scripts = [...html.matchAll(SCRIPT)].map(({ groups }) => groups!);
  return scripts.filter(({ attributes }) => !/\ssrc=/.test(attributes)).map(({ text }) => text);
}

/** Returns the source expression by which a policy allows an inline script. */
export function hashOfScript(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * Returns the content security policy of the manual: everything is on its own host, and only the given inline scripts run.
 * @param pages Pages as HTML.
 */
export function manualPolicy(pages: readonly string[]): string {
  const hashes = new Set(pages.flatMap(inlineScripts).map(hashOfScript));
  return [
    "default-src 'none'",
    ["script-src 'self'", ...[...hashes].sort()].join(" "),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    // Vue makes elements from its templates with this policy.
    "trusted-types vue",
  ].join("; ");
}
