import { expect } from "chai";
import { lawsOf, testGame } from "duello/laws";
import { toBeHex } from "ethers";
import hre from "hardhat";
import { brink } from "../src/brink.js";

const connection = await hre.network.create();

testGame(
  lawsOf(brink, {
    deploy: ({ arena }) => connection.ethers.deployContract("Brink", [arena]),
    wrongMoves: () => ({
      "no step": { move: "0x00", error: "WrongSteps" },
      "11 steps": { move: "0x0b", error: "WrongSteps" },
    }),
  }),
  { connection },
);

describe("Brink, with an edge that is four steps away", () => {
  const seed = toBeHex(6, 32);
  const winnerOf = async (...moves: number[]) => (await brink.simulate({ seed, moves })).winner;

  it("is won by the player at the edge", async () => {
    expect(await winnerOf(4, 3)).to.equal(1);
  });

  it("is lost by the player who falls", async () => {
    expect(await winnerOf(5, 1)).to.equal(2);
  });

  it("is a draw if both fall", async () => {
    expect(await winnerOf(5, 10)).to.equal(0);
  });
});
