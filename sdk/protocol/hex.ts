/** Bytes as 0x-prefixed lowercase hex. */
export type Hex = string;
