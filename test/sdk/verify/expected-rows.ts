import { expect } from "chai";
import type { Provider } from "ethers";
import { Archive } from "../../../sdk/chain/archive.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { stockGame } from "../../../sdk/games/index.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { termsHash } from "../../../sdk/protocol/terms.js";
import { expectedRows } from "../../../sdk/verify/expected-rows.js";
import {
  acted,
  addressOf,
  ALICE,
  ARENA,
  BOB,
  created,
  GAME,
  joined,
  opened,
  settled,
  TERMS,
  termsAdded,
  TOKEN,
} from "../../support/made-up-events.js";

const DAY = 86_400;

/** Returns the rows of events in their order; the time of a block is its number. */
function rowsOf(events: readonly AnyEvent[], own: Parameters<typeof expectedRows>[1] = []) {
  const placed = events.map((event, index) => ({ ...event, index }));
  const blocks = [...new Set(events.map(({ block }) => block))];
  const times = blocks.map((block) => [block, BigInt(block)] as const);
  const last = { number: Math.max(...blocks), hash: "" };
  const addresses = { Arena: ARENA, FightToken: TOKEN, Pistols: GAME };
  return expectedRows(
    new Archive(undefined as unknown as Provider, addresses, { chainId: 1n, last, events: placed, times }),
    own,
  );
}

/** Returns the offer and the answer of a match between alice and an opponent. */
const begun = (matchId: bigint, player2 = BOB, block = 1000) => [
  created({ matchId }, { block }),
  joined({ matchId, player2 }, { block }),
];
/** Returns a win of alice. */
const won = (matchId: bigint, block: number) =>
  settled({ matchId, status: Status.P1Win, rating1: 1020n, rating2: 980n }, { block });

describe("The rows of an index that events lead to", () => {
  it("rate matches in the order of their ends", async () => {
    const events = [termsAdded(), ...begun(1n), ...begun(2n), won(2n, 1001), won(1n, 1002)];
    const { ratingChange } = await rowsOf(events);
    const ofAlice = ratingChange.filter(({ player }) => player === ALICE);
    expect(ofAlice.map(({ matchId }) => matchId)).to.deep.equal([2n, 1n]);
    expect(ofAlice[0].before).to.equal(1000);
    expect(ofAlice[1].before).to.equal(ofAlice[0].after);
  });

  it("have a purse only for a player who has locked money in a channel", async () => {
    const { purse } = await rowsOf([opened({ amount1: 60n, amount2: 0n })]);
    expect(purse.map(({ player, staked }) => [player, staked])).to.deep.equal([[ALICE, 60n]]);
    const other = await rowsOf([opened({ amount1: 0n, amount2: 50n })]);
    expect(other.purse.map(({ player, staked }) => [player, staked])).to.deep.equal([[BOB, 50n]]);
  });

  it("list a player's opponents until there are three", async () => {
    const matches = (count: number) =>
      Array.from({ length: count }, (_, i) => [...begun(BigInt(i + 1), addressOf(0x61 + i)), won(BigInt(i + 1), 1001)]);
    const alice = async (count: number) =>
      (await rowsOf([termsAdded(), ...matches(count).flat()])).record.find(({ player }) => player === ALICE)!;
    const { firstOpponents } = await alice(2);
    expect(firstOpponents).to.deep.equal([addressOf(0x61), addressOf(0x62)]);
    expect(await alice(3)).to.deep.include({ opponents: 3, firstOpponents: [] });
  });

  it("have the values of players after matches in the order of their ends", async () => {
    const forfeit = (matchId: bigint, block: number) =>
      settled({ matchId, status: Status.P1WinInactive, rating1: 1020n, rating2: 980n }, { block });
    const events = [termsAdded(), ...begun(1n), ...begun(2n), forfeit(2n, 1001), forfeit(1n, 1002)];
    const pistols = stockGame("pistols");
    const ofPlayers = {
      ...pistols.kept!.ofPlayers!,
      keeping: {
        fresh: { ended: "" },
        after: ({ matchId }: { matchId: bigint }, _side: number, values: object) => {
          return { ended: `${(values as { ended: string }).ended}${matchId}` };
        },
      },
    };
    const game = { ...pistols, kept: { ...pistols.kept!, ofPlayers } } as unknown as GameModule;
    const { keeping } = await rowsOf(events, [game]);
    expect(keeping.map(({ values }) => values)).to.deep.equal([{ ended: "21" }, { ended: "21" }]);
  });

  it("have no values of a player whose values never changed", async () => {
    const forfeit = settled(
      { matchId: 1n, status: Status.P1WinInactive, rating1: 1020n, rating2: 980n },
      { block: 1001 },
    );
    const { keeping, match } = await rowsOf([termsAdded(), ...begun(1n), forfeit], [stockGame("pistols")]);
    expect(match.map(({ status }) => status)).to.deep.equal([Number(Status.P1WinInactive)]);
    expect(keeping).to.deep.equal([]);
  });

  it("have the player who acts among the active players of a day", async () => {
    const [first, second] = [DAY, 2 * DAY];
    const events = [
      termsAdded(),
      created({ termsHash: termsHash(TERMS) }, { block: 0 }),
      joined({}, { block: 0 }),
      acted(Seat.One, {}, { block: first }),
      acted(Seat.Two, {}, { block: second }),
    ];
    const { dayPlayer } = await rowsOf(events);
    const on = (day: number) => dayPlayer.filter((row) => row.day === day).map(({ player }) => player);
    expect([on(0), on(1), on(2)]).to.deep.equal([[ALICE, BOB], [ALICE], [BOB]]);
  });
});
