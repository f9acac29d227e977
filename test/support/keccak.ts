import { keccak256 } from "ethers";
import { createKeccak } from "hash-wasm";

// Addresses, selectors and topics are hashed by the hundred thousand, for which ethers takes ten times as long.
const hasher = await createKeccak(256);
keccak256.register((data) => hasher.init().update(data).digest("binary"));
