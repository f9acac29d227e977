import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { games } from "../../../sdk/games/index.js";
import type { Frame } from "../../../sdk/games/module.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { UNPRINTABLE } from "../../../sdk/protocol/text.js";
import { recorded, type Recorded } from "../../support/recorded.js";

const unended = (frames: readonly Frame[]) => frames.map((frame) => ({ ...frame, result: null }));

describe("The animation of a match", () => {
  let archive: Archive;
  let matches: Recorded[];

  before(async () => ({ archive, matches } = await recorded()));

  it("exists for every game", () => {
    expect(games.filter(({ frames }) => frames === undefined).map(({ name }) => name)).to.deep.equal([]);
  });

  for (const game of games) {
    const own = () => matches.filter((each) => each.game === game).map(({ record }) => record);
    const framesOf = (record: MatchRecord) => game.frames!(record, archive);

    describe(game.name, () => {
      it("consists of JSON frames, each with a printable sentence", async () => {
        for (const record of own()) {
          const frames = await framesOf(record);
          expect(frames).not.to.be.empty;
          expect(JSON.parse(JSON.stringify(frames))).to.deep.equal(frames);
          for (const { text } of frames) {
            expect(text).not.to.equal("");
            expect(text).not.to.match(new RegExp(UNPRINTABLE.source, "u"));
          }
        }
      });

      it("shows the result of the replay in its last frame only", async () => {
        for (const record of own()) {
          const { winner, taker } = (await game.replay(record, archive)).result!;
          const results = (await framesOf(record)).map(({ result }) => result);
          const last = { winner: Number(winner), taker: Number(taker) };
          expect(results).to.deep.equal([...results.slice(1).fill(null), last]);
        }
      });

      it("shows the data that the players sent, whatever the contract logged", async () => {
        const [record] = own();
        const frames = await framesOf(record);
        for (const logs of [[], [{ round: 1n, entries: [2n ** 256n - 1n] }], [...record.logs, ...record.logs]]) {
          expect(await framesOf({ ...record, logs })).to.deep.equal(frames);
        }
      });

      it("keeps its frames when the match continues, and adds new ones", async () => {
        const [record] = own();
        const whole = unended(await framesOf(record));
        const counts = [0, 1, 2, record.actions.length - 1].filter((count) => count < record.actions.length);
        for (const count of counts) {
          const part = { ...record, actions: record.actions.slice(0, count), settlement: undefined };
          const frames = await framesOf(part);
          expect(frames.filter(({ result }) => result !== null)).to.deep.equal([]);
          expect(unended(frames)).to.deep.equal(whole.slice(0, frames.length));
        }
        const offered = { ...record, joinData: undefined, player2: undefined, actions: [], settlement: undefined };
        expect((await framesOf(offered)).length).to.be.below(2);
      });

      it("is rejected for impossible data", async () => {
        const [record] = own();
        const { actions } = record;
        const wrong = [
          { ...record, actions: [...actions, actions.at(-1)!] },
          { ...record, joinData: "0x00" },
        ];
        for (const each of wrong) {
          const refusal = await framesOf(each).catch((error: unknown) => error);
          expect(refusal instanceof RecordError || refusal instanceof InputError, String(refusal)).to.equal(true);
        }
      });
    });
  }
});
