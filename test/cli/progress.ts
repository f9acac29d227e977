import { expect } from "chai";
import { partsOf } from "../../cli/shared/command/output.js";

describe("The estimated number of a task's parts", () => {
  it("follows from how much of the task is done after each part, and is zero while nothing is done", () => {
    const estimate = partsOf();
    const estimates = [0, 10, 20, 50, 100].map((done) => estimate(done, 100));
    expect(estimates).to.deep.equal([0, 10, 10, 6, 4]);
  });
});
