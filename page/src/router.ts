import { signal } from "@preact/signals";

/** View that an address names: the parts of its path, and its parameters. */
export interface Route {
  /** First part; `lobby` for an empty path. */
  readonly name: string;
  /** The other parts of the path. */
  readonly args: readonly string[];
  readonly params: URLSearchParams;
}

/** Longest address that is read: a link may contain a whole match, whose reader has a lower limit. */
const MAX_LENGTH = 300_000;

/** Parses the part of an address after its `#`, e.g. `/match/7@12345/12` or `/play/warmancer/quick?stake=5`. */
function readRoute(hash: string): Route {
  const [path, query = ""] = hash
    .slice(0, MAX_LENGTH)
    .replace(/^#?\/?/, "")
    .split("?", 2);
  const [name = "", ...args] = path.split("/").map(decoded);
  return { name: name || "lobby", args: args.filter((arg) => arg !== ""), params: new URLSearchParams(query) };
}

/** Route of the current address. */
export const route = signal(readRoute(location.hash));

addEventListener("hashchange", () => (route.value = readRoute(location.hash)));

/** Makes the link to a page. */
export function linkTo(
  name: string,
  args: readonly string[] = [],
  params: Readonly<Record<string, string>> = {},
): string {
  const path = [name === "lobby" ? "" : name, ...args].map(encodePart).join("/");
  const query = new URLSearchParams(params).toString();
  return `#/${path}${query === "" ? "" : `?${query}`}`;
}

/** Opens a page. @param replace True to replace the current page in the browser's history. */
export function open(link: string, replace = false): void {
  if (!replace) location.hash = link;
  else {
    history.replaceState(null, "", link);
    route.value = readRoute(location.hash);
  }
}

/** Returns the whole address of a link, for sharing. */
export function absolute(link: string): string {
  return new URL(link, location.href).href;
}

/** Encodes a part of a link, except for `@`, which marks the block from which a match is read. */
function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll("%40", "@");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
