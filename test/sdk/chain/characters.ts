import { expect } from "chai";
import { Interface } from "ethers";
import hre from "hardhat";
import { mintArgs, mintedNumbers, numbersIn } from "../../../sdk/chain/characters.js";
import { interfaceOf, eventNames } from "../../../sdk/chain/events.js";
import { catalogue } from "../../../sdk/games/catalogue.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { contractsWith, deployedGames } from "../../../sdk/games/list.js";
import { games } from "../../../sdk/games/index.js";
import { emittersAmong } from "../../../sdk/verify/emitters.js";

const PLAYER = `0x${"11".repeat(20)}`;

async function fragmentsOf(contract: string): Promise<string[]> {
  const { abi } = await hre.artifacts.readArtifact(contract);
  return new Interface(abi).fragments.map((fragment) => fragment.format("full"));
}

describe("A character contract", () => {
  for (const { name, characters } of games) {
    if (!characters) continue;
    const { contract, abi, minted, example, bounds } = characters;

    it(`has exactly the functions and events that its game's facts describe: ${contract}`, async () => {
      const [own, base] = await Promise.all([fragmentsOf(contract), fragmentsOf("Characters")]);
      const described = interfaceOf(minted).fragments.map((fragment) => fragment.format("full"));
      const beyond = own.filter((each) => !base.includes(each) && !each.startsWith("constructor"));
      expect(described).to.have.members(beyond);
      expect(catalogue.find((game) => game.name === name)!.characters!.abi).to.equal(abi);
      expect(eventNames()).to.include(minted);
    });

    it(`is part of every deployment that has its game: ${contract}`, () => {
      const addresses = Object.fromEntries(contractsWith(games).map((each) => [each, PLAYER])) as Addresses;
      const { [contract]: _, ...without } = addresses;
      expect(deployedGames(games, addresses)).to.deep.equal(games);
      const rest = games.filter((game) => game.name !== name);
      expect(deployedGames(games, without as Addresses)).to.deep.equal(rest);
    });

    it(`is not the source of any event if it is not deployed: ${contract}`, () => {
      const names = contractsWith(games).filter((each) => each !== contract);
      const addresses = Object.fromEntries(names.map((each) => [each, PLAYER])) as Addresses;
      const { Transfer, [minted]: mint } = emittersAmong(games, addresses);
      expect([Transfer, mint]).to.deep.equal([[PLAYER], undefined]);
    });

    it(`has the same traits in the call that mints, as numbers and in the event: ${contract}`, () => {
      const numbers = numbersIn(characters, characters.encodeMint(PLAYER, example, "stats"));
      expect(numbers).to.have.length(bounds.length);
      expect(mintedNumbers(characters, mintArgs(characters, 1n, PLAYER, numbers))).to.deep.equal(numbers);
    });
  }
});
