const ethers = require("ethers");
const duello = require("duello");
const local = require("duello-contracts/deployments/31337.json");
const { play } = require("./play.mjs");

// Nothing has awaited anything yet, so WebAssembly is not ready.
const [salt1, salt2] = [ethers.id("1"), ethers.id("2")];
const words = ethers.AbiCoder.defaultAbiCoder().encode(
  ["uint256", "uint256", "bytes32", "bytes32"],
  [7, 1, salt1, salt2],
);
const seed = duello.seedOf(7, 1, salt1, salt2);
if (seed !== ethers.keccak256(words)) throw new Error(`${seed} is not the seed`);

play(duello, ethers, process.argv[2], local).then(console.log);
