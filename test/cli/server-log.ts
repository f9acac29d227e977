import { expect } from "chai";
import { ServerLog } from "../../cli/shared/server/server-log.js";

describe("The log of a server", () => {
  const at = new Date("2026-11-26T21:33:07.123Z");
  const told = (json: boolean, tell: (log: ServerLog) => void): string[] => {
    const lines: string[] = [];
    const log = new ServerLog(
      json,
      (line) => lines.push(line),
      () => at,
    );
    tell(log);
    return lines;
  };

  it("prefixes each line with date and level, which no content can forge", () => {
    expect(told(false, ({ info, warn }) => (info("It reads."), warn("The node\n\u001b[2J fails.")))).to.deep.equal([
      "2026-11-26 21:33:07  info  It reads.",
      "2026-11-26 21:33:07  warn  The node [2J fails.",
    ]);
  });

  it("prints one JSON object per line for programs, startup messages included", () => {
    const lines = told(true, ({ greet, warn }) => (greet("  It is up.\n"), warn("a\u001bb")));
    expect(lines.map((line) => JSON.parse(line) as object)).to.deep.equal([
      { time: at.toISOString(), level: "info", text: "It is up." },
      { time: at.toISOString(), level: "warn", text: "a b" },
    ]);
  });
});
