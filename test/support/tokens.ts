import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import type { Fighters, FightToken, GuardianCards } from "../../typechain-types/index.js";
import { ethers } from "./index.js";

export const [owner, minter, player, stranger] = await ethers.getSigners();

/** Decodes the content of a data URI. */
export function decoded(uri: string, type: string): string {
  const prefix = `data:${type};base64,`;
  expect(uri.slice(0, prefix.length)).to.equal(prefix);
  return Buffer.from(uri.slice(prefix.length), "base64").toString();
}

/** Expects the picture that is in test/golden/tokens. `npm run pictures` writes it instead. */
export async function expectRecorded(name: string, svg: string): Promise<void> {
  const file = `test/golden/tokens/${name}.svg`;
  if (process.env.UPDATE_PICTURES === "1") await writeFile(file, `${svg}\n`);
  expect(`${svg}\n`).to.equal(await readFile(file, "utf8"));
}

/** Expects one root, tags that are closed in order, quoted attributes, and no bare `&` or `<`. */
export function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml.replace(/<(\/?)(\w+)((?: [\w:-]+="[^"<&]*")*)(\/?)>/g, (_tag, end, name, _attributes, empty) => {
    if (end) expect(open.pop()).to.equal(name);
    else if (!empty) open.push(name);
    return open.length === 0 && name !== "svg" ? "<" : "";
  });
  expect(open).to.deep.equal([]);
  expect(rest).not.to.match(/[<>&]/);
}

/** Declares the tests of every token that a new owner must accept the ownership. */
export function itChangesOwnersInTwoSteps(deployed: () => Fighters | FightToken | GuardianCards): void {
  it("replaces its owner only when the new one accepts", async () => {
    const token = deployed();
    await token.connect(owner).transferOwnership(player);
    expect(await token.owner()).to.equal(owner.address);
    await expect(token.connect(stranger).acceptOwnership())
      .to.be.revertedWithCustomError(token, "OwnableUnauthorizedAccount")
      .withArgs(stranger.address);
    await token.connect(player).acceptOwnership();
    expect(await token.owner()).to.equal(player.address);
  });

  it("lets only the owner transfer the ownership", async () => {
    const token = deployed();
    await expect(token.connect(stranger).transferOwnership(stranger))
      .to.be.revertedWithCustomError(token, "OwnableUnauthorizedAccount")
      .withArgs(stranger.address);
  });
}
