import { expect } from "chai";
import { Interface } from "ethers";
import { mintArgs, mintedNumbers, numbersIn } from "../../../sdk/chain/characters.js";
import { eventNames } from "../../../sdk/chain/events.js";
import { catalogue } from "../../../sdk/games/catalogue.js";
import { games } from "../../../sdk/games/index.js";

const PLAYER = `0x${"11".repeat(20)}`;

describe("A contract of characters", () => {
  for (const { name, characters } of games) {
    if (!characters) continue;
    const { contract, declared, minted, example, bounds } = characters;

    it(`is described in the facts of its game as it is: ${contract}`, () => {
      const whole = new Interface(characters.abi);
      const described = declared.fragments.map((fragment) => fragment.format("full"));
      expect(whole.fragments.map((fragment) => fragment.format("full"))).to.include.members(described);
      expect(catalogue.find((game) => game.name === name)!.characters!.declared).to.equal(declared);
      expect(eventNames()).to.include(minted);
    });

    it(`has the same traits in a call, as numbers and in the event: ${contract}`, () => {
      const numbers = numbersIn(characters, characters.encodeMint(PLAYER, example, "stats"));
      expect(numbers).to.have.length(bounds.length);
      expect(mintedNumbers(characters, mintArgs(characters, 1n, PLAYER, numbers))).to.deep.equal(numbers);
    });
  }
});
