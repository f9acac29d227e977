import { expect } from "chai";
import { miniGames, type MiniGameFrame } from "../../../sdk/games/mini-games/index.js";
import { recorded } from "../../support/recorded.js";

describe("Mini-games: the animation of a match", () => {
  it("has one frame with both moves or rolls, the coin if one is flipped, and the winner", async () => {
    const { archive, matches } = await recorded();
    const own = matches.filter(({ game }) => game === miniGames);
    for (const { record } of own) {
      const frames = (await miniGames.frames!(record, archive)) as MiniGameFrame[];
      expect(frames).to.have.length(1);
      const [{ game, moves, values, coin, tie, winner, result, text }] = frames;
      const [played] = (await miniGames.decodeLog(record, archive)) as { flip: number; result: number }[];
      expect([values, winner, tie]).to.deep.equal([
        (played as unknown as MiniGameFrame).values,
        result!.winner,
        played.result === 0,
      ]);
      expect(coin).to.equal(game === "coin flip" ? ["heads", "tails"][played.flip] : null);
      if (game === "rock-paper-scissors") {
        expect(moves).to.deep.equal(values.map((value) => ["rock", "paper", "scissors"][value]));
        expect(text).to.match(/^Rock-paper-scissors\. Player 1 plays (\w+)\. Player 2 plays \w+\. /);
      }
    }
  });
});
