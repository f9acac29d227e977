import { expect } from "chai";
import { cardContract, type CardStats } from "../../sdk/games/guardians/cards.js";
import type { GuardianCards } from "../../typechain-types/index.js";
import { chainStats } from "../support/cards.js";
import { historyOf } from "../support/guardians.js";
import { ethers, type World } from "../support/index.js";
import {
  decoded,
  expectRecorded,
  expectWellFormed,
  itChangesOwnersInTwoSteps,
  owner,
  minter,
  player,
  stranger,
} from "../support/tokens.js";

const TYPES = ["Galactic", "Cosmic", "Celestial", "Mechanical", "Dragon", "Beast", "Elemental", "Chaos"];
const LABELS = ["Power", "Defense", "HP", "Speed", "Critical", "Luck"];
const FIELDS = ["power", "defense", "hp", "speed", "critical", "luck", "type"] as const;
const USUAL: CardStats = { power: 500, defense: 250, hp: 1200, speed: 90, critical: 180, luck: 120, type: 4 };
const MIN: CardStats = { power: 1, defense: 0, hp: 1, speed: 1, critical: 0, luck: 0, type: 0 };
const MAX: CardStats = {
  power: 65_535,
  defense: 65_535,
  hp: 65_535,
  speed: 65_535,
  critical: 1000,
  luck: 1000,
  type: 7,
};
const CARDS = [USUAL, MIN, MAX];

/** The documented layout, reimplemented with digits instead of shifts. */
function packed(stats: CardStats): bigint {
  const places = FIELDS.map((field, i) => BigInt(stats[field]) << (field === "type" ? 93n : 16n * BigInt(i)));
  return places.reduce((sum, place) => sum | place, 0n);
}

describe("GuardianCards", () => {
  let cards: GuardianCards;

  const mint = (stats: CardStats) => cards.connect(minter).mint(player, chainStats(stats));

  beforeEach(async () => {
    cards = await ethers.deployContract("GuardianCards", [owner.address], stranger);
    await cards.connect(owner).setMinter(minter, true);
  });

  itChangesOwnersInTwoSteps(() => cards);

  it("have a name and a symbol and are an ERC-721 contract", async () => {
    expect(await cards.name()).to.equal("Duello Guardian Cards");
    expect(await cards.symbol()).to.equal("GUARDIAN");
    expect(await cards.supportsInterface("0x80ac58cd")).to.equal(true);
  });

  it("let only minters mint, and only the owner add and remove minters", async () => {
    for (const caller of [owner, stranger, player]) {
      await expect(cards.connect(caller).mint(caller, chainStats(USUAL)))
        .to.be.revertedWithCustomError(cards, "NotAMinter")
        .withArgs(caller.address);
    }
    await expect(cards.connect(minter).setMinter(stranger, true))
      .to.be.revertedWithCustomError(cards, "OwnableUnauthorizedAccount")
      .withArgs(minter.address);
    await expect(cards.connect(owner).setMinter(minter, false))
      .to.emit(cards, "MinterChanged")
      .withArgs(minter.address, false);
    await expect(mint(USUAL)).to.be.revertedWithCustomError(cards, "NotAMinter").withArgs(minter.address);
  });

  it("are numbered from 1 in minting order, and never reuse the number of a burned card", async () => {
    for (const id of [1n, 2n, 3n]) {
      expect(await cards.connect(minter).mint.staticCall(player, chainStats(USUAL))).to.equal(id);
      await mint(USUAL);
      expect(await cards.ownerOf(id)).to.equal(player.address);
    }
    await cards.connect(player).burn(3);
    await mint(USUAL);
    expect(await cards.ownerOf(4)).to.equal(player.address);
  });

  it("have stats that are packed in the documented layout", async () => {
    for (const stats of CARDS) await mint(stats);
    for (const [index, stats] of CARDS.entries()) expect(await cards.cardOf(index + 1)).to.equal(packed(stats));
    expect(await cards.cardOf(3)).to.equal(0xe3e8_03e8_ffff_ffff_ffff_ffffn);
  });

  it("are described completely by the event of their minting, which the SDK's history reads", async () => {
    for (const [index, stats] of CARDS.entries()) {
      await expect(mint(stats))
        .to.emit(cards, "CardMinted")
        .withArgs(index + 1, player.address, Object.values(chainStats(stats)));
    }
    expect(await cards.queryFilter(cards.filters.CardMinted(undefined, player))).to.have.length(CARDS.length);
    expect(await cards.queryFilter(cards.filters.CardMinted(undefined, minter))).to.have.length(0);
    await cards.connect(player).burn(2);
    const history = await historyOf({ arena: cards, guardians: cards, cards } as unknown as World);
    for (const [index, stats] of CARDS.entries()) {
      expect(await history.character(cardContract, BigInt(index + 1))).to.deep.equal(stats);
    }
    const unknown: unknown = await history.character(cardContract, 4n).catch((reason: unknown) => reason);
    expect((unknown as Error).message).to.equal("The card 4 was never minted.");
  });

  it("cannot have any stat out of bounds", async () => {
    for (const [stat, field] of FIELDS.entries()) {
      const [min, max] = [MIN[field], MAX[field]];
      const wrong = [...(min > 0 ? [min - 1] : []), ...(max < 65_535 ? [max + 1, stat === 6 ? 255 : 65_535] : [])];
      for (const value of wrong) {
        await expect(mint({ ...USUAL, [field]: value }))
          .to.be.revertedWithCustomError(cards, "StatOutOfBounds")
          .withArgs(stat, value, min, max);
      }
    }
  });

  it("cannot be minted to the zero address, and are minted without a call to the receiver", async () => {
    const made = cards.connect(minter).mint(ethers.ZeroAddress, chainStats(USUAL));
    await expect(made).to.be.revertedWithCustomError(cards, "TransferToZeroAddress");
    // The receiver is a contract without a receipt hook, so that a safe mint would fail.
    await cards.connect(minter).mint(cards, chainStats(USUAL));
    expect(await cards.ownerOf(1)).to.equal(await cards.getAddress());
  });

  it("keep their stats after they are burned, and have no stats if they were never minted", async () => {
    await mint(USUAL);
    await cards.connect(player).burn(1);
    expect(await cards.cardOf(1)).to.equal(packed(USUAL));
    for (const gone of [cards.ownerOf(1), cards.tokenURI(1)]) {
      await expect(gone).to.be.revertedWithCustomError(cards, "TokenDoesNotExist");
    }
    for (const id of [0n, 2n, 2n ** 256n - 1n]) {
      await expect(cards.cardOf(id)).to.be.revertedWithCustomError(cards, "UnknownCard").withArgs(id);
    }
  });

  for (const stats of [...CARDS, ...TYPES.map((_, type) => ({ ...USUAL, type }))]) {
    it(`show stats in metadata and in a drawing: ${Object.values(stats).join(", ")}`, async () => {
      await mint(stats);
      const json = JSON.parse(decoded(await cards.tokenURI(1), "application/json"));
      expect(Object.keys(json)).to.deep.equal(["name", "description", "attributes", "image"]);
      expect(json.name).to.equal("Guardian #1");
      const numbers = FIELDS.slice(0, 6).map((field) => stats[field]);
      expect(json.attributes).to.deep.equal([
        { trait_type: "Type", value: TYPES[stats.type] },
        ...LABELS.map((label, i) => ({ trait_type: label, value: numbers[i] })),
      ]);
      const svg = decoded(json.image, "image/svg+xml");
      expectWellFormed(svg);
      const texts = [...svg.matchAll(/>([^<>]+)</g)].map(([, text]) => text);
      const rows = LABELS.flatMap((label, i) => [label, String(numbers[i])]);
      const beaten = TYPES[(stats.type + 1) % 8];
      expect(texts).to.deep.equal(["GUARDIAN", "TYPE", "#1", TYPES[stats.type], "BEATS", beaten, ...rows]);
      expect(svg.match(/ color="([^"]+)"/)![1]).to.equal(`hsl(${stats.type * 45},70%,72%)`);
      expect(svg).to.include(`<g transform="rotate(${stats.type * 45})"><path d="M0-74A`);
    });
  }

  it("draw the recorded picture", async () => {
    await mint(USUAL);
    const { image } = JSON.parse(decoded(await cards.tokenURI(1), "application/json"));
    await expectRecorded("guardian", decoded(image, "image/svg+xml"));
  });
});
