import { lawsOf, testGame } from "duello/laws";
import hre from "hardhat";
import { blotto } from "../src/blotto.js";

const connection = await hre.network.create();

testGame(
  lawsOf(blotto, {
    deploy: ({ arena }) => connection.ethers.deployContract("Blotto", [arena]),
    wrongMoves: () => ({
      "no soldiers": { move: "0x000000", error: "WrongArmy" },
      "51 soldiers": { move: "0x330000", error: "WrongArmy" },
    }),
  }),
  { connection },
);
