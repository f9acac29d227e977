import { expect } from "chai";
import { parseEther, ZeroHash } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { changeLines } from "../../../cli/shared/match/changes.js";
import { History } from "../../../sdk/chain/history.js";
import { NeverMinted } from "../../../sdk/chain/characters.js";
import { resultsBy } from "../../../sdk/protocol/ladder.js";
import { added, countersText, tally, type Counters } from "../../../sdk/games/counters.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import { Client } from "../../../sdk/player/client.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { firstTurn, turnOf } from "../../../sdk/games/moves.js";
import { changesIn, characterStats, statsOf, type GameStats } from "../../../sdk/player/stats.js";
import { offerOf } from "../../../sdk/protocol/offer.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { COIN, type Terms } from "../../../sdk/protocol/terms.js";
import { FightToken__factory } from "../../../typechain-types/index.js";
import { Original } from "../../support/doctored.js";
import { provider as recorded } from "../../support/recording.js";

const CLOCK = 3600n;
const STAKE = parseEther("10");
const TIC_TAC_TOE = stockGame("tic-tac-toe");
const { moves } = TIC_TAC_TOE;
/** Cells that players mark in turn without a row of three. */
const DRAWN = [0, 4, 8, 1, 7, 6, 2, 5, 3];

// A separate chain, on which the Ignition module deploys the contracts.
const connection = await network.create();
const { ethers, networkHelpers } = connection;
const { loadFixture, time } = networkHelpers;

async function deployed() {
  const [owner, treasury, ...players] = await ethers.getSigners();
  const parameters = { Duello: { treasury: treasury.address } };
  const addresses = await addressesOf(await connection.ignition.deploy(Duello, { parameters }));
  const [alice, bob] = await Promise.all(players.slice(0, 2).map((player) => Client.connect(addresses, games, player)));
  const fight = FightToken__factory.connect(addresses.FightToken, owner);
  for (const player of [alice, bob]) {
    await fight.mint(player.address, 100n * STAKE);
    await player.deposit(addresses.FightToken, 100n * STAKE);
    await player.deposit(COIN, STAKE);
  }
  return { addresses, alice, bob, history: new History(ethers.provider, addresses) };
}

describe("The statistics of a player", () => {
  let world: Awaited<ReturnType<typeof deployed>>;

  beforeEach(async () => {
    world = await loadFixture(deployed);
  });
  after(() => connection.close());

  const storeOf = (player: Client) => secretStoreWith(randomKey(), player.committer(world.addresses.TicTacToe));

  /** Starts a match of tic-tac-toe of alice against bob. @returns its number. */
  async function inPlay(changes: Partial<Terms> = {}): Promise<bigint> {
    const { alice, bob, addresses, history } = world;
    const stakes = { token: addresses.FightToken, stake1: STAKE, stake2: STAKE };
    const terms = { game: addresses.TicTacToe, mode: ZeroHash, clock: CLOCK, rated: true, ...stakes, ...changes };
    const first = firstTurn(terms, alice.address, history);
    const data = await moves.create(DRAWN[0], first, storeOf(alice));
    const acceptedRisks = ["worse-odds", "short-clock"] as const;
    const { matchId } = await alice.create({ terms, opponent: bob.address, data }, { acceptedRisks });
    const record = await history.match(matchId);
    const second = turnOf(record, Seat.Two, bob.address, history);
    const answer = await moves.join(DRAWN[1], second, storeOf(bob));
    await bob.join(offerOf(record), answer, { acceptedRisks });
    return matchId;
  }

  /** Lets the players mark these cells in turn, after bob has joined. */
  async function mark(matchId: bigint, cells: readonly number[]): Promise<void> {
    const { alice, bob, history } = world;
    for (const [i, cell] of cells.entries()) {
      const player = i % 2 === 0 ? alice : bob;
      await takeTurn(player, history, matchId, { secretStore: storeOf(player), move: async () => cell });
    }
  }

  /** Plays a loss, a win by the clock for coin, a draw, a win, and an unrated match, all from alice's side. */
  async function season(): Promise<bigint> {
    const { alice, bob } = world;
    await alice.resign(await inPlay());
    const silent = await inPlay({ token: COIN, stake1: 3n, stake2: 1n });
    const { deadline } = await alice.arena.matchOf(silent);
    await mark(silent, DRAWN.slice(2, 3));
    await time.increaseTo(deadline + CLOCK);
    await alice.timeout(silent);
    await mark(await inPlay(), DRAWN.slice(2));
    const last = await inPlay();
    await bob.resign(last);
    await bob.resign(await inPlay({ rated: false }));
    return last;
  }

  const lastDuelOf = async (matchId: bigint) => {
    const block = await ethers.provider.getBlock((await world.history.endOf(matchId))!);
    return BigInt(block!.timestamp);
  };

  it("consist of zeros and the initial rating for a player without a match", async () => {
    const { alice, bob, addresses } = world;
    const stats = await alice.statsOf(bob.address);
    expect(stats.games.map(({ game }) => game)).to.deep.equal(games.map(({ name }) => name));
    for (const { game: _, own, ...record } of stats.games) {
      const zeros = { experience: 0n, wins: 0n, losses: 0n, draws: 0n, forfeits: 0n, lastDuel: 0n };
      expect(record).to.deep.equal({ rating: 1000n, ...zeros, duels: 0n, level: 1n });
      if (own) expect(own.text).to.equal("no honour yet");
    }
    const nothing = { staked: 0n, won: 0n, net: 0n };
    const tokens = [COIN, addresses.FightToken].map((token) => ({ token, ...nothing }));
    expect(stats.tokens).to.deep.equal(tokens);
  });

  it("count wins, losses, draws and forfeits, and sum the stakes, payments and net gain in each of two tokens, after fees", async () => {
    const { alice, bob, addresses, history } = world;
    const last = await season();
    const [own, other] = await Promise.all([alice, bob].map(({ address }) => statsOf(history, [TIC_TAC_TOE], address)));
    const lastDuel = await lastDuelOf(last);
    // Ratings: 1000, 980 after the loss, 1002 after the win (20 * 440 / 400 is 22), and 1022 after the last win.
    const result = { game: "tic-tac-toe", duels: 4n, lastDuel };
    const alices = { rating: 1022n, experience: 140n, level: 2n, wins: 2n, losses: 1n, draws: 1n, forfeits: 0n };
    // Ratings: 1020 after the win, 1002 after the loss (20 * 360 / 400 is 18), then 982. Experience: 50 + 0 + 20 + 20.
    const bobs = { rating: 982n, experience: 90n, level: 1n, wins: 1n, losses: 2n, draws: 1n, forfeits: 1n };
    expect([own.games, other.games]).to.deep.equal([[{ ...result, ...alices }], [{ ...result, ...bobs }]]);
    // Three matches for 10 FIGHT each: a win pays 16 of the 20, and a draw pays 10. A win by the clock costs no fee.
    const fight = { token: addresses.FightToken, staked: 3n * STAKE, won: parseEther("26"), net: -parseEther("4") };
    expect(own.tokens).to.deep.equal([{ token: COIN, staked: 3n, won: 4n, net: 1n }, fight]);
    expect(other.tokens).to.deep.equal([{ token: COIN, staked: 1n, won: 0n, net: -1n }, fight]);
  });

  it("cover only the chosen games and tokens", async () => {
    const { alice, bob, history } = world;
    const chosen = await statsOf(history, [stockGame("pistols")], alice.address, [bob.address]);
    expect(chosen.games.map(({ game }) => game)).to.deep.equal(["pistols"]);
    expect(chosen.tokens.map(({ token }) => token)).to.deep.equal([bob.address]);
  });

  it("show how a match has changed the records of both players", async () => {
    const { history } = world;
    const last = await season();
    const changes = (await changesIn(await history.match(last), history, games))!;
    expect(changes.players.map(({ result, experience }) => [result, experience])).to.deep.equal([
      ["win", 50n],
      ["loss", 20n],
    ]);
    expect(changeLines(changes, games)).to.deep.equal([
      "Player 1: rating 1002 → 1022, experience +50 (level 1 → 2), 2 wins, 1 loss, 1 draw.",
      "Player 2: rating 1002 → 982, experience +20 (level 1), 1 win, 2 losses (1 by the clock), 1 draw.",
    ]);
    const unrated = (await changesIn(await history.match(last + 1n), history, games))!;
    expect([unrated.players, unrated.characters, changeLines(unrated, games)]).to.deep.equal([[], [], []]);
    const open = await inPlay();
    expect(await changesIn(await history.match(open), history, games)).to.equal(undefined);
  });

  it("omit the records if two matches end in one block, because the state between them cannot be read", async () => {
    const { bob, history } = world;
    const both = [await inPlay(), await inPlay()];
    const provider = ethers.provider;
    await provider.send("evm_setAutomine", [false]);
    try {
      for (const matchId of both) await bob.arena.resign(matchId, { gasLimit: 500_000 });
      await provider.send("evm_mine", []);
    } finally {
      await provider.send("evm_setAutomine", [true]);
    }
    expect(await history.endOf(both[0])).to.equal(await history.endOf(both[1]));
    const told = await Promise.all(
      both.map(async (id) => changeLines(await changesIn(await history.match(id), history, games), games)),
    );
    expect(told).to.deep.equal([
      ["Player 1: rating 1020, experience +50.", "Player 2: rating 980, experience +20."],
      ["Player 1: rating 1038, experience +50.", "Player 2: rating 958, experience +20."],
    ]);
  });

  it("omit the records if the node has pruned the state before the end, and fail if the node fails", async () => {
    const { bob, addresses } = world;
    const matchId = await inPlay();
    await bob.resign(matchId);
    for (const [message, isTold] of [
      ["missing trie node 12ab (path )", true],
      ["out of order", false],
    ] as const) {
      const provider = new Proxy(ethers.provider, {
        get(target, name) {
          if (name === "call") {
            return async (call: { blockTag?: number }) => {
              if (typeof call.blockTag === "number") throw new Error(message);
              return target.call(call);
            };
          }
          const value = Reflect.get(target, name) as unknown;
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      const history = new History(provider, addresses);
      const told = changesIn(await history.match(matchId), history, games).then(
        (each) => changeLines(each, games),
        (error: unknown) => String(error),
      );
      expect(await told).to.deep.equal(
        isTold
          ? ["Player 1: rating 1020, experience +50.", "Player 2: rating 980, experience +20."]
          : `Error: ${message}`,
      );
    }
  });

  it("refuse a character in a game without characters, and a character that was never minted", async () => {
    const { alice, history } = world;
    const error = await characterStats(history, TIC_TAC_TOE, 1n).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.equal("Players of tic-tac-toe own no characters.");
    for (const game of games.filter(({ characters }) => characters)) {
      const never = await alice.characterStats(game, 99n).catch((thrown: unknown) => thrown);
      expect(never).to.be.instanceOf(NeverMinted);
    }
  });
});

describe("The statistics of the recorded arena, which covers every kind of event", () => {
  let original: Original;
  let history: History;

  before(async () => {
    original = await Original.ofRecording();
    history = new History(recorded, original.archive.addresses);
  });

  const matchesOf = async () => {
    const { archive } = original;
    const created = archive.find(archive.addresses.Arena, "Created");
    return Promise.all(created.map(({ args }) => archive.match(args.matchId)));
  };

  it("agree with the matches, for every player, game and token", async () => {
    const { addresses } = original.archive;
    const rated = (await matchesOf()).filter(
      ({ settlement }) => settlement && settlement.rating1 + settlement.rating2 > 0n,
    );
    const players = new Set(rated.flatMap(({ player1, player2 }) => [player1, player2!]));
    expect(players.size).to.be.greaterThan(2);
    const seen = new Set<string>();
    for (const player of players) {
      const stats = await statsOf(history, games, player);
      const own = rated.flatMap(({ terms, settlement, player1, player2 }) =>
        [player1, player2].flatMap((each, side) => {
          if (each !== player) return [];
          const [staked, won] = side === 0 ? [terms.stake1, settlement!.paid1] : [terms.stake2, settlement!.paid2];
          return [{ ...terms, result: resultsBy(settlement!.status)[side], staked, won }];
        }),
      );
      for (const { game, duels, wins, losses, draws, forfeits, experience } of stats.games) {
        const results = own
          .filter((each) => each.game === addresses[stockGame(game).contract])
          .map(({ result }) => result);
        const count = (...wanted: string[]) => BigInt(results.filter((result) => wanted.includes(result)).length);
        results.forEach((result) => seen.add(result));
        expect([wins, losses, draws, forfeits]).to.deep.equal([
          count("win"),
          count("loss", "forfeit"),
          count("draw"),
          count("forfeit"),
        ]);
        expect(duels).to.equal(BigInt(results.length));
        expect(experience).to.equal(50n * wins + 20n * (losses - forfeits + draws));
      }
      for (const { token, staked, won, net } of stats.tokens) {
        const sum = (field: "staked" | "won") =>
          own.filter((each) => each.token === token).reduce((total, each) => total + each[field], 0n);
        expect([staked, won, net]).to.deep.equal([sum("staked"), sum("won"), sum("won") - sum("staked")]);
      }
    }
    expect([...seen]).to.have.members(["win", "loss", "draw", "forfeit"]);
  });

  it("show for every match a change that starts at the result of the player's previous match", async () => {
    const latest = new Map<string, GameStats["rating"]>();
    const ended = (await matchesOf()).filter(({ settlement }) => settlement);
    const order = await Promise.all(
      ended.map(async (record) => [(await history.endOf(record.matchId))!, record] as const),
    );
    let told = 0;
    for (const [, record] of order.toSorted(([one], [other]) => one - other)) {
      for (const { player, records, rating } of (await changesIn(record, history, games))!.players) {
        const key = `${player} ${record.terms.game}`;
        expect(records?.before.rating).to.equal(latest.get(key) ?? 1000n);
        expect(records?.after.rating).to.equal(rating);
        latest.set(key, rating);
        told++;
      }
    }
    expect(told).to.be.greaterThan(30);
  });

  for (const game of games.filter(({ characters }) => characters)) {
    const { noun, counters, fought } = game.characters!;

    it(`equal the sum over all battles of a ${noun}`, async () => {
      const address = original.archive.addresses[game.contract];
      const sums = new Map<bigint, Counters>();
      for (const record of await matchesOf()) {
        if (record.terms.game !== address) continue;
        for (const { id, counters: more } of (await fought(record, history)).flat()) {
          sums.set(id, added(sums.get(id) ?? Object.fromEntries(Object.keys(more).map((name) => [name, 0n])), more));
        }
      }
      expect(sums.size).to.be.greaterThan(5);
      const kept = await counters([...sums.keys()], history, await recorded.getBlockNumber(), address);
      let kills = 0n;
      for (const [i, sum] of [...sums.values()].entries()) {
        expect(kept[i]).to.include(sum);
        kills += sum.kills;
      }
      expect(kills).to.be.greaterThan(0n);
    });
  }

  it("count the battles and wins of cards from the ends of their matches", async () => {
    const { counters, idsIn: _, ...kind } = stockGame("guardians").characters!;
    const { addresses } = original.archive;
    const expected = new Map<bigint, [battles: bigint, wins: bigint]>();
    for (const record of await matchesOf()) {
      if (record.terms.game !== addresses.Guardians) continue;
      for (const [side, team] of (await kind.fought(record, history)).entries()) {
        for (const { id } of team) {
          const [battles, wins] = expected.get(id) ?? [0n, 0n];
          const hasWon = resultsBy(record.settlement!.status)[side] === "win";
          expected.set(id, [battles + 1n, wins + (hasWon ? 1n : 0n)]);
        }
      }
    }
    const found = await counters([...expected.keys()], history, await recorded.getBlockNumber(), addresses.Guardians);
    expect(found.map(({ battles, wins }) => [battles, wins])).to.deep.equal([...expected.values()]);
    expect(found.some(({ wins }) => wins > 0n)).to.equal(true);
  });
});

describe("The counters of actions", () => {
  it("are printed in the singular if they are 1, and only the requested counters are printed", () => {
    const counters = { kills: 1n, deaths: 0n, damageDealt: 1n, damageReceived: 20n };
    expect(countersText(counters)).to.equal("1 kill, 0 deaths, 1 damage dealt, 20 damage received");
    expect(countersText(counters, ["deaths"])).to.equal("0 deaths");
  });

  it("are separate for each side, because a character may be on both sides", () => {
    const attack = { attacker: 2, attackerSlot: 0, defenderSlot: 0 };
    const sides = tally([[7n], [7n]], [attack], { kills: 0n }, () => ({ attacker: { kills: true }, defender: {} }));
    expect(sides).to.deep.equal([[{ id: 7n, counters: { kills: 0n } }], [{ id: 7n, counters: { kills: 1n } }]]);
  });

  it("reject an attack on a slot that no team has", () => {
    const attack = { attacker: 1, attackerSlot: 0, defenderSlot: 1 };
    const count = () => tally([[7n], [8n]], [attack], { kills: 0n }, () => ({ attacker: {}, defender: {} }));
    expect(count).to.throw("an attack is of a character that no team has");
  });
});
