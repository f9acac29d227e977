// Stands in for parts of ethers that the page never needs, and would carry: each fails if it is asked after all.

/** Fails, as names are resolved nowhere here. */
function noNames(): never {
  throw new Error("The page resolves no names: give an address.");
}

/** In place of the resolver of ENS names, with which base58, IPFS and tables of Unicode would come. */
export const EnsResolver = { fromName: noNames, getEnsAddress: noNames };
export { noNames as MulticoinProviderPlugin, noNames as BasicMulticoinProviderPlugin };

/** In place of a hash that only mnemonics ask. */
export const sha512 = {
  create(): never {
    throw new Error("The page has no SHA-512.");
  },
};
