/** Bytes as lowercase hex digits behind 0x. */
export type Hex = string;
