import { expect } from "chai";
import type { VNode } from "preact";
import { fighterFace } from "../../../page/src/games/auto-battler/face.js";
import { cardFace } from "../../../page/src/games/guardians/face.js";
import { looksOf } from "../../../page/src/games/pistols/looks.js";
import { mixed, type Drawing } from "../../../page/src/games/shared/drawing.js";
import { CHARACTERS } from "../../../sdk/games/auto-battler/index.js";
import { TYPES } from "../../../sdk/games/guardians/index.js";

/** Writes a drawing as text, to compare it with another. */
function textOf(drawing: Drawing): string {
  if (Array.isArray(drawing)) return drawing.map(textOf).join("");
  if (drawing === null || typeof drawing !== "object") return "";
  const { type, props } = drawing as VNode<{ children?: Drawing }>;
  const { children, ...rest } = props;
  return `<${String(type)} ${JSON.stringify(rest)}>${textOf(children)}`;
}

const fighter = { id: "7", character: 1, tiers: [1, 1, 1, 1, 1, 1], golden: false };
const card = { id: "7", type: 0, power: 400, defense: 200, hp: 1000, speed: 80, critical: 100, luck: 80 };
const fighterText = (traits: Partial<typeof fighter> = {}) => textOf(fighterFace({ ...fighter, ...traits }));
const cardText = (traits: Partial<typeof card> = {}) => textOf(cardFace({ ...card, ...traits }));

describe("The page: faces", () => {
  it("draws equal tokens alike, and a different face for each character and each type", () => {
    expect(fighterText()).to.equal(fighterText());
    expect(cardText()).to.equal(cardText());
    // The second dozen of characters has other colours.
    const characters = [...CHARACTERS.keys()].flatMap((i) => [i + 1, i + 1 + CHARACTERS.length]);
    expect(new Set(characters.map((character) => fighterText({ character }))).size).to.equal(characters.length);
    expect(new Set([...TYPES.keys()].map((type) => cardText({ type }))).size).to.equal(TYPES.length);
  });

  it("shows every tier of a fighter, and whether it is golden", () => {
    for (const place of fighter.tiers.keys()) {
      const texts = [1, 2, 3].map((tier) => fighterText({ tiers: fighter.tiers.with(place, tier) }));
      expect(new Set(texts).size, `tiers at ${place}`).to.equal(3);
    }
    expect(fighterText({ golden: true })).not.to.equal(fighterText());
  });

  for (const [trait, low, high] of [
    ["power", 450, 570],
    ["hp", 1100, 1300],
    ["defense", 220, 290],
    ["speed", 90, 120],
    ["critical", 130, 220],
    ["luck", 90, 150],
  ] as const) {
    it(`shows the ${trait} of a card in three levels: below ${low}, from ${low} to below ${high}, and from ${high} up`, () => {
      const [below, from, before, top] = [low - 1, low, high - 1, high].map((value) => cardText({ [trait]: value }));
      expect(new Set([below, from, top]).size).to.equal(3);
      expect(before).to.equal(from);
    });
  }

  it("spreads consecutive ids over all shades", () => {
    const shades = Array.from({ length: 40 }, (_, id) => mixed(String(id)) % 5);
    expect(new Set(shades)).to.deep.equal(new Set([0, 1, 2, 3, 4]));
    expect(mixed("115792089237316195423570985008687907853269984665640564039457584007913129639935")).to.be.below(
      2 ** 32,
    );
  });

  it("derives a duelist's clothes from the hash of the address, whether in upper or lower case", () => {
    const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    expect(looksOf(address)).to.deep.equal(looksOf(address.toLowerCase()));
    const looks = [0x10, 0x20, 0x30, 0x40].map((byte) => looksOf(`0x${byte.toString(16).repeat(20)}`));
    expect(new Set(looks.map((each) => JSON.stringify(each))).size).to.equal(4);
    for (const part of looks.flatMap((each) => Object.values(each))) expect(part).to.be.within(0, 3);
  });
});
