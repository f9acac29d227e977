/** The EIP-712 types of an ERC-2612 permit. */
export const PERMIT_TYPES = {
  Permit: [
    { type: "address", name: "owner" },
    { type: "address", name: "spender" },
    { type: "uint256", name: "value" },
    { type: "uint256", name: "nonce" },
    { type: "uint256", name: "deadline" },
  ],
};
