import { expect } from "chai";
import { getAddress, keccak256 } from "ethers";
import { giveName, nameOf, notePerson, personText } from "../../page/src/people/people.js";
import { likenessOf } from "../../page/src/people/recipe.js";

/** First accounts of test chains. */
const ONE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const TWO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Finds two addresses with the same name. */
function namesakes(): [string, string] {
  const byName = new Map<string, string>();
  for (let i = 0; ; i++) {
    const address = getAddress(keccak256(`0x${i.toString(16).padStart(4, "0")}`).slice(0, 42));
    const { name } = likenessOf(address);
    if (byName.has(name)) return [byName.get(name)!, address];
    byName.set(name, address);
  }
}

describe("The page: names of people", () => {
  it("gives an address the same name and crest each time, in upper or lower case", () => {
    const likeness = { name: "Modest Bell", charge: 12, division: 5, edge: 3, tinctures: [6, 0] };
    expect(likenessOf(ONE)).to.deep.equal(likeness);
    expect(likenessOf(ONE.toLowerCase())).to.deep.equal(likeness);
    expect(likenessOf(TWO).name).to.equal("Amber Chime");
  });

  it("never gives a crest two equal colours", () => {
    for (let i = 0; i < 1000; i++) {
      const [one, two] = likenessOf(keccak256(`0x${i.toString(16).padStart(4, "0")}`).slice(0, 42)).tinctures;
      expect(one).not.to.equal(two);
    }
  });

  it("adds the last four digits only while the page shows two people of the same name", () => {
    const [one, other] = namesakes();
    const { name } = likenessOf(one);
    const ends = [notePerson(one), notePerson(one)];
    expect(personText(one)).to.equal(name);
    ends.push(notePerson(other));
    expect([one, other].map(personText)).to.deep.equal([one, other].map((each) => `${name} ${each.slice(-4)}`));
    for (const end of ends) end();
    expect(personText(one)).to.equal(name);
  });

  it("adds digits to a name given by the user if another person has the same name", () => {
    const ends = [notePerson(ONE), notePerson(TWO)];
    giveName(TWO, likenessOf(ONE).name);
    expect(nameOf(TWO)).to.deep.equal({ name: likenessOf(ONE).name, digits: TWO.slice(-4), isGiven: true });
    expect(nameOf(ONE).digits).to.equal(ONE.slice(-4));
    giveName(TWO, "");
    expect(nameOf(TWO)).to.deep.equal({ name: likenessOf(TWO).name, isGiven: false });
    for (const end of ends) end();
  });
});
