import { expect } from "chai";
import { ZeroHash } from "ethers";
import type { History } from "../../../sdk/chain/history.js";
import { guardians } from "../../../sdk/games/guardians/index.js";
import { decodeTeam, encodeTeam } from "../../../sdk/games/guardians/moves.js";
import { defaultMode } from "../../../sdk/games/guardians/mode.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { refusalsBy } from "../../support/input.js";

const SEED = `0x${"1a".repeat(32)}`;
const CARD = { power: 500, defense: 200, hp: 1000, speed: 100, critical: 250, luck: 150, type: 4 };
const TEAM = [CARD, CARD, CARD];
const good = { seed: SEED, teams: [TEAM, TEAM] };
const { refuses } = refusalsBy(guardians.simulate);

const withMode = (mode: unknown) => ({ ...good, mode });
const withCard = (card: unknown) => ({ ...good, teams: [TEAM, [CARD, CARD, card]] });
const BOUNDS = { teamSize: [1, 5], maxTurns: [1, 500], dodgeCap: [0, 1000] };
const STATS = {
  power: [1, 65_535],
  defense: [0, 65_535],
  hp: [1, 65_535],
  speed: [1, 65_535],
  critical: [0, 1000],
  luck: [0, 1000],
  type: [0, 7],
};

describe("Guardians: input", () => {
  refuses("input that is not an object with the right fields", (value) => value, [
    [null, "input: null is not an object"],
    [{ teams: good.teams }, "seed: left out"],
    [{ seed: SEED }, "teams: left out"],
    [{ ...good, sed: 1 }, "sed: unknown field"],
    [{ ...good, seed: "0x12" }, 'seed: "0x12" is not 0x and 64 hex digits'],
    [withMode({ teamsize: 1 }), "mode.teamsize: unknown field"],
    [withMode(null), "mode: null is not an object"],
    [withCard({ ...CARD, name: "Nova" }), "teams[1][2].name: unknown field"],
    [withCard([500]), "teams[1][2]: a list is not an object"],
  ]);

  refuses("teams whose size differs from the mode", (value) => value, [
    [{ ...good, teams: [TEAM] }, "teams: 1 items instead of 2"],
    [{ ...good, teams: [TEAM, TEAM, TEAM] }, "teams: 3 items instead of 2"],
    [{ ...good, teams: [TEAM, [CARD]] }, "teams[1]: 1 items instead of 3"],
    [{ ...good, teams: [[...TEAM, CARD], TEAM] }, "teams[0]: 4 items instead of 3"],
    [withMode({ teamSize: 1 }), "teams[0]: 3 items instead of 1"],
    [withMode({ teamSize: 5 }), "teams[0]: 3 items instead of 5"],
  ]);

  for (const [field, [min, max]] of Object.entries(BOUNDS)) {
    refuses(`${field} out of bounds`, (value) => withMode({ [field]: value }), [
      [min - 1, `mode.${field}: ${min - 1} is below ${min}`],
      [max + 1, `mode.${field}: ${max + 1} is above ${max}`],
      [max - 0.5, `mode.${field}: ${max - 0.5} is not an integer`],
      ["1", `mode.${field}: "1" is not an integer`],
    ]);
  }

  for (const [field, [min, max]] of Object.entries(STATS)) {
    refuses(`${field} out of bounds`, (value) => withCard({ ...CARD, [field]: value }), [
      [min - 1, `teams[1][2].${field}: ${min - 1} is below ${min}`],
      [max + 1, `teams[1][2].${field}: ${max + 1} is above ${max}`],
      [JSON.parse("1e400"), `teams[1][2].${field}: Infinity is not an integer`],
      [null, `teams[1][2].${field}: null is not an integer`],
      [undefined, `teams[1][2].${field}: left out`],
    ]);
  }

  it("accepts every bound and uppercase seeds, and fills in defaults of the mode", async () => {
    const plain = await guardians.simulate(good);
    const loud = { ...good, seed: `0x${SEED.slice(2).toUpperCase()}` };
    for (const input of [withMode({}), withMode(defaultMode), withMode({ dodgeCap: 750 }), loud]) {
      expect(await guardians.simulate(input)).to.deep.equal(plain);
    }
    for (const end of [0, 1]) {
      const atEnd = (bounds: Record<string, number[]>) =>
        Object.fromEntries(Object.entries(bounds).map(([field, each]) => [field, each[end]]));
      const mode = atEnd(BOUNDS);
      const team = new Array<unknown>(mode.teamSize).fill(atEnd(STATS));
      const { turns } = await guardians.simulate({ seed: SEED, mode, teams: [team, team] });
      expect(turns.length).to.be.within(1, 500);
    }
  });

  /** Turn of a player in a match of the default mode, with teams of three. */
  const turn = { seat: 1n, player: SEED, game: SEED, mode: ZeroHash, history: undefined as unknown as History };

  it("reads a team from the numbers of its cards", async () => {
    for (const ids of [
      [1n, 2n, 3n],
      [5n, 4n, 2n ** 100n],
    ]) {
      const team = await guardians.moves.parse(ids.map(String), turn);
      expect(team).to.deep.equal(ids);
      expect(await guardians.moves.args(team, turn)).to.deep.equal(ids.map(String));
      expect(decodeTeam(encodeTeam(ids))).to.deep.equal(ids);
    }
  });

  it("rejects arguments and bytes that are not a team", async () => {
    for (const [args, message] of [
      [[], "team: 0 cards instead of 3"],
      [["1", "2", "3", "4"], "team: 4 cards instead of 3"],
      [["1", "2", "two"], "team: two is not a card's number"],
      [["1", "2", "-2"], "team: -2 is not a card's number"],
      [["1", "2", "1"], "team: card 1 is in it twice"],
    ] as const) {
      expect(await guardians.moves.parse(args, turn).catch(String)).to.equal(`InputError: ${message}`);
    }
    for (const [move, message] of [
      ["0x", "team: 0 cards instead of 1 to 5"],
      [`0x${"00".repeat(17)}`, "team: 17 bytes are no whole ids"],
      [`0x${"00".repeat(96)}`, "team: 6 cards instead of 1 to 5"],
    ] as const) {
      expect(() => decodeTeam(move)).to.throw(InputError, message);
    }
  });
});
