import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocument, ROOT } from "../../scripts/document.js";

const gas = JSON.parse(readFileSync(join(ROOT, "test/gas.json"), "utf8")) as Record<string, number>;
const { prose } = readDocument("docs/games/mini-games.md");

/** Parses a number as written in documents; zero is not allowed. */
function numberIn(cell: string): number {
  return Number(cell.trim().replaceAll(",", "").replace("−", "-"));
}

/** Returns the measured gas of a transaction, or of all three. */
function measured(what: string, who = "returning players, rated, with stakes"): number {
  const [key] = Object.keys(gas).filter((name) => name.startsWith(`mini-games, ${what}`) && name.endsWith(`: ${who}`));
  return gas[key];
}

describe("The table of costs in docs/games/mini-games.md", () => {
  const rows = prose.split("\n").filter((line) => /^\|.*\|.*\|.*\|.*[\d,]{3,} +\||^\|.*\| +[\d,]{3,} \|/.test(line));
  const cells = rows.map((row) => row.split("|").slice(1, 5));
  const costs = cells.map(([, ...numbers]) => numbers.map(numberIn));

  it("adds up to the figures in test/gas.json for each transaction", () => {
    const totals = ["create", "join", "reveal"].map((what) => measured(what));
    expect(costs.at(-1)).to.deep.equal(totals);
    const sums = [0, 1, 2].map((column) => costs.slice(0, -1).reduce((sum, row) => sum + row[column], 0));
    expect(sums).to.deep.equal(totals);
    expect(cells.at(-1)![0]).to.include(measured("all").toLocaleString("en"));
  });

  it("quotes the figures in test/gas.json for other players", () => {
    for (const who of [
      "first-time players, unknown terms, rated, with stakes",
      "returning players, undercut, unrated, without stakes",
    ])
      expect(prose).to.include(measured("all", who).toLocaleString("en"));
  });
});

describe("The table of costs in docs/games/warmancer.md", () => {
  const { prose: text } = readDocument("docs/games/warmancer.md");
  const [, section] = text.split("## What it costs");
  const cells = section
    .split("\n## ")[0]
    .split("\n")
    .flatMap((line) => (/\d/.test(line) && line.startsWith("|") ? [line.split("|")[2]] : []));

  it("has only figures that test/gas.json lists for Warmancer", () => {
    const known = Object.entries(gas).flatMap(([what, cost]) => (what.startsWith("warmancer, ") ? [cost] : []));
    expect(cells).to.have.length.greaterThan(5);
    for (const figure of cells.flatMap((cell) => cell.split(" and "))) expect(known).to.include(numberIn(figure));
  });
});

describe("The table of costs in docs/channels.md", () => {
  const [, section] = readDocument("docs/channels.md").prose.split("## What it costs");
  const rows = section.split("\n## ")[0].split("\n");
  const cells = rows.flatMap((line) => (/\d/.test(line) && line.startsWith("|") ? [line.split("|")[2]] : []));

  it("has only figures that test/gas.json lists for channels", () => {
    const known = Object.entries(gas).flatMap(([what, cost]) => (what.startsWith("channels, ") ? [cost] : []));
    expect(cells).to.have.length.greaterThan(10);
    for (const figure of cells.map(numberIn)) expect(known).to.include(figure);
  });
});

describe("The bill in docs/decisions.md", () => {
  const [, section] = readDocument("docs/decisions.md").prose.split("## The bill");
  const [head, , ...rows] = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  /** Matches, in the order of the columns. */
  const matches = [
    "a mini-game",
    "an auto-battle of 30 attacks",
    "a battle of guardians with 20 attacks",
    "a duel with pistols alone",
    "a game of tic-tac-toe with nine marks",
    "a Quick game of Warmancer",
  ];

  it("has every bill of test/gas.json, and no other figures", () => {
    expect(head).to.have.length(1 + matches.length);
    for (const [column, match] of matches.entries()) {
      const start = `bill of ${match}: `;
      const bill = Object.entries(gas).filter(([what]) => what.startsWith(start));
      const shown = rows.slice(0, -1).filter((row) => row[1 + column] !== "");
      const figures = shown.map((row) => [row[0], numberIn(row[1 + column])]);
      expect(Object.fromEntries(figures)).to.deep.equal(
        Object.fromEntries(bill.map(([what, cost]) => [what.slice(start.length), cost])),
      );
      const sum = bill.reduce((total, [, cost]) => total + cost, 0);
      expect(numberIn(rows.at(-1)![1 + column])).to.equal(sum);
    }
  });
});

describe("The page docs/chains.md", () => {
  const page = readDocument("docs/chains.md").prose;

  it("names the largest contracts and the most expensive reveal of test/gas.json", () => {
    const sizes = Object.entries(gas).filter(([what]) => /^size of \w+ in bytes$/.test(what));
    const largest = sizes.map(([, bytes]) => bytes).sort((a, b) => b - a);
    for (const figure of [...largest.slice(0, 2), Math.max(...Object.values(gas))]) {
      expect(page).to.include(figure.toLocaleString("en"));
    }
  });
});
