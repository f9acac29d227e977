import { concat, dataSlice, dataLength } from "ethers";
import { expect } from "chai";
import { Random } from "../../../scripts/soak/random.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import {
  channelRecord,
  contractStep,
  progressOf,
  type OfferedMatch,
  type Progress,
  type SeatAction,
} from "../../../sdk/games/channel-match.js";
import { games } from "../../../sdk/games/index.js";
import type { GameModule } from "../../../sdk/games/module.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { channelPair, channelWorld, playedAt, type ChannelWorld } from "../../support/channel-games.js";
import { FIRST } from "../../support/channels.js";
import { inPassing, loadFixture, now, UNIT } from "../../support/index.js";

/** Games whose characters have owners. Only the chain stores these owners. */
const TOKEN_GAMES = ["auto-battler", "guardians"];

describe("Channels: the state of a match by its engine", () => {
  for (const module of games) {
    describe(module.title, () => {
      it("matches the contract after each action", async () => {
        const world = await loadFixture(channelWorld);
        for (const mode of world.modes[module.name]) {
          const { match, actions } = await playedAt(world, module, mode, `state ${mode}`);
          const { progress } = await followed(world, module, match, actions);
          expect(progress.turn).to.equal(Seat.None);
          expect(progress.refusal).to.equal(undefined);
        }
      });

      it("matches the arena after a challenge", async () => {
        const world = await loadFixture(channelWorld);
        const { arena, channels, alice, bob } = world;
        const [mode] = world.modes[module.name];
        const { match, actions } = await playedAt(world, module, mode, "challenged");
        const pair = await channelPair(world);
        await pair.open(50n * UNIT, 50n * UNIT, Number(await now()) + 100_000);
        const seats = actions.map(({ seat }) => seat);
        let challenged = 0;
        for (let count = 1; count <= Math.min(actions.length, 6); count++) {
          const some = actions.slice(0, count);
          const progress = await progressOf(channelRecord(match, some), module, world.history);
          if (progress.turn === Seat.None) break;
          const moves = { position: match.position!, actions: some.map(({ data }) => data) };
          const transcript = await pair.transcript(FIRST, match.terms, moves, { seats });
          await inPassing(async () => {
            const mover = seats[count - 1] === Seat.One ? alice : bob;
            await channels.connect(mover).challenge(pair.channel, FIRST, match.terms, transcript);
            const matchId = pair.matchIdOf(FIRST);
            expect(await arena.positionOf(matchId)).to.equal(progress.position);
            expect((await arena.matchOf(matchId)).turn).to.equal(progress.turn);
          });
          challenged++;
        }
        expect(challenged).to.be.greaterThan(0);
      });

      it("is a forfeit if and only if the contract refuses an action", async () => {
        const world = await loadFixture(channelWorld);
        const seen = { refused: 0, taken: 0 };
        for (const mode of world.modes[module.name]) {
          const { match, actions } = await playedAt(world, module, mode, `refused ${mode}`);
          const random = new Random(`changes ${mode}`);
          for (const [i, action] of actions.slice(0, 4).entries()) {
            const before = actions.slice(0, i);
            for (const data of changesOf(action.data, random)) {
              const changed = { ...action, data };
              const record = channelRecord(match, before);
              const { position } = await progressOf(record, module, world.history);
              const step = await contractStep(
                world.history,
                await world.channels.getAddress(),
                record,
                position,
                changed,
              );
              const progress = await progressOf(channelRecord(match, [...before, changed]), module, world.history);
              const what = `${mode} action ${i + 1}, ${data} for ${action.data}`;
              // Only the chain stores the owners of characters.
              if (step === undefined && progress.refusal === undefined && TOKEN_GAMES.includes(module.name)) continue;
              expect(progress.refusal !== undefined, `${what}: ${progress.refusal}`).to.equal(step === undefined);
              if (step) expectSame(progress, step, what);
              seen[step ? "taken" : "refused"]++;
            }
          }
        }
        expect(seen.refused).to.be.greaterThan(20);
      });

      it("is the same if only the part of the offer data that the first answer contains is known", async () => {
        const world = await loadFixture(channelWorld);
        for (const mode of world.modes[module.name]) {
          const { match, actions } = await playedAt(world, module, mode, "created");
          const data = module.channels!.createdBy(actions[0].data, mode);
          const shown = channelRecord({ ...match, data }, actions);
          expect(match.data.startsWith(data)).to.equal(true);
          expect(await progressOf(shown, module, world.history)).to.deep.equal(
            await progressOf(channelRecord(match, actions), module, world.history),
          );
        }
      });
    });
  }
});

/** Follows a match action by action, and expects the engine and the contract to agree. */
async function followed(world: ChannelWorld, module: GameModule, match: OfferedMatch, actions: readonly SeatAction[]) {
  let progress = await progressOf(channelRecord(match), module, world.history);
  const channels = await world.channels.getAddress();
  for (const [i, action] of actions.entries()) {
    const before: MatchRecord = channelRecord(match, actions.slice(0, i));
    expect(action.seat).to.equal(progress.turn);
    const step = await contractStep(world.history, channels, before, progress.position, action);
    progress = await progressOf(channelRecord(match, actions.slice(0, i + 1)), module, world.history);
    expectSame(progress, step!, `action ${i + 1}`);
    expect(progress).to.deep.include({ count: i + 1, mover: action.seat });
  }
  return { progress };
}

function expectSame(
  { turn, winner, taker, position }: Progress,
  step: Pick<Progress, "turn" | "winner" | "taker" | "position">,
  what: string,
): void {
  const own = { turn, winner, taker, ...(turn !== Seat.None && { position }) };
  const { position: next, ...rest } = step;
  expect(own, what).to.deep.equal({ ...rest, ...(rest.turn !== Seat.None && { position: next }) });
}

/** Returns variants of the data: with one byte changed, shorter and longer. */
function changesOf(data: Hex, random: Random): Hex[] {
  const length = dataLength(data);
  const places =
    length <= 12 ? Array.from({ length }, (_, i) => i) : Array.from({ length: 12 }, () => random.below(length));
  const changed = places.flatMap((at) =>
    [1, 1 + random.below(255)].map((by) => {
      const byte = Number(dataSlice(data, at, at + 1)) ^ by;
      return concat([dataSlice(data, 0, at), new Uint8Array([byte]), dataSlice(data, at + 1)]);
    }),
  );
  const zeros = [32, 64]
    .filter((n) => length >= n)
    .flatMap((n) => [
      concat([dataSlice(data, 0, length - n), new Uint8Array(n)]),
      concat([new Uint8Array(2), dataSlice(data, 2)]),
    ]);
  const resized = [0, 1, length - 1, Math.max(0, length - 32)].map((n) => dataSlice(data, 0, Math.min(n, length)));
  const longer = [1, 32, 33, 128, 129].map((n) => concat([data, random.bytes(n)]));
  return [...changed, ...zeros, ...resized, ...longer];
}
