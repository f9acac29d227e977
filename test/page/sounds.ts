import { expect } from "chai";
import { makeSound, type SoundName } from "../../page/src/store/sounds.js";

/** Parts of a sound: start frequencies of its tones, its gains, and the times at which its parts start and stop. */
interface Heard {
  tones: number[];
  gains: number[];
  starts: number[];
  stops: number[];
}

/** Plays a sound on an audio context that only records the calls. */
function heard(name: SoundName, at = 2, force?: number): Heard {
  const notes: Heard = { tones: [], gains: [], starts: [], stops: [] };
  const node = (more: object) => {
    const each = { connect: (next: unknown) => next, start: (time: number) => notes.starts.push(time), ...more };
    return { ...each, stop: (time: number) => notes.stops.push(time) };
  };
  const param = (values: number[]) => ({
    setValueAtTime: () => undefined,
    exponentialRampToValueAtTime: (value: number) => values.push(value),
    set value(value: number) {
      values.push(value);
    },
  });
  const context = {
    sampleRate: 1000,
    destination: {},
    createOscillator: () =>
      node({ frequency: { ...param([]), setValueAtTime: (value: number) => notes.tones.push(value) } }),
    createGain: () => node({ gain: param(notes.gains) }),
    createBiquadFilter: () => node({ frequency: param([]) }),
    createBufferSource: () => node({}),
    createBuffer: (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) }),
  };
  makeSound(context as never, name, at, force);
  return notes;
}

describe("The page: sounds", () => {
  it("rise for a win, fall for a loss, and stay level for a draw", () => {
    const rises = heard("won").tones;
    expect(rises).to.deep.equal(rises.toSorted((one, other) => one - other));
    const falls = heard("lost").tones;
    expect(falls).to.deep.equal(falls.toSorted((one, other) => other - one));
    expect(new Set(heard("draw").tones).size).to.equal(1);
  });

  it("are louder for a hit that costs more health", () => {
    const peak = (force: number) => Math.max(...heard("hit", 0, force).gains);
    expect(peak(1)).to.be.above(peak(0.5));
    expect(peak(0.5)).to.be.above(peak(0));
    expect(peak(1)).to.be.below(0.6);
  });

  it("start at the given time, and last less than a second", () => {
    for (const name of ["tap", "hit", "turn", "won", "lost", "draw"] as const) {
      const { starts, stops } = heard(name, 2);
      expect(Math.min(...starts), name).to.equal(2);
      expect(Math.max(...stops), name).to.be.within(2.08, 2.75);
    }
  });
});
