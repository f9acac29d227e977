import { keccak256 } from "ethers";
import { createKeccak } from "hash-wasm";

// Tests hash hundreds of thousands of addresses, selectors and topics, and ethers' own hash is ten times slower.
const hasher = await createKeccak(256);
keccak256.register((data) => hasher.init().update(data).digest("binary"));
