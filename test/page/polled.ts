import { effect } from "@preact/signals";
import { expect } from "chai";
import { polled } from "../../page/src/store/polled.js";

/** Lets all code run that waits only for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a polled signal. The test ends its pauses and answers its reads. */
function underTest() {
  const pauses: (() => void)[] = [];
  const answers: (number | Error)[] = [];
  let reads = 0;
  const read = async () => {
    reads++;
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const pause = () => new Promise<void>((resolve) => pauses.push(resolve));
  return {
    value: polled(0, read, pause),
    answers,
    reads: () => reads,
    /** Ends all pauses that have begun. */
    async goOn() {
      for (const end of pauses.splice(0)) end();
      await settled();
    },
  };
}

describe("The page: a polled value", () => {
  it("is read when it is first watched, and again after each pause", async () => {
    const { value, answers, reads, goOn } = underTest();
    answers.push(1, 2);
    expect([value.value, reads()]).to.deep.equal([0, 0]);
    const seen: number[] = [];
    const end = effect(() => void seen.push(value.value));
    await settled();
    await goOn();
    end();
    expect(seen).to.deep.equal([0, 1, 2]);
  });

  it("is read again after a read has failed, even after the first read has failed", async () => {
    const { value, answers, goOn } = underTest();
    answers.push(new Error("It is not there."), 1, new Error("It is gone."), 2);
    const seen: number[] = [];
    const end = effect(() => void seen.push(value.value));
    await settled();
    for (let i = 0; i < 3; i++) await goOn();
    end();
    expect(seen).to.deep.equal([0, 1, 2]);
  });

  it("is read again immediately if its pause ends during a read", async () => {
    const pauses: (() => void)[] = [];
    const answers: ((value: number) => void)[] = [];
    const read = () => new Promise<number>((resolve) => answers.push(resolve));
    const value = polled(0, read, () => new Promise<void>((resolve) => pauses.push(resolve)));
    const seen: number[] = [];
    const end = effect(() => void seen.push(value.value));
    await settled();
    pauses[0]();
    await settled();
    expect(answers, "one read at a time").to.have.length(1);
    answers[0](1);
    await settled();
    answers[1](2);
    await settled();
    end();
    expect([seen, answers.length]).to.deep.equal([[0, 1, 2], 2]);
  });

  it("is not read while unwatched, and once per pause when it is watched again", async () => {
    const { value, answers, reads, goOn } = underTest();
    answers.push(1, 2, 3);
    const watch = () => value.subscribe(() => undefined);
    watch()();
    await settled();
    const end = watch();
    await settled();
    expect(reads()).to.equal(2);
    await goOn();
    expect(reads(), "by one of both").to.equal(3);
    end();
    await goOn();
    expect([value.value, reads()]).to.deep.equal([3, 3]);
  });
});
