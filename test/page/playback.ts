import { expect } from "chai";
import {
  advanced,
  begun,
  chose,
  firstRate,
  isSeen,
  isTimed,
  playsOn,
  skipped,
  stepOf,
  timeLeft,
  timesOf,
  toggled,
  type Playback,
} from "../../page/src/parts/playback.js";
import { remembered } from "../../page/src/store/seen.js";

const COUNT = 5;
const over = { isOver: true };

/** Lets the time of each step pass until playback stops. @returns the steps that were shown */
function shown(playback: Playback): number[] {
  const steps = [stepOf(playback, COUNT)];
  for (let now = playback; isTimed(now, COUNT);) {
    now = advanced(now, COUNT);
    if (!isSeen(now, COUNT)) steps.push(stepOf(now, COUNT));
  }
  return steps;
}

describe("The page: the playback of a match", () => {
  it("plays a finished match from its first unseen step", () => {
    expect(shown(begun(undefined, COUNT, over))).to.deep.equal([0, 1, 2, 3, 4]);
    expect(shown(begun(3, COUNT, over))).to.deep.equal([3, 4]);
    expect(shown(begun(5, COUNT, over))).to.deep.equal([4]);
    expect(isTimed(begun(5, COUNT, over), COUNT)).to.equal(false);
  });

  it("opens a match in play at its latest step, and plays the steps since the last visit", () => {
    expect(stepOf(begun(undefined, COUNT, { isOver: false }), COUNT)).to.equal(4);
    expect(shown(begun(2, COUNT, { isOver: false }))).to.deep.equal([2, 3, 4]);
  });

  it("plays steps that arrive while the last step is shown", () => {
    const seen = begun(undefined, 2, { isOver: false });
    expect([isSeen(seen, 2), stepOf(seen, 2)]).to.deep.equal([true, 1]);
    expect(shown(seen)).to.deep.equal([2, 3, 4]);
  });

  it("counts the last step as seen only when its duration is over, or when it is skipped", () => {
    const last = chose(begun(0, COUNT, over), 4, COUNT);
    expect([stepOf(last, COUNT), isSeen(last, COUNT), isTimed(last, COUNT)]).to.deep.equal([4, false, true]);
    expect(isSeen(advanced(last, COUNT), COUNT)).to.equal(true);
    const end = skipped(begun(0, COUNT, over), COUNT);
    expect([stepOf(end, COUNT), isSeen(end, COUNT)]).to.deep.equal([4, true]);
  });

  it("stops at a step that the viewer chooses, or that the address names", () => {
    const at = chose(begun(0, COUNT, over), 2, COUNT);
    expect([stepOf(at, COUNT), isTimed(at, COUNT)]).to.deep.equal([2, false]);
    const linked = begun(undefined, COUNT, { ...over, wanted: 2 });
    expect([stepOf(linked, COUNT), isTimed(linked, COUNT), linked.seen]).to.deep.equal([2, false, 0]);
    expect(begun(undefined, COUNT, { ...over, wanted: 900 }).chosen).to.equal(undefined);
  });

  it("pauses, resumes, and restarts from the last step", () => {
    const paused = toggled(begun(1, COUNT, over), COUNT);
    expect([stepOf(paused, COUNT), playsOn(paused, COUNT)]).to.deep.equal([1, false]);
    expect(shown(toggled(paused, COUNT))).to.deep.equal([1, 2, 3, 4]);
    const again = toggled(begun(COUNT, COUNT, over), COUNT);
    expect([stepOf(again, COUNT), playsOn(again, COUNT), isSeen(again, COUNT)]).to.deep.equal([0, true, true]);
  });

  it("starts at double speed if it would take more than 20 s", () => {
    expect(firstRate(timesOf(Array.from({ length: 22 })))).to.equal(1);
    expect(firstRate(timesOf(Array.from({ length: 23 })))).to.equal(2);
    expect(firstRate(timesOf([1, 2], () => 10_001))).to.equal(2);
  });

  it("shows each step for its own duration, or for 900 ms without motion, and does not wait after the last step", () => {
    const times = [1000, 3000];
    const at = (seen: number, rate: number, isReduced: boolean) =>
      timeLeft({ seen, isPlaying: false }, times, { rate, isReduced });
    expect([at(0, 1, false), at(1, 2, false)]).to.deep.equal([1000, 1500]);
    expect([at(0, 1, true), at(1, 1, true)]).to.deep.equal([900, 0]);
  });

  it("remembers the latest 500 matches", () => {
    const many = Array.from({ length: 500 }, (_, i) => [`match ${i}`, 1] as const);
    expect(
      remembered(
        [
          ["a", 1],
          ["b", 2],
        ],
        "a",
        3,
      ),
    ).to.deep.equal([
      ["b", 2],
      ["a", 3],
    ]);
    expect(remembered(many, "new", 4)).to.deep.equal([...many.slice(1), ["new", 4]]);
  });
});
