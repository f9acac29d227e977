import { expect } from "chai";
import { RetrySchedule } from "../../cli/agent/retry-schedule.js";

describe("The schedule of an agent's retries", () => {
  let schedule: RetrySchedule<string>;
  beforeEach(() => (schedule = new RetrySchedule()));

  it("retries a task at the next block if the task was too early", () => {
    schedule.waitForBlock("task");
    expect(schedule.isDue("task")).to.equal(false);
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(true);
  });

  it("makes a task wait beyond the next block if it was too early and then failed", () => {
    schedule.waitForBlock("task");
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });

  it("makes a task wait beyond the next block if it was too early, was done later, and then failed", () => {
    schedule.waitForBlock("task");
    expect(schedule.isEmpty).to.equal(false);
    schedule.clear("task");
    expect(schedule.isDue("task")).to.equal(true);
    expect(schedule.isEmpty).to.equal(true);
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });
});
