import type { Signer } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { signerOf } from "../../sdk/protocol/signing.js";
import { digestOf, type SigningRequest } from "../../sdk/protocol/typed-data.js";

/** Player and deployment for which a token is valid. */
export interface TokenScope {
  player: string;
  chainId: number;
  /** Address of the arena. */
  arena: string;
}

const TYPES = {
  Token: [
    { name: "player", type: "address" },
    { name: "until", type: "uint32" },
  ],
};

/** Hex digits of the time in a token, and of the signature after it. */
const TIME_DIGITS = 8;
const TOKEN = /^[0-9a-f]{138}$/;

/** Returns the typed data that a player's wallet signs for a token. @param until Last second of the token, since 1970. */
export function tokenRequest({ player, chainId, arena }: TokenScope, until: number): SigningRequest {
  const domain = { name: "Duello API", version: "1", chainId, verifyingContract: arena };
  return { domain, types: TYPES, value: { player, until } };
}

/** Signs a token. @param until Last second of the token, since 1970. */
export async function signedToken(signer: Signer, scope: TokenScope, until: number): Promise<string> {
  const { domain, types, value } = tokenRequest(scope, until);
  const signature = await signer.signTypedData(domain, types, value);
  return until.toString(16).padStart(TIME_DIGITS, "0") + signature.slice(2);
}

/**
 * Returns why a token does not give access to a player's API; undefined if it does.
 * @param now Time in seconds since 1970.
 */
export function tokenProblem(scope: TokenScope, token: string, now: number): string | undefined {
  if (!TOKEN.test(token)) return "the token is not 138 lowercase hex digits";
  const until = parseInt(token.slice(0, TIME_DIGITS), 16);
  if (until < now) return `the token has expired at ${until}, and it is ${now}`;
  const signature: Hex = `0x${token.slice(TIME_DIGITS)}`;
  if (signerOf(digestOf(tokenRequest(scope, until)), signature) === scope.player) return undefined;
  return `${scope.player} has not signed the token for the arena ${scope.arena} of chain ${scope.chainId}`;
}
