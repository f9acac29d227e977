/** Stands in for `@adraffy/ens-normalize`, whose tables are a sixth of the page: it takes addresses and resolves no names. */
export function ens_normalize(): never {
  throw new Error("The page resolves no names: give an address.");
}
