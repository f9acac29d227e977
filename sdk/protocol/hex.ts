/** Bytes as lowercase hex digits after 0x. */
export type Hex = string;
