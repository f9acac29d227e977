import { expect } from "chai";
import { describePage } from "./support/harness.js";
import { OTHER, PERSON, until, visitWith } from "./support/playing.js";

describePage("The page: operators", () => {
  it("approves an operator for a limited time, shows the approval, and revokes it", async () => {
    const { page, chain } = await visitWith({}, "#/settings");
    const [owner, operator] = await Promise.all(
      [PERSON, OTHER].map(async (each) => (await chain.account(each)).address),
    );
    const isAllowed = async () => (await chain.arena.operatorUntil(owner, operator)) > 0n;
    const operators = page.getByRole("region", { name: "Operators" });
    await operators.getByText("Allow somebody").click();
    const allow = operators.getByRole("button", { name: "Allow it" });
    await operators.getByLabel("Address of the operator").fill("0x123");
    expect(await allow.isDisabled()).to.equal(true);
    await operators.getByLabel("Address of the operator").fill(owner);
    expect(await allow.isDisabled()).to.equal(true);
    await operators.getByLabel("Address of the operator").fill(operator);
    await allow.click();
    await until(isAllowed);
    const leave = operators.getByRole("listitem").filter({ hasText: operator });
    await leave.getByRole("button", { name: "Revoke" }).click();
    await until(async () => !(await isAllowed()));
    await leave.waitFor({ state: "detached" });
  });
});
