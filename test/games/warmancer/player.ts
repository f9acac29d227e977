import { expect } from "chai";
import { concat } from "ethers";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { encodeCommitment, commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import type { Secret } from "../../../sdk/protocol/commitment.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { STUCK, type Move } from "../../../sdk/games/warmancer/legal-moves.js";
import { Player } from "../../../sdk/games/warmancer/player.js";
import type { Position } from "../../../sdk/games/warmancer/position.js";
import { act } from "../../../sdk/games/warmancer/act.js";
import { create, join } from "../../../sdk/games/warmancer/create-join.js";
import { rootOf } from "../../../sdk/games/warmancer/setup.js";
import { Random } from "../../../sdk/laws/random.js";
import { EngineDriver } from "../../support/warmancer.js";

/** Plays a match to its end between two players who know only their own secrets and public facts. */
async function playOut(mode: Mode, random: Random): Promise<bigint> {
  const { match, setups } = EngineDriver.of(mode, random);
  const roots = setups.map((setup, side) =>
    mode.casual ? concat([new Uint8Array(setup.ranks)]) : rootOf(match.players[side], setup),
  );
  let { state } = create(match, roots[0]);
  ({ state } = join(match, state, concat(roots)));
  const secrets = new Map<Hex, Secret>();
  while (state.turn !== Seat.None) {
    const side = Number(state.turn) - 1;
    const player = new Player(match, state, state.turn, {
      setup: setups[side],
      committed: secrets.get(state.commitment),
    });
    const prospect = player.foresee();
    const orders: Move[] = [];
    let board: Position | undefined = prospect.board;
    for (let wanted = player.wanted(prospect); wanted > 0 && board !== undefined; wanted--) {
      const legal = player.legal(board);
      orders.push(legal.length > 0 ? random.pick(legal) : STUCK);
      if (wanted > 1) board = player.after(orders[0]);
    }
    const action = await player.action(orders, async (move) => {
      const salt = random.word();
      const commitment = commitmentOf(match.chainId, match.game, match.players[side], move, salt);
      secrets.set(commitment, { move, salt });
      return encodeCommitment({ commitment, note: random.note(18) });
    });
    ({ state } = act(match, state, state.turn, action));
  }
  return state.winner;
}

describe("Warmancer: player", () => {
  for (const [name, mode] of [
    ["quick", QUICK],
    ["skirmish", SKIRMISH],
    ["hidden", { ...SKIRMISH, alwaysHidden: true }],
    ["sequential", { ...SKIRMISH, sequential: true }],
    ["sequential hidden", { ...SKIRMISH, alwaysHidden: true, sequential: true }],
    ["casual", { ...SKIRMISH, casual: true }],
    ["both", { ...SKIRMISH, casual: true, sequential: true }],
  ] as const)
    it(`chooses every action of a match from what the player knows: ${name}`, async () => {
      const random = new Random(name);
      const ends = new Set<bigint>();
      for (let i = 0; i < 12; i++) ends.add(await playOut(mode, random));
      expect(ends.size).to.be.greaterThan(1);
    });
});
