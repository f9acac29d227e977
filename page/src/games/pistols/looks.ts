import { getBytes, keccak256 } from "ethers";

/** Looks of a duelist: numbers of the hat, hair and skin, of the beard and of the trim, each 0 to 3. */
export interface Looks {
  readonly hat: number;
  readonly hair: number;
  readonly skin: number;
  readonly beard: number;
  readonly trim: number;
}

/** Returns the looks of a player, which follow from its address; plain looks for an unknown player. */
export function looksOf(address: string | undefined): Looks {
  if (address === undefined) return { hat: 0, hair: 0, skin: 0, beard: 0, trim: 0 };
  const hash = getBytes(keccak256(address));
  const twoBits = (byte: number, place: number) => (hash[byte] >> (2 * place)) & 3;
  return {
    hat: twoBits(4, 0),
    hair: twoBits(4, 1),
    skin: twoBits(4, 2),
    beard: twoBits(5, 0),
    trim: twoBits(5, 1),
  };
}
