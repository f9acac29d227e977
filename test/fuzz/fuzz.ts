import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { apiDecoders } from "./api.js";
import { bytesDecoders } from "./bytes.js";
import { channelDecoders } from "./channels.js";
import { commandDecoders } from "./commands.js";
import { fileDecoders } from "./files.js";
import { indexDecoders } from "./index-answers.js";
import { matchDecoders } from "./matches.js";
import { recordAll } from "../support/recorded.js";
import { sharedDecoders } from "./shared.js";
import { textDecoders } from "./texts.js";

/** Inputs for each decoder; fewer for slow ones. */
const RUNS = process.env.THOROUGH ? 10_000 : 2_000;

/** Matches the declaration of a function whose name is that of a reader of foreign input. */
const READER = /^export (?:async )?(?:function|const) ((?:decode|parse|read|recover)[A-Z]\w*)/gm;

const { archive, matches } = await recordAll();
const decoders = [
  ...(await bytesDecoders(matches, archive.all)),
  ...textDecoders(matches, archive),
  ...fileDecoders(),
  ...channelDecoders(),
  ...matchDecoders(matches, archive),
  ...(await sharedDecoders(matches, archive)),
  ...commandDecoders(),
  ...apiDecoders(matches, archive),
  ...(await indexDecoders(archive)),
];

describe("Foreign input", function () {
  for (const { name, property, cost } of decoders) {
    it(`is accepted, or is refused in one line that names the rule: ${name}`, () =>
      fc.assert(property, { numRuns: Math.ceil(RUNS / cost) }));
  }

  it("is read only by functions that this test covers", () => {
    // The pages that `scripts/document.ts` reads are the project's own.
    const files = globSync(["sdk/**/*.ts", "cli/**/*.ts", "scripts/**/*.ts"], { exclude: ["scripts/document.ts"] });
    const readers = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(READER)].map(([, name]) => `${file}: ${name}`),
    );
    const covered = new Set(decoders.flatMap(({ covers }) => covers));
    expect(readers.filter((reader) => !covered.has(reader))).to.deep.equal([]);
  });
});
