import { parseArgs } from "node:util";
import { expect } from "chai";
import hre from "hardhat";
import { allCommands, readDocuments } from "../../scripts/document.js";

describe("A documented Hardhat command that needs a public network or a secret", () => {
  const commands = allCommands(readDocuments()).filter(({ command }) => /^npx hardhat (?!node|test)/.test(command));

  for (const { at, command } of commands) {
    it(`exists in this version of Hardhat with these arguments: ${command} (${at})`, () => {
      const args = command.replaceAll('"', "").split(" ").slice(2);
      const task = hre.tasks.getTask(args.slice(0, 2));
      const { values, positionals } = parseArgs({
        args: args.slice(2),
        allowPositionals: true,
        options: { network: { type: "string" } },
      });
      if (values.network !== undefined) expect(hre.config.networks).to.have.property(values.network);
      const taken = task.positionalArguments;
      const needed = [...taken].filter(({ defaultValue }) => defaultValue === undefined);
      expect(positionals.length).to.be.at.least(needed.length);
      if (!taken.some(({ isVariadic }) => isVariadic)) expect(positionals.length).to.be.at.most(taken.length);
    });
  }

  it("occurs in the documents", () => {
    expect(commands.length).to.be.greaterThan(8);
  });
});

describe("A document", () => {
  it("starts Hardhat's node on this machine only, since it listens on all addresses in a container", () => {
    const texts = readDocuments()
      .map(({ text }) => text)
      .join("\n");
    const starts = texts.match(/hardhat node\b.{0,21}/g)!;
    expect(starts.length).to.be.greaterThan(0);
    for (const start of starts) expect(start).to.match(/^hardhat node --hostname 127\.0\.0\.1$/);
  });
});
