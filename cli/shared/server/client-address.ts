import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { InputError } from "../../../sdk/protocol/input.js";

/** Reads a list of addresses and subnets, such as `127.0.0.1,10.0.0.0/8`. @throws InputError */
export function readProxies(written: string, path: string): BlockList {
  const proxies = new BlockList();
  for (const entry of written.split(",").map((text) => text.trim())) {
    const [address, length, more] = entry.split("/");
    const [family, longest] = isIPv4(address) ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
    const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= longest);
    if (isIP(address) === 0 || !isLength || more !== undefined) {
      throw new InputError(path, `${entry} is neither an IP address nor a subnet such as 10.0.0.0/8`);
    }
    proxies.addSubnet(address, Number(length ?? longest), family);
  }
  return proxies;
}

/** Reads addresses, such as `127.0.0.1,10.0.0.7`, as the names under which clients are counted. @throws InputError */
export function readClients(written: string, path: string): ReadonlySet<string> {
  const addresses = written.split(",").map((text) => text.trim());
  for (const each of addresses) if (isIP(each) === 0) throw new InputError(path, `${each} is not an IP address`);
  return new Set(addresses.map((each) => clientOf(each, "", new BlockList())));
}

/** Returns true for an address in a list. */
export function isIn(list: BlockList, address: string): boolean {
  const plain = unmapped(address);
  return list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
}

/**
 * Returns the name under which a client is counted: its IPv4 address, or the first half of its IPv6 address, since one
 * household has all addresses with that half.
 * @param peer Address at the other end of the connection.
 * @param forwarded `X-Forwarded-For`, which anybody can send: an address is believed if a proxy has written it.
 * @param proxies Proxies that are trusted.
 */
export function clientOf(peer: string, forwarded: string, proxies: BlockList): string {
  const hops = forwarded.split(",").map((hop) => hop.trim());
  let client = peer;
  while (isIn(proxies, client) && isIP(hops.at(-1) ?? "") !== 0) client = hops.pop()!;
  const address = unmapped(client);
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** Returns the IPv4 address that an IPv6 address stands for, or the address itself. */
function unmapped(address: string): string {
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  return ipv4 ?? address;
}

/** Returns the groups of an IPv6 address in their shortest form. */
function groupsOf(address: string): string[] {
  // The URL standard writes an address in one form only, in which at most one run of groups is missing.
  const [head, tail] = new URL(`http://[${address.replace(/%.*/, "")}]`).hostname.slice(1, -1).split("::");
  const groups = (text = "") => (text === "" ? [] : text.split(":"));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)];
}
