import { expect } from "chai";
import { as, type Attacked, attacked, changes, encode, FREE, type State, stateOf } from "../security-state.js";
import { loadFixture, networkHelpers, time, UNIT } from "../support.js";
import { plausible } from "./support.js";

describe("Known attacks: receipt hooks", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
    await w.fighters.mint(w.alice, 1, [1, 2, 3, 1, 2, 3], false);
  });

  const safely = () =>
    w.fighters.connect(w.alice)["safeTransferFrom(address,address,uint256)"](w.alice, w.puppet, 1n, FREE);
  const andCall = () => w.fight.connect(w.alice)["transferAndCall(address,uint256)"](w.puppet, 10n * UNIT, FREE);
  const hooks: [string, string, () => Promise<unknown>][] = [
    ["ERC-721", "onERC721Received", safely],
    ["ERC-1363", "onTransferReceived", andCall],
  ];

  /** Every function of the arena, as calls of the puppet that owns it. */
  async function everyCall(): Promise<string[]> {
    const { arena, puppet } = w;
    const calls = await plausible(w, puppet);
    await arena.transferOwnership(puppet);
    await as(puppet, w.world)("acceptOwnership", []);
    return Promise.all(Object.entries(calls).map(([name, args]) => encode(w.world, name, args)));
  }

  for (const [standard, moment, send] of hooks) {
    it(`whoever calls every function from its ${standard} receipt hook gets what it would get afterwards (AI Arena H-08)`, async () => {
      const { arena, puppet } = w;
      const calls = await everyCall();
      const at = (await time.latest()) + 10;
      /** Runs the two at the same seconds; the state without the puppet's own notes. */
      const stateAfter = async (first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<State> => {
        const snapshot = await networkHelpers.takeSnapshot();
        for (const [i, run] of [first, second].entries()) {
          await time.setNextBlockTimestamp(at + i);
          await run();
        }
        const { "storage of puppet": _own, ...state } = await stateOf(w.watch);
        await snapshot.restore();
        return state;
      };
      const inHook = await stateAfter(
        () => puppet.arm(moment, arena, calls, "0x00000000", FREE),
        async () => {
          await send();
          expect((await puppet.answers()).filter(([ok]: [boolean]) => ok).length > calls.length / 2).to.equal(true);
        },
      );
      const afterwards = await stateAfter(send, () => puppet.tryAll(arena, calls, FREE));
      expect(changes(afterwards, inHook)).to.deep.equal([]);
    });
  }

  it("minting calls no hook: who refuses every fighter cannot refuse one it does not like (AI Arena M-05)", async () => {
    const { fighters, puppet, arena } = w;
    await puppet.arm("onERC721Received", arena, ["0x12345678"], "0x00000000");
    await fighters.mint(puppet, 1, [1, 1, 1, 1, 1, 1], false);
    expect(await puppet.answers()).to.deep.equal([]);
    expect(await fighters.ownerOf(2)).to.equal(await puppet.getAddress());
  });
});
