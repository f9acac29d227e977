import { expect } from "chai";
import type { Fighters, FightToken } from "../../typechain-types/index.js";
import { ethers } from "../support/index.js";
import { PERMIT_TYPES } from "../support/permit.js";
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

const STATS = ["Attack", "Defense", "Health", "Speed", "Range", "Combo"];
const WORDS = ["low", "medium", "high"];

interface Fighter {
  character: number;
  tiers: [number, number, number, number, number, number];
  golden: boolean;
}

const FIGHTERS: Fighter[] = [
  { character: 0, tiers: [1, 1, 1, 1, 1, 1], golden: false },
  { character: 7, tiers: [2, 1, 3, 1, 2, 2], golden: false },
  { character: 42, tiers: [3, 2, 1, 3, 2, 1], golden: true },
  { character: 2 ** 32 - 1, tiers: [3, 3, 3, 3, 3, 3], golden: true },
  { character: 2 ** 32 - 1, tiers: [1, 2, 3, 3, 1, 2], golden: false },
];

/** The documented layout, reimplemented with digits instead of shifts. */
function packed({ character, tiers, golden }: Fighter): bigint {
  const low = tiers.reduce((sum, tier, stat) => sum + tier * 4 ** stat, 0);
  return BigInt(low + (golden ? 4096 : 0)) + 65536n * BigInt(character);
}

describe("FightToken", () => {
  let token: FightToken;

  beforeEach(async () => {
    token = await ethers.deployContract("FightToken", [owner.address], minter);
  });

  itChangesOwnersInTwoSteps(() => token);

  it("has a name, a symbol, 18 decimals and no initial supply", async () => {
    expect(await token.name()).to.equal("Fight");
    expect(await token.symbol()).to.equal("FIGHT");
    expect(await token.decimals()).to.equal(18);
    expect(await token.totalSupply()).to.equal(0);
  });

  it("can be minted by the owner named at deployment, who need not be the deployer", async () => {
    await expect(token.connect(owner).mint(player, 5)).to.changeTokenBalance(ethers, token, player, 5);
    expect(await token.totalSupply()).to.equal(5);
  });

  it("can be minted by no other account, not even the deployer", async () => {
    for (const caller of [minter, stranger]) {
      await expect(token.connect(caller).mint(caller, 1))
        .to.be.revertedWithCustomError(token, "OwnableUnauthorizedAccount")
        .withArgs(caller.address);
    }
  });

  it("accepts an approval by signature only once", async () => {
    const { chainId } = await ethers.provider.getNetwork();
    const domain = { name: "Fight", version: "1", chainId, verifyingContract: await token.getAddress() };
    const permit = { owner: player.address, spender: stranger.address, value: 9n, nonce: 0n, deadline: 2n ** 40n };
    const { v, r, s } = ethers.Signature.from(await player.signTypedData(domain, PERMIT_TYPES, permit));
    const send = () => token.connect(minter).permit(player, stranger, permit.value, permit.deadline, v, r, s);

    await send();
    expect(await token.allowance(player, stranger)).to.equal(9);
    await expect(send()).to.be.revertedWithCustomError(token, "ERC2612InvalidSigner");
  });

  it("notifies a receiving contract of a transfer in the same transaction", async () => {
    const receiver = await ethers.deployContract("TransferRecorder");
    await token.connect(owner).mint(player, 5);
    const transfer = token.connect(player)["transferAndCall(address,uint256,bytes)"](receiver, 3, "0x1234");
    await expect(transfer)
      .to.emit(receiver, "TransferReceived")
      .withArgs(await token.getAddress(), player.address, player.address, 3, "0x1234");
    expect(await token.balanceOf(receiver)).to.equal(3);
  });

  it("declares support for ERC-1363", async () => {
    expect(await token.supportsInterface("0xb0202a11")).to.equal(true);
  });
});

describe("Fighters", () => {
  let fighters: Fighters;

  const mint = ({ character, tiers, golden }: Fighter) =>
    fighters.connect(minter).mint(player, character, tiers, golden);

  beforeEach(async () => {
    fighters = await ethers.deployContract("Fighters", [owner.address], stranger);
    await fighters.connect(owner).setMinter(minter, true);
  });

  itChangesOwnersInTwoSteps(() => fighters);

  it("have a name and a symbol and are an ERC-721 contract", async () => {
    expect(await fighters.name()).to.equal("Duello Fighters");
    expect(await fighters.symbol()).to.equal("FIGHTER");
    expect(await fighters.supportsInterface("0x80ac58cd")).to.equal(true);
  });

  it("can be minted only by minters, not by the owner, the deployer or a player", async () => {
    for (const caller of [owner, stranger, player]) {
      await expect(fighters.connect(caller).mint(caller, 1, [1, 1, 1, 1, 1, 1], false))
        .to.be.revertedWithCustomError(fighters, "NotAMinter")
        .withArgs(caller.address);
    }
  });

  it("let only the owner add and remove minters", async () => {
    await expect(fighters.connect(minter).setMinter(stranger, true))
      .to.be.revertedWithCustomError(fighters, "OwnableUnauthorizedAccount")
      .withArgs(minter.address);
    for (const allowed of [true, false]) {
      await expect(fighters.connect(owner).setMinter(minter, allowed))
        .to.emit(fighters, "MinterChanged")
        .withArgs(minter.address, allowed);
    }
    expect(await fighters.queryFilter(fighters.filters.MinterChanged(minter))).to.have.length(3);
    expect(await fighters.queryFilter(fighters.filters.MinterChanged(stranger))).to.have.length(0);
    await expect(mint(FIGHTERS[0])).to.be.revertedWithCustomError(fighters, "NotAMinter").withArgs(minter.address);
  });

  it("are numbered from 1 in minting order", async () => {
    for (const id of [1n, 2n, 3n]) {
      expect(await fighters.connect(minter).mint.staticCall(player, 7, [1, 1, 1, 1, 1, 1], false)).to.equal(id);
      await mint(FIGHTERS[1]);
      expect(await fighters.ownerOf(id)).to.equal(player.address);
    }
  });

  it("never reuse the number of a burned fighter", async () => {
    await mint(FIGHTERS[1]);
    await fighters.connect(player).burn(1);
    await mint(FIGHTERS[2]);
    expect(await fighters.ownerOf(2)).to.equal(player.address);
  });

  it("have traits that are packed in the documented layout", async () => {
    for (const [index, fighter] of FIGHTERS.entries()) {
      await mint(fighter);
      expect(await fighters.traitsOf(index + 1)).to.equal(packed(fighter));
    }
    expect(await fighters.traitsOf(4)).to.equal(0xffffffff_1fffn);
    for (const [index, fighter] of FIGHTERS.entries()) {
      expect(await fighters.traitsOf(index + 1)).to.equal(packed(fighter));
    }
  });

  it("are described completely by the event of their minting", async () => {
    for (const [index, fighter] of FIGHTERS.entries()) {
      await expect(mint(fighter))
        .to.emit(fighters, "FighterMinted")
        .withArgs(index + 1, player.address, fighter.character, fighter.tiers, fighter.golden);
    }
    // The number and the receiver are indexed: a reader can find one fighter, or all fighters minted for a player.
    expect(await fighters.queryFilter(fighters.filters.FighterMinted(2))).to.have.length(1);
    expect(await fighters.queryFilter(fighters.filters.FighterMinted(undefined, player))).to.have.length(
      FIGHTERS.length,
    );
    expect(await fighters.queryFilter(fighters.filters.FighterMinted(undefined, minter))).to.have.length(0);
  });

  for (const tier of [0, 4, 255]) {
    it(`cannot have a tier of ${tier} for any of the six stats`, async () => {
      for (const stat of STATS.keys()) {
        const tiers: Fighter["tiers"] = [1, 2, 3, 1, 2, 3];
        tiers[stat] = tier;
        await expect(mint({ character: 7, tiers, golden: true }))
          .to.be.revertedWithCustomError(fighters, "TierOutOfBounds")
          .withArgs(stat, tier);
      }
    });
  }

  it("cannot be minted to the zero address", async () => {
    const made = fighters.connect(minter).mint(ethers.ZeroAddress, 7, [1, 1, 1, 1, 1, 1], false);
    await expect(made).to.be.revertedWithCustomError(fighters, "TransferToZeroAddress");
  });

  it("are minted without a call to the receiver, which could otherwise reject an unwanted fighter (AI Arena M-05)", async () => {
    // The receiver is a contract without a receipt hook, so that a safe mint would fail.
    const [fighter] = FIGHTERS;
    await fighters.connect(minter).mint(fighters, fighter.character, fighter.tiers, fighter.golden);
    expect(await fighters.ownerOf(1)).to.equal(await fighters.getAddress());
  });

  it("keep their traits after they are burned, although nobody owns them", async () => {
    await mint(FIGHTERS[2]);
    await fighters.connect(player).burn(1);
    expect(await fighters.traitsOf(1)).to.equal(packed(FIGHTERS[2]));
    for (const gone of [fighters.ownerOf(1), fighters.tokenURI(1)]) {
      await expect(gone).to.be.revertedWithCustomError(fighters, "TokenDoesNotExist");
    }
  });

  it("can be burned only by their owner or by an account that the owner has approved", async () => {
    await mint(FIGHTERS[2]);
    for (const caller of [minter, owner, stranger]) {
      const burned = fighters.connect(caller).burn(1);
      await expect(burned).to.be.revertedWithCustomError(fighters, "NotOwnerNorApproved");
    }
  });

  it("have no traits and no metadata if they were never minted", async () => {
    await mint(FIGHTERS[2]);
    for (const id of [0n, 2n, 2n ** 256n - 1n]) {
      await expect(fighters.traitsOf(id)).to.be.revertedWithCustomError(fighters, "UnknownFighter").withArgs(id);
      await expect(fighters.tokenURI(id)).to.be.revertedWithCustomError(fighters, "TokenDoesNotExist");
    }
  });

  describe("when their metadata is read", () => {
    const card = async (fighter: Fighter) => {
      await mint(fighter);
      const json = JSON.parse(decoded(await fighters.tokenURI(1), "application/json"));
      return { json, svg: decoded(json.image, "image/svg+xml") };
    };

    for (const fighter of FIGHTERS) {
      const { character, tiers, golden } = fighter;
      const name = `${golden ? "golden " : ""}character ${character} with tiers ${tiers}`;

      it(`lists the traits of ${name} as attributes`, async () => {
        const { json } = await card(fighter);
        expect(Object.keys(json)).to.deep.equal(["name", "description", "attributes", "image"]);
        expect(json.name).to.equal("Fighter #1");
        expect(json.attributes).to.deep.equal([
          { trait_type: "Character", value: String(character) },
          ...STATS.map((stat, index) => ({ trait_type: stat, value: WORDS[tiers[index] - 1] })),
          { trait_type: "Golden", value: golden ? "yes" : "no" },
        ]);
      });

      it(`draws the traits of ${name}`, async () => {
        const { svg } = await card(fighter);
        expectWellFormed(svg);
        const texts = [...svg.matchAll(/>([^<>]+)</g)].map(([, text]) => text);
        const title = golden ? "GOLDEN FIGHTER" : "FIGHTER";
        expect(texts).to.deep.equal([title, "CHARACTER", "#1", String(character), ...STATS]);
        const bars = [...svg.matchAll(/<path d="M92 0h(\d+)"\/>/g)].map(([, length]) => (Number(length) + 4) / 52);
        expect(bars).to.deep.equal(tiers);
        const corners = svg.match(/stroke-width="2.5"><polygon points="([^"]+)"/)![1].split(" ");
        expect(corners).to.have.length(6);
        for (const [stat, corner] of corners.entries()) {
          const [x, y] = corner.split(",").map(Number);
          const [angle, radius] = [(stat * Math.PI) / 3, 28 * tiers[stat]];
          expect(Math.hypot(x - radius * Math.sin(angle), y + radius * Math.cos(angle)) < 1).to.equal(true);
        }
      });
    }

    it("draws the recorded pictures", async () => {
      await expectRecorded("fighter", (await card(FIGHTERS[1])).svg);
      await mint(FIGHTERS[2]);
      const { image } = JSON.parse(decoded(await fighters.tokenURI(2), "application/json"));
      await expectRecorded("golden-fighter", decoded(image, "image/svg+xml"));
    });

    it("draws golden fighters in gold, and other fighters in the colour of their character", async () => {
      for (const fighter of FIGHTERS) await mint(fighter);
      const colours: string[] = [];
      for (const id of FIGHTERS.keys()) {
        const json = JSON.parse(decoded(await fighters.tokenURI(id + 1), "application/json"));
        colours.push(decoded(json.image, "image/svg+xml").match(/ color="([^"]+)"/)![1]);
      }
      expect(colours).to.deep.equal(["hsl(0,70%,72%)", "hsl(239,70%,72%)", "#ffd35c", "#ffd35c", "hsl(15,70%,72%)"]);
    });
  });
});
