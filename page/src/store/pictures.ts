import type { GameModule } from "duello";
import { Contract } from "ethers";
import type { Chain } from "./chain.ts";

const abi = ["function tokenURI(uint256) view returns (string)"];
const JSON_PREFIX = "data:application/json;base64,";
/** The token's own image. It is shown only as an image, so that it runs nothing and loads nothing. */
const IMAGE = /^data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+$/;
const MAX_LENGTH = 200_000;

const known = new WeakMap<Chain, Map<string, Promise<string | undefined>>>();

/** Returns a loader of the chain's pictures of a game's tokens; undefined if there are none. */
export function pictureFrom(chain: Chain, { characters }: GameModule): (id: bigint) => Promise<string | undefined> {
  if (!characters) return async () => undefined;
  const address = chain.deployment.addresses[characters.contract];
  const pictures = known.get(chain) ?? new Map<string, Promise<string | undefined>>();
  known.set(chain, pictures);
  return (id) => {
    const key = `${address} ${id}`;
    const picture = pictures.get(key) ?? pictureOf(chain, address, id).catch(() => undefined);
    pictures.set(key, picture);
    return picture;
  };
}

async function pictureOf({ provider }: Chain, address: string, id: bigint): Promise<string | undefined> {
  const uri = (await new Contract(address, abi, provider).getFunction("tokenURI")(id)) as string;
  if (!uri.startsWith(JSON_PREFIX) || uri.length > MAX_LENGTH) return undefined;
  const { image } = JSON.parse(atob(uri.slice(JSON_PREFIX.length))) as { image?: unknown };
  return typeof image === "string" && IMAGE.test(image) ? image : undefined;
}
