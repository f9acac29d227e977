import * as ethers from "ethers";
import * as duello from "duello";
import local from "duello-contracts/deployments/31337.json" with { type: "json" };
import { play } from "./play.mjs";

console.log(await play(duello, ethers, process.argv[2], local));
