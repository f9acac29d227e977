import { expect } from "chai";
import { RetrySchedule } from "../../cli/agent/retry-schedule.js";

describe("The schedule of an agent's retries", () => {
  let schedule: RetrySchedule<string>;
  beforeEach(() => (schedule = new RetrySchedule()));

  it("retries a task that was too early at the next block", () => {
    schedule.waitForBlock("task");
    expect(schedule.isDue("task")).to.equal(false);
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(true);
  });

  it("lets a task that was too early and then failed wait longer than the next block", () => {
    schedule.waitForBlock("task");
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });

  it("lets a task that was too early, then done, and then failed wait longer than the next block", () => {
    schedule.waitForBlock("task");
    schedule.clear("task");
    expect(schedule.isDue("task")).to.equal(true);
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });
});
