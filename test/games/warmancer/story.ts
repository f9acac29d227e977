import { expect } from "chai";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import { QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { Kind } from "../../../sdk/games/warmancer/state.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Paint, Telling } from "../../../sdk/games/module.js";
import { WIDER } from "../../support/warmancer/contest.js";
import { WrittenMatch } from "../../support/warmancer/written.js";

const LEGEND = [
  "T Throne, A Assassin, S Scout, E Seer, G Grunt, K Knight",
  "W Wraith, R Reaver, H Herald, C Champion, L Warlord, X Trap",
];
const MARKS = "▲ player 1, ▽ player 2";

/** Both Warlords fall, a Grunt takes the tile that another one leaves, and then a Throne. */
const quick = () => new WrittenMatch(QUICK, ["TG/SL", "GT/LS"], ["b2-c2 c2-b2", "b1-c1 c1-c2", "c1-d1 c2-b2"]).play();

/** Two Scouts fall, a Herald falls to a Champion, both Champions fall, and player 2 gives up. */
function skirmish(): WrittenMatch {
  const turns = ["a2-a4 d5-d4", "a4-a5 d4-d3", "c2-c3 d3-c3", "d2-c2 c3-c2", "e2-d2 c5-c4"];
  const match = new WrittenMatch(SKIRMISH, ["TAEGKW/SSHCLX", "SHLCSX/TAEGKW"], turns).play();
  const { driver } = match;
  if (driver.state.turn !== Seat.Two) driver.step();
  driver.send(Seat.Two, encodeAction(Kind.Concede, driver.position, driver.concession()));
  driver.step();
  return match;
}

const storyOf = (match: WrittenMatch, telling?: Telling, paint: Paint = (text) => text) =>
  warmancer.story(match.record(), match.history, paint, telling);

/** Plays written turns, and describes them without the board. */
async function sentences(mode: Mode, setups: [string, string], ...turns: string[]): Promise<string[]> {
  const story = await storyOf(new WrittenMatch(mode, setups, turns).play());
  return story.slice(0, story.indexOf(""));
}

const actionTexts = (match: WrittenMatch) => warmancer.actionTexts(match.record(), match.history);

describe("Warmancer: the story of a match", () => {
  it("describes a Quick match in sentences, and draws the end with proved ranks and the winner's setup", async () => {
    expect(await storyOf(quick())).to.deep.equal([
      "Turn 1: ▲b2 and ▽c2 attack each other; both Warlords fall",
      "Turn 2: ▽c1 to c2",
      "Turn 2: ▲b1 to c1, which the ▽pawn has just left",
      "Turn 3: ▽c2 to b2",
      "Turn 3: ▲c1 to d1, attacks the ▽pawn there; the ▽Throne falls to the ▲Grunt",
      "Turn 3: player 1 wins",
      "",
      "The end, with every rank that was shown",
      "   2 ▲S ▽?  . ▽?",
      "   1 ▲T  .  . ▲G",
      "      a  b  c  d",
      MARKS,
      ...LEGEND,
      "Setup of player 1: TG/SL",
      "Setup of player 2: ?T/L?",
    ]);
  });

  it("draws every turn of a Skirmish with what was public at that turn", async () => {
    const boards = (await storyOf(skirmish(), { turns: true, sight: "then" })).join("\n");
    expect(boards).to.equal(`Turn 1
  ▲a2 to a4
  ▽d5 to d4
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5 ▽? ▽? ▽?  . ▽? ▽?
   4 ▲?  #  . ▽?  #  .
   3  .  #  .  .  #  .
   2  . ▲? ▲? ▲? ▲? ▲?
   1 ▲? ▲? ▲? ▲? ▲? ▲?
      a  b  c  d  e  f

Turn 2
  ▽d4 to d3
  ▲a4 to a5, attacks the ▽pawn there; both Scouts fall
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5  . ▽? ▽?  . ▽? ▽?
   4  .  #  .  .  #  .
   3  .  #  . ▽?  #  .
   2  . ▲? ▲? ▲? ▲? ▲?
   1 ▲? ▲? ▲? ▲? ▲? ▲?
      a  b  c  d  e  f

Turn 3
  ▲c2 and ▽d3 meet on c3; the ▲Herald falls to the ▽Champion
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5  . ▽? ▽?  . ▽? ▽?
   4  .  #  .  .  #  .
   3  .  # ▽C  .  #  .
   2  . ▲?  . ▲? ▲? ▲?
   1 ▲? ▲? ▲? ▲? ▲? ▲?
      a  b  c  d  e  f

Turn 4
  ▲d2 and ▽Champion c3 meet on c2; both Champions fall
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5  . ▽? ▽?  . ▽? ▽?
   4  .  #  .  .  #  .
   3  .  #  .  .  #  .
   2  . ▲?  .  . ▲? ▲?
   1 ▲? ▲? ▲? ▲? ▲? ▲?
      a  b  c  d  e  f

Turn 5
  ▲e2 to d2
  ▽c5 to c4
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5  . ▽?  .  . ▽? ▽?
   4  .  # ▽?  .  #  .
   3  .  #  .  .  #  .
   2  . ▲?  . ▲?  . ▲?
   1 ▲? ▲? ▲? ▲? ▲? ▲?
      a  b  c  d  e  f

The end, with every rank that was shown
   6 ▽? ▽? ▽? ▽? ▽? ▽?
   5  . ▽?  .  . ▽? ▽?
   4  .  # ▽?  .  #  .
   3  .  #  .  .  #  .
   2  . ▲S  . ▲L  . ▲X
   1 ▲T ▲A ▲E ▲G ▲K ▲W
      a  b  c  d  e  f
${[MARKS, ...LEGEND].join("\n")}
Setup of player 1: TAEGKW/SSHCLX
Setup of player 2: S??C??/??????`);
  });

  for (const [sight, hidden, shown] of [
    ["end", "▽S", "▲S ▲H ▲C ▲L ▲X"],
    ["player 1", "▽?", "▲S ▲H ▲C ▲L ▲X"],
    ["player 2", "▽S", "▲? ▲? ▲? ▲? ▲?"],
    [undefined, "▽S", "▲S ▲H ▲C ▲L ▲X"],
  ] as const) {
    it(`draws every turn of a finished match with the revealed ranks: ${sight ?? "those known at the end by default"}`, async () => {
      const [, board] = (await storyOf(skirmish(), { turns: true, sight })).join("\n").split(/^Turn /m);
      expect(board).to.include(`
   5 ${hidden} ▽? ▽?  . ▽? ▽?
`);
      expect(board).to.include(`
   2  . ${shown}
`);
    });
  }

  it("fills in an army that the loser reveals afterwards", async () => {
    const match = skirmish();
    const shown = [{ seat: Seat.Two, secret: match.secret(1) }];
    const filled = (await storyOf(match, { turns: true, shown })).join("\n");
    expect(filled).to.include(`
   6 ▽T ▽A ▽E ▽G ▽K ▽W
   5  . ▽H ▽L  . ▽S ▽X
   4  .  #  .  .  #  .
   3  .  # ▽C  .  #  .
   2  . ▲S  . ▲C ▲L ▲X
`);
    expect(filled).to.match(/\nSetup of player 2: SHLCSX\/TAEGKW$/);
  });

  it("colours only pawns and names of players", async () => {
    const story = await storyOf(quick(), {}, (text, player) => `<${player}:${text}>`);
    expect(story[4]).to.equal(
      "Turn 3: <1:▲c1> to d1, attacks the <2:▽pawn> there; the <2:▽Throne> falls to the <1:▲Grunt>",
    );
    expect(story[5]).to.equal("Turn 3: <1:player 1> wins");
  });

  it("draws the board of a match in play with the recorded ranks only", async () => {
    const match = new WrittenMatch(WIDER, ["TG/SL", "LT/GS"], ["b1-c1 e1-d1", "c1-d1 d1-c1"]).play();
    const rows = ["   2 ▲? ▲?  .  . ▽? ▽?", "   1 ▲?  . ▽L  .  . ▽?", "      a  b  c  d  e  f"];
    expect((await storyOf(match)).slice(3)).to.deep.equal(["", ...rows, MARKS]);
    expect((await storyOf(match, { turns: true })).slice(-4)).to.deep.equal([...rows, MARKS]);
  });

  describe("names a pawn by its tile and, once it is known, by its rank", () => {
    for (const [what, mode, turns, expected] of [
      [
        "a pawn that wins between two that attack each other, on its target",
        WIDER,
        ["b1-c1 e1-d1", "c1-d1 d1-c1"],
        ["Turn 2: ▲c1 and ▽d1 attack each other; the ▲Grunt falls to the ▽Warlord, now on c1"],
      ],
      [
        "a known pawn that moves",
        WIDER,
        ["b1-c1 e1-d1", "c1-d1 d1-c1", "b2-c2 c1-d1"],
        ["Turn 3: ▲b2 to c2", "Turn 3: ▽Warlord c1 to d1"],
      ],
      [
        "a known pawn that is attacked, and a pawn that just left a tile",
        WIDER,
        ["b1-c1 e1-d1", "c1-d1 d1-c1", "b2-c2 e2-d2", "c2-c1 d2-c2"],
        [
          "Turn 4: ▲c2 to c1, attacks the ▽Warlord there; both Warlords fall",
          "Turn 4: ▽d2 to c2, which the ▲pawn has just left",
        ],
      ],
      [
        "a survivor that stays hidden",
        { ...WIDER, alwaysHidden: true },
        ["b1-c1 e1-d1", "c1-d1 d1-c1"],
        ["Turn 2: ▲c1 and ▽d1 attack each other; the ▲Grunt falls, and the ▽pawn is now on c1"],
      ],
      [
        "every pawn in a casual match",
        { ...WIDER, casual: true },
        ["b1-c1 e1-d1"],
        ["Turn 1: ▲Grunt b1 to c1", "Turn 1: ▽Warlord e1 to d1"],
      ],
    ] as [string, Mode, string[], string[]][]) {
      it(what, async () => {
        const setups: [string, string] = ["TG/SL", "LT/GS"];
        expect(await sentences(mode, setups, ...turns)).to.include.members(expected);
      });
    }
  });

  describe("describes actions", () => {
    it("describes actions with commitments", async () => {
      expect(await actionTexts(quick())).to.deep.equal([
        "commits to its setup",
        "commits to its setup",
        "commits to a move",
        "answers c2-b2",
        "reveals b2-c2 and proves the Warlord on b2",
        "proves the Warlord on c2 and commits to its next move",
        "answers b1-c1",
        "reveals c1-c2 and commits to its next move",
        "answers c1-d1",
        "reveals c2-b2 and proves the Throne on d1",
        "proves the Grunt on c1 and shows its setup",
      ]);
      expect((await actionTexts(skirmish())).slice(-2)).to.deep.equal(["concedes", "shows its setup"]);
    });

    it("describes open moves, alone and in turns", async () => {
      const setups: [string, string] = ["TG/SL", "LT/GS"];
      const sequential = { ...WIDER, sequential: true };
      const turns = ["b1-c1", "e1-d1", "c1-d1", "d1-c1"];
      expect((await actionTexts(new WrittenMatch(sequential, setups, turns).play())).slice(2)).to.deep.equal([
        "moves b1-c1",
        "moves e1-d1",
        "moves c1-d1 and proves the Grunt on c1",
        "proves the Warlord on d1 and moves d1-c1",
      ]);
      const casual = { ...WIDER, casual: true };
      const open = new WrittenMatch(casual, setups, ["b1-c1 e1-d1", "c1-c2 d1-c1"]);
      open.driver.play(2);
      expect(await actionTexts(open)).to.deep.equal([
        "shows its setup",
        "shows its setup",
        "moves b1-c1",
        "moves e1-d1 and moves d1-c1",
      ]);
    });

    it("describes stuck players", async () => {
      const match = new WrittenMatch(WIDER, ["TG/SL", "LT/GS"], ["stuck b1-c1"]);
      match.driver.step();
      expect((await actionTexts(match)).at(-1)).to.equal("has no legal move");
      const answered = new WrittenMatch(WIDER, ["TG/SL", "LT/GS"], ["b1-c1 stuck"]);
      answered.driver.play(2);
      expect((await actionTexts(answered)).at(-1)).to.equal("answers that it has no legal move");
    });
  });
});
