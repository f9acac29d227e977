import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import { games } from "../../../sdk/games/index.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { recordAll, type Recorded } from "../../support/recorded.js";

const TEAM = String.raw`\d+(, \d+)*( and \d+)?`;
const BLADES = "(flee|steal|seppuku|(idle|light|heavy|block) and (idle|light|heavy|block))";
const MOVE = "(rock|paper|scissors|heads|tails|\\d)";

/** Texts for what players do in a game when they create, join and act. */
const TEXTS: Readonly<Record<string, readonly [created: string, joined: string, acted: string]>> = {
  "auto-battler": ["commits to a team", `answers with fighters ${TEAM}`, `reveals fighters ${TEAM}`],
  guardians: ["commits to a team", `answers with cards? ${TEAM}`, `reveals cards? ${TEAM}`],
  "mini-games": ["commits to a move", `answers with ${MOVE}`, `reveals ${MOVE}`],
  pistols: [
    "commits to its paces",
    "answers with (1 pace|([2-9]|10) paces)",
    `(reveals (1 pace|\\d+ paces)( and commits to its blades)?|answers with ${BLADES}|reveals ${BLADES})`,
  ],
  "tic-tac-toe": ["marks cell \\d", "marks cell \\d", "marks cell \\d"],
  warmancer: [
    "commits to its setup",
    "commits to its setup",
    "(commits to a move|(answers|reveals) \\w+-\\w+|proves the [A-Z]|shows its setup|(answers that it )?has no legal move).*",
  ],
};

describe("The text of a player's action", () => {
  let archive: Archive;
  let matches: Recorded[];

  before(async () => ({ archive, matches } = await recordAll()));

  for (const game of games.filter(({ actionTexts }) => actionTexts !== undefined)) {
    it(`exists for every action that was sent: ${game.name}`, async () => {
      const own = matches.filter((each) => each.game === game);
      expect(own).not.to.be.empty;
      for (const { record } of own) {
        const texts = await game.actionTexts!(record, archive);
        expect(texts).to.have.length(2 + record.actions.length);
        // For a game that is not listed above, any sentence is accepted.
        const [created, joined, acted] = TEXTS[game.name] ?? [".+", ".+", ".+"];
        for (const [i, text] of texts.entries()) {
          expect(text).to.match(new RegExp(`^${[created, joined][i] ?? acted}$`));
        }
        const offered = { ...record, joinData: undefined, actions: [] };
        expect(await game.actionTexts!(offered, archive)).to.deep.equal(texts.slice(0, 1));
      }
    });
  }

  it("is rejected for an answer of the wrong length", async () => {
    const { game, record } = matches.find((each) => each.game.name === "mini-games")!;
    const longer = { ...record, joinData: `${record.joinData!}${"f6".repeat(8)}`, actions: [] };
    const refusal = await game.actionTexts!(longer, archive).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(RecordError);
    expect((refusal as RecordError).problem).to.equal("round 1: 9 bytes are no answer's move");
  });
});
