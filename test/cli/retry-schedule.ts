import { expect } from "chai";
import { RetrySchedule } from "../../cli/agent/retry-schedule.js";

describe("The schedule of an agent's retries", () => {
  let schedule: RetrySchedule<string>;
  beforeEach(() => (schedule = new RetrySchedule()));

  it("makes a task that was too early due at the next block", () => {
    schedule.waitForBlock("task");
    expect(schedule.isDue("task")).to.equal(false);
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(true);
  });

  it("keeps a task that was too early and then failed waiting after the next block", () => {
    schedule.waitForBlock("task");
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });

  it("keeps a task that was too early, then done, and then failed waiting after the next block", () => {
    schedule.waitForBlock("task");
    schedule.clear("task");
    expect(schedule.isDue("task")).to.equal(true);
    schedule.recordFailure("task");
    schedule.onNewBlock();
    expect(schedule.isDue("task")).to.equal(false);
  });
});
