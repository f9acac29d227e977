import { expect } from "chai";
import { id, toBeHex, ZeroHash } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { UnregisteredMode, type History } from "../../../sdk/chain/history.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import { modeHash } from "../../../sdk/games/modes.js";
import { gameAndMode, modeBy, modeInTerms, viewMode } from "../../../sdk/player/modes.js";

const guardians = stockGame("guardians");
const game = toBeHex(1, 20);
/** Contents that players have registered, by hash. */
const registered = new Map<string, string>();
const history = {
  addresses: { [guardians.contract]: game } as unknown as Addresses,
  mode: async (address: string, mode: string) => {
    const content = registered.get(mode);
    if (content === undefined) throw new UnregisteredMode(address, mode);
    return content;
  },
} as unknown as History;

describe("A mode", () => {
  const [name, { content }] = Object.entries(guardians.modes).find(([, each]) => each.content !== "0x")!;

  it("is found by its hash in a match's terms, with its content, if it is published or registered", async () => {
    const terms = { game, mode: modeHash(content) };
    const found = await modeInTerms({ games, history }, terms);
    expect(found).to.deep.equal(viewMode(guardians, content));
    expect([found!.name, found!.rules]).to.deep.equal([name, guardians.modeFormat!.describe(content)]);
    registered.set(id("odd"), "0xff");
    const { rules, values } = (await modeInTerms({ games, history }, { game, mode: id("odd") }))!;
    expect([values, rules.length, rules[0]]).to.match(/^,1,This mode cannot be read: /);
  });

  it("is missing for an unknown game or an unregistered hash", async () => {
    expect(await modeInTerms({ games, history }, { game: toBeHex(2, 20), mode: ZeroHash })).to.equal(undefined);
    expect(await modeInTerms({ games, history }, { game, mode: id("none") })).to.equal(undefined);
  });

  it("is found by its name, either in one game or in all games", () => {
    expect(modeBy(guardians, name, "--mode")).to.equal(modeHash(content));
    expect(modeBy(guardians, id("a mode"), "--mode")).to.equal(id("a mode"));
    expect(gameAndMode("guardians", games)).to.deep.equal({ game: guardians, mode: Object.keys(guardians.modes)[0] });
    expect(() => modeBy(guardians, "chess", "--mode", (typed) => ` (${typed}?)`)).to.throw(
      /^--mode: .* has no mode chess \(chess\?\); there are .*, and modes in a \.json file$/,
    );
    expect(() => gameAndMode("default", games)).to.throw("default: several games have such a mode; there are ");
  });
});
