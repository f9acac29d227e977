import { expect } from "chai";
import { encodeAnswer, NO_STATE } from "../../sdk/protocol/commit-reveal.js";
import { MatchDriver, mint, moveOf, teamOf, tiersOf } from "../support/auto-battler.js";
import { inPassing, loadFixture, time, UNIT, offerHashOf, type Player } from "../support/index.js";
import { as, attacked, encode, possibleCalls, type Attacked } from "../support/attacked.js";
import type { State } from "../../sdk/laws/state.js";
import { FREE, differences, stateOf } from "../support/refusals.js";

describe("Known attacks: receipt hooks", () => {
  let w: Attacked;
  let arriving: bigint;
  beforeEach(async () => {
    w = await loadFixture(attacked);
    arriving = await mint(w, w.alice, tiersOf(0));
  });

  const safely = () =>
    w.fighters.connect(w.alice)["safeTransferFrom(address,address,uint256)"](w.alice, w.puppet, arriving, FREE);
  const andCall = () => w.fight.connect(w.alice)["transferAndCall(address,uint256)"](w.puppet, 10n * UNIT, FREE);
  const hooks: [string, string, () => Promise<unknown>, index: number][] = [
    ["ERC-721", "onERC721Received", safely, 0],
    ["ERC-1363", "onTransferReceived", andCall, 1],
  ];

  /** The puppet's answer to a challenge, with four of its own fighters and the arriving one. */
  async function joinWithArriving(): Promise<unknown[]> {
    const { arena, fight, fighters, alice, owner, puppet } = w;
    const own: bigint[] = [];
    for (let n = 1; n < 5; n++) own.push(await mint(w, owner, tiersOf(n)));
    for (const id of own) await fighters.transferFrom(owner, puppet, id);
    await arena.connect(alice).deposit(fight, 10n * UNIT, puppet);
    const driver = await MatchDriver.create(w, await teamOf(w, alice), {
      player2: puppet as unknown as Player,
    });
    const header = { round: 1, state: NO_STATE, commitment: await driver.commitment() };
    const answer = encodeAnswer({ ...header, move: moveOf([...own, arriving]), salt: driver.salt2 });
    return [driver.id, await offerHashOf(arena, driver.id), answer];
  }

  /**
   * Returns a call of every function of the arena for the puppet, which owns it. The first calls need the arriving
   * token.
   */
  async function everyCall(): Promise<string[]> {
    const { arena, fight, puppet } = w;
    const join = await joinWithArriving();
    const calls = await possibleCalls(w, puppet);
    await puppet.run(fight, 0, fight.interface.encodeFunctionData("approve", [await arena.getAddress(), 10n * UNIT]));
    await arena.transferOwnership(puppet);
    await as(puppet, w)("acceptOwnership", []);
    const all: [string, unknown[]][] = [
      ["join", join],
      ["deposit", [fight, 10n * UNIT, puppet]],
      ...Object.entries(calls),
    ];
    return Promise.all(all.map(([name, args]) => encode(w, name, args)));
  }

  for (const [standard, moment, send, index] of hooks) {
    it(`a receiver that calls every function from its ${standard} receipt hook gets no more than with later calls (AI Arena H-08)`, async () => {
      const { arena, puppet } = w;
      const calls = await everyCall();
      const at = (await time.latest()) + 10;
      /** Runs both functions at fixed timestamps, and returns the state without the puppet's own records. */
      const stateAfter = (first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<State> =>
        inPassing(async () => {
          for (const [i, run] of [first, second].entries()) {
            await time.setNextBlockTimestamp(at + i);
            await run();
          }
          const { "storage of puppet": _own, ...state } = await stateOf(w);
          return state;
        });
      const inHook = await stateAfter(
        () => puppet.arm(moment, arena, calls, "0x00000000", FREE),
        async () => {
          await send();
          const answers: [boolean][] = await puppet.answers();
          expect(answers[index][0], "what needs what arrives").to.equal(true);
          expect(answers.filter(([ok]) => ok).length > calls.length / 2).to.equal(true);
        },
      );
      const afterwards = await stateAfter(send, () => puppet.tryAll(arena, calls, FREE));
      expect(differences(afterwards, inHook)).to.deep.equal([]);
    });
  }

  it("minting calls no hook, so that a receiving contract cannot reject an unwanted fighter (AI Arena M-05)", async () => {
    const { fighters, puppet, arena } = w;
    await puppet.arm("onERC721Received", arena, ["0x12345678"], "0x00000000");
    await fighters.mint(puppet, 1, [1, 1, 1, 1, 1, 1], false);
    expect(await puppet.answers()).to.deep.equal([]);
    expect(await fighters.ownerOf(arriving + 1n)).to.equal(await puppet.getAddress());
  });
});
