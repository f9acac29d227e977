import { expect } from "chai";
import { toBeHex, ZeroHash } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { Client } from "../../../sdk/player/client.js";
import { choiceIn } from "../../../sdk/games/auto-battler/bot.js";
import { demoOf, modeHash } from "../../../sdk/games/modes.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { viewOf } from "../../../sdk/games/mini-games/bot.js";
import type { GameModule, Team } from "../../../sdk/games/module.js";
import { bladesView, pacesView } from "../../../sdk/games/pistols/strategy.js";
import type { BladesView } from "../../../sdk/games/pistols/bot.js";
import { teamView } from "../../../sdk/games/teams.js";
import { History } from "../../../sdk/chain/history.js";
import { firstTurn, turnOf, type SecretStore, type OpenTurn, type Turn } from "../../../sdk/games/moves.js";
import { encodeReveal, NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { pastRounds } from "../../../sdk/games/past-rounds.js";
import { replay } from "../../../sdk/verify/replay.js";
import { secretStoreWith, randomKey } from "../../../sdk/player/secrets.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { strategyOf } from "../../../sdk/games/assessment.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { Arena__factory, Fighters__factory, GuardianCards__factory } from "../../../typechain-types/index.js";
import { expectClose } from "../../support/bots.js";
import { UNIT } from "../../support/index.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";
import { cardContract } from "../../../sdk/games/guardians/cards.js";

// A separate chain, on which the Ignition module deploys the contracts.
const { ethers, ignition, networkHelpers } = await network.create();

const DAY = 86_400;
const OWNED = 9;
const RPS = modeHash(stockGame("mini-games").modes["rock-paper-scissors"].content);

/** Chooses the arguments of a player's move. */
type Find = (turn: Turn, secretStore: SecretStore) => Promise<unknown>;

describe("A strategy on a chain", () => {
  let history: History;
  let players: [Client, Client];
  let carol: Client;
  const keys = new Map<string, string>();

  before(async () => {
    const [owner, treasury, ...signers] = await ethers.getSigners();
    const contracts = await ignition.deploy(Duello, { parameters: { Duello: { treasury: treasury.address } } });
    const addresses = await addressesOf(contracts);
    history = new History(ethers.provider, addresses);
    const [alice, bob, ...others] = await Promise.all(
      signers.slice(0, 3).map((signer) => Client.connect(addresses, games, signer)),
    );
    players = [alice, bob];
    [carol] = others;
    const fighters = Fighters__factory.connect(addresses.Fighters, owner);
    const cards = GuardianCards__factory.connect(addresses.GuardianCards, owner);
    for (const token of [fighters, cards]) await token.setMinter(owner, true);
    for (const { address } of players) {
      for (let n = 0; n < OWNED; n++) {
        const tiers = [0, 1, 2, 3, 4, 5].map((stat) => 1n + BigInt((n + stat * n) % 3));
        await fighters.mint(address, n, tiers, false);
        await cards.mint(address, {
          power: 300 + n,
          defense: 200,
          hp: 900,
          speed: 50 + n,
          critical: 100,
          luck: 100,
          cardType: n % 8,
        });
      }
    }
    for (const player of players) await player.deposit(ethers.ZeroAddress, UNIT);
  });

  const secretStoreOf = (player: Client, game: string): SecretStore => {
    const key = keys.get(player.address) ?? randomKey();
    keys.set(player.address, key);
    return secretStoreWith(key, player.committer(game));
  };

  interface Plan {
    mode?: string;
    by?: readonly [Client, Client];
    finds?: readonly [Find, Find];
    stakes?: readonly [bigint, bigint];
    /** Called with the turn before each move. */
    look?(turn: Turn, secretStore: SecretStore): Promise<void>;
    rated?: boolean;
  }

  /** Plays a match to its end. @returns its number. */
  async function match(game: GameModule, plan: Plan = {}): Promise<bigint> {
    const { mode = "0x", by = players, finds = [], stakes = [0n, 0n], look, rated = true } = plan;
    const { moves, contract } = game;
    const address = history.addresses[contract];
    const found = async (turn: Turn, secretStore: SecretStore) => {
      await look?.(turn, secretStore);
      return (finds[Number(turn.seat) - 1] ?? strategyOf(game))(turn, secretStore);
    };
    const [one, two] = by;
    const turn = firstTurn({ game: address, mode: modeHash(mode) }, one.address, history);
    const secretStore = secretStoreOf(one, address);
    const data = await moves.create(await found(turn, secretStore), turn, secretStore);
    const terms = { game: address, mode: turn.mode, token: ethers.ZeroAddress, clock: 3600n, rated };
    const acceptedRisks = ["worse-odds"] as const;
    const challenge = { terms: { ...terms, stake1: stakes[0], stake2: stakes[1] }, opponent: two.address, data };
    const offer = await one.create(challenge, { acceptedRisks });
    const { matchId } = offer;
    const second = turnOf(await history.match(matchId), Seat.Two, two.address, history);
    const other = secretStoreOf(two, address);
    await two.join(offer, await moves.join(await found(second, other), second, other), { acceptedRisks });
    const arena = Arena__factory.connect(history.addresses.Arena, ethers.provider);
    for (;;) {
      const { status, turn: seat } = await arena.matchOf(matchId);
      if (status !== Status.AllJoined) return matchId;
      const player = seat === Seat.One ? one : two;
      const own = secretStoreOf(player, address);
      await takeTurn(player, history, matchId, { secretStore: own, move: (open) => found(open, own) });
    }
  }

  const always =
    (move: unknown): Find =>
    async () =>
      move;

  for (const game of games.filter(({ bot }) => bot !== undefined)) {
    const modes = game.demo === undefined ? Object.values(game.modes) : [demoOf(game)];
    it(`plays whole matches in both seats, in every published mode: ${game.name}`, async () => {
      for (const { content } of modes) {
        const matchId = await match(game, { mode: content });
        const { record, mismatch } = await replay(history, games, matchId);
        expect([mismatch, record.settlement!.status]).to.satisfy(
          ([none, status]: unknown[]) =>
            none === undefined && [Status.P1Win, Status.P2Win, Status.Draw].includes(status as never),
        );
        await networkHelpers.time.increase(DAY + 1);
      }
    });
  }

  it("draws tic-tac-toe against itself, and wins as X if X wins ties", async () => {
    const { modes } = stockGame("tic-tac-toe");
    const statusOf = async (mode: string) =>
      (await history.match(await match(stockGame("tic-tac-toe"), { mode }))).settlement!.status;
    expect(await statusOf(modes.default.content)).to.equal(Status.Draw);
    expect(await statusOf(modes["x-wins-ties"].content)).to.equal(Status.P1Win);
  });

  describe("given past matches", () => {
    const [ROCK, PAPER, SCISSORS] = [0, 1, 2];
    const [HEADS, TAILS] = [0, 1];

    /** Plays a match of rock-paper-scissors, or in another mode of the mini-games. */
    const game = (one: number, two: number, by: readonly [Client, Client] = players, mode = "rock-paper-scissors") =>
      match(stockGame("mini-games"), {
        mode: stockGame("mini-games").modes[mode].content,
        by,
        finds: [always(one), always(two)],
      });

    it("sees the opponent's past rounds of the same mini-game, oldest first, in both seats and against any player", async () => {
      const [alice, bob] = players;
      await game(ROCK, PAPER, [bob, carol]);
      await game(SCISSORS, ROCK, [alice, bob], "rock-paper-scissors-challenger");
      await game(HEADS, TAILS, [alice, bob], "coin");
      await match(stockGame("tic-tac-toe"), { by: [bob, alice] });
      await game(PAPER, SCISSORS, [carol, alice]);
      await game(PAPER, ROCK, [bob, alice]);
      const matchId = await game(SCISSORS, SCISSORS, [bob, alice]);
      const record = await history.match(matchId);
      const turn = turnOf(record, Seat.Two, alice.address, history);
      const seen = (await viewOf(turn)).past!;
      // Rounds of earlier tests come before these four.
      expect(seen.slice(-4)).to.deep.equal([
        { played: 0, faced: 1 },
        { played: 0, faced: 2 },
        { played: 1, faced: 0 },
        { played: 2, faced: 2 },
      ]);
      const view = await viewOf({ ...turn, record: { ...record, terms: { ...record.terms, stake1: 3n, stake2: 1n } } });
      expect([view.seat, view.part, view.mode]).to.deep.equal([2, 3 / 4, { kind: 0, ties: 1 }]);
      // An index may return anything.
      const header = { round: 1, state: NO_STATE, salt: ZeroHash, answerSalt: ZeroHash, next: "0x" };
      const [actions, moves] = [[] as object[], ["0x02", "0x03", "0xff"]];
      for (const move of moves) {
        for (const answerMove of moves) {
          actions.push({ matchId: 1n, seat: Seat.One, data: encodeReveal({ ...header, move, answerMove }) });
        }
      }
      const told = Object.create(history, { pastActions: { value: async () => ({ joined: new Set(), actions }) } });
      expect((await viewOf({ ...turn, history: told })).past).to.deep.equal([{ played: 2, faced: 2 }]);
      expect(await viewOf({ ...turn, seat: Seat.One, record: undefined })).to.deep.equal({
        mode: { kind: 0, ties: 1 },
        seat: 1,
        part: 1 / 2,
        past: [],
      });
    });

    it("reads only the requested part of a long history, in few requests however long the chain is", async () => {
      const [alice, bob] = players;
      for (let n = 0; n < 4; n++) await game(ROCK, SCISSORS, [bob, alice]);
      const asked = {
        player: bob.address,
        game: history.addresses.MiniGames,
        modes: [RPS],
        lengths: [1, 1],
        max: 3,
      } as const;
      expect(await pastRounds(history, asked)).to.deep.equal(Array(3).fill({ played: "0x00", faced: "0x02" }));
      expect(await pastRounds(history, { ...asked, player: carol.address, modes: [ZeroHash] })).to.deep.equal([]);
      const stranger = toBeHex(1, 20);
      expect(await pastRounds(history, { ...asked, player: stranger })).to.deep.equal([]);

      await networkHelpers.mine(1_000_000);
      let questions = 0;
      const provider = new Proxy(ethers.provider, {
        get: (target, name) => {
          if (name === "getLogs") questions++;
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      const fresh = new History(provider, history.addresses);
      expect(await pastRounds(fresh, asked)).to.deep.equal([]);
      // Offers and joins are read in pieces of 10,000 blocks.
      expect(questions).to.equal(12);
    });

    it("in pistols, sees both duelists, the health after round 1, and the share of the pot that a draw pays", async () => {
      const [alice, bob] = players;
      const pistols = stockGame("pistols");
      const stakes = [UNIT / 1000n, UNIT / 250n] as const;
      let [seenPaces, seenBlades] = [0, 0];
      for (let n = 0; n < 12 && seenBlades < 2; n++) {
        const seen = new Map<bigint, Pick<BladesView, "health" | "duelists">>();
        // These paces make one honourable and the other villainous, and usually both survive.
        const far: Find = (turn, secretStore) =>
          turn.record === undefined || turn.record.joinData === undefined
            ? Promise.resolve(turn.seat === Seat.One ? 10 : 1)
            : strategyOf(pistols)(turn, secretStore);
        const look = async (turn: Turn, secretStore: SecretStore) => {
          const { seat, record } = turn;
          if (record?.joinData === undefined) {
            const view = await pacesView(turn);
            expect([view.seat, view.part]).to.deep.equal([Number(seat), record ? 1 / 5 : 1 / 2]);
            // Without a known opponent, the view assumes that Bob is a duelist like Alice.
            const standings = await Promise.all([alice, record ? bob : alice].map(standing));
            expect(view.duelists).to.deep.equal(standings);
            seenPaces++;
          } else if ((await pistols.moves.suggest(turn, secretStore)) !== undefined) {
            const view = await bladesView(turn as OpenTurn, secretStore);
            expect([view.seat, view.part]).to.deep.equal([Number(seat), 1 / 5]);
            const { health, duelists } = view;
            seen.set(seat, { health, duelists });
            for (const points of health) expect(points).to.be.within(1, 3);
          }
        };
        const matchId = await match(pistols, { finds: [far, far], look, stakes });
        const record = await history.match(matchId);
        if (record.logs.length === 2) {
          // Both players saw the same health, which is also in the log.
          expect(seen.get(Seat.One)).to.deep.equal(seen.get(Seat.Two));
          const [round1] = record.logs;
          const last = (await pistols.decodeLog({ ...record, logs: [round1] }, history)).at(-1) as BladesView;
          expect(seen.get(Seat.One)!.health).to.deep.equal(last.health);
          seenBlades++;
        }
      }
      expect([seenPaces > 0, seenBlades > 0]).to.deep.equal([true, true]);
    });

    async function standing({ address }: Client) {
      const { abi, contract } = stockGame("pistols");
      const game = new ethers.Contract(history.addresses[contract], abi, ethers.provider);
      const { standing: now } = (await game.getFunction("duelistOf")(address)) as {
        standing: Record<"archetype" | "strength", bigint>;
      };
      return { archetype: Number(now.archetype), strength: Number(now.strength) };
    }

    it("in team games, sees the opponent's characters, and the past teams that the opponent still owns completely", async () => {
      const [alice, bob] = players;
      const battler = stockGame("auto-battler");
      const [alices, bobs] = [
        await history.ownedBy(alice.address, fighterContract),
        await history.ownedBy(bob.address, fighterContract),
      ];
      const brought = bobs.slice(2, 7).toReversed();
      // A match of another game must not be included, although its default mode has the same hash.
      await match(stockGame("tic-tac-toe"), { by: [bob, alice] });
      await match(battler, { finds: [always(alices.slice(0, 5)), always(brought)] });
      await networkHelpers.time.increase(DAY + 1);
      const lost = bobs.slice(4, 9);
      await match(battler, {
        by: [bob, alice],
        finds: [always(lost), always(alices.slice(0, 5))],
      });
      await networkHelpers.time.increase(DAY + 1);
      const fighters = Fighters__factory.connect(history.addresses.Fighters, bob.signer);
      await (await fighters.transferFrom(bob.address, carol.address, bobs[8])).wait();

      const record = await history.match(await match(battler, { by: [bob, alice] }));
      const turn = turnOf(record, Seat.Two, alice.address, history);
      const own = alices.slice(1, 7);
      const view = await teamView(turn, own, await choiceIn(turn));
      const tiersOf = async (ids: readonly bigint[]) =>
        (await history.characters(fighterContract, ids)).map(({ tiers }) => tiers);
      expect(view.own).to.deep.equal(await tiersOf(own));
      expect(view.theirs).to.have.deep.members(await tiersOf(bobs.slice(0, 8)));
      expect(view.used!.at(-2)).to.deep.equal(await tiersOf(brought));
      expect(view.used!.length).to.be.above(1);
      expect(view.used).to.not.deep.include(await tiersOf(lost));
      expect([view.seat, view.mode]).to.deep.equal([2, (await choiceIn(turn)).mode]);
      // An index may return a team that contains a fighter twice.
      const twice = encodeTeam([...brought.slice(0, 4), brought[0]]);
      const header = { round: 1, state: NO_STATE, salt: ZeroHash, answerSalt: ZeroHash, next: "0x" };
      const actions = [twice, encodeTeam(brought)].map((move) => {
        return { matchId: 1n, seat: Seat.One, data: encodeReveal({ ...header, move, answerMove: twice }) };
      });
      const told = Object.create(history, { pastActions: { value: async () => ({ joined: new Set(), actions }) } });
      const toldView = await teamView({ ...turn, history: told }, own, await choiceIn(turn));
      expect(toldView.used).to.deep.equal([await tiersOf(brought)]);
      const alone = await teamView({ ...turn, seat: Seat.One, record: undefined }, own, await choiceIn(turn));
      expect([alone.theirs, alone.used]).to.deep.equal([undefined, []]);
    });
  });

  describe("given many weak characters as gifts", () => {
    const [weak, strong] = [1n, 3n].map((tier) => Array<bigint>(6).fill(tier));
    const [bad, good] = [1, 5].map((factor) => ({
      ...{ power: 100 * factor, defense: 100 * factor, hp: 500 * factor, speed: 20 * factor },
      ...{ critical: 50 * factor, luck: 50 * factor, cardType: 0 },
    }));
    let dora: Client;
    const best: Record<string, bigint[]> = {};

    before(async () => {
      const [owner, , , , , signer] = await ethers.getSigners();
      dora = await Client.connect(history.addresses, games, signer);
      const fighters = Fighters__factory.connect(history.addresses.Fighters, owner);
      const cards = GuardianCards__factory.connect(history.addresses.GuardianCards, owner);
      // Forty gifts have lower numbers than her own characters, and forty have higher numbers.
      for (const isGift of [true, false, true]) {
        for (let n = 0; n < (isGift ? 40 : 5); n++) {
          await fighters.mint(dora.address, 1, isGift ? weak : strong, false);
          await cards.mint(dora.address, isGift ? bad : good);
        }
      }
      best["auto-battler"] = (await history.ownedBy(dora.address, fighterContract)).slice(40, 45);
      best.guardians = (await history.ownedBy(dora.address, cardContract)).slice(40, 45);
    });

    for (const name of ["auto-battler", "guardians"]) {
      it(`still chooses the strongest characters, and expects the same of an opponent with such gifts: ${name}`, async () => {
        const [game, [, bob]] = [stockGame(name), players];
        await networkHelpers.time.increase(DAY + 1);
        const terms = { game: history.addresses[game.contract], mode: ZeroHash };
        const seat = firstTurn(terms, dora.address, history);
        const secretStore = secretStoreOf(dora, history.addresses[game.contract]);
        const brought = (await strategyOf(game)(seat, secretStore)) as Team;
        // A strategy with random lookahead may find one slot where strength matters little.
        const strong = brought.filter((id) => best[name].includes(id));
        expect(strong, brought.join(" ")).to.have.length.at.least(brought.length - 1);
        const matchId = await match(game, { by: [dora, bob] });
        const turn = turnOf(await history.match(matchId), Seat.Two, bob.address, history);
        await networkHelpers.time.increase(DAY + 1);
        expect((await game.bot!.assess!(turn)).winProbability).to.be.below(0.05);
        const other = { ...turn, player: dora.address, record: { ...turn.record, player1: bob.address } };
        expect((await game.bot!.assess!(other)).winProbability).to.be.above(0.95);
      });
    }

    it("requests many characters in several batches, and returns them in the requested order", async () => {
      const ids = (await history.ownedBy(dora.address, cardContract)).toReversed();
      const many = Array.from({ length: 15 }, () => ids).flat();
      expect(many.length).to.be.above(1_000);
      const cards = await history.characters(cardContract, many);
      expect(cards.map(({ power }) => power)).to.deep.equal(
        many.map((id) => (best.guardians.includes(id) ? good : bad).power),
      );
      expect(await history.characters(cardContract, [])).to.deep.equal([]);
    });
  });

  it("returns its chance of winning before it plays, where a draw counts as half a win", async () => {
    const chanceIn = async (name: string, mode: string, seat: bigint) => {
      const game = stockGame(name);
      const terms = { game: history.addresses[game.contract], mode: modeHash(game.modes[mode].content) };
      const turn = { ...firstTurn(terms, carol.address, history), seat };
      return (await game.bot!.assess!(turn)).winProbability;
    };
    const { One, Two } = Seat;
    const told: [string, string, bigint, number][] = [
      ["mini-games", "rock-paper-scissors", Two, 0.5],
      ["mini-games", "coin-challenger", One, 0.75],
      ["mini-games", "coin-challenger", Two, 0.25],
      ["tic-tac-toe", "default", Two, 0.5],
      ["tic-tac-toe", "x-wins-ties", One, 1],
      ["pistols", "default", One, 0.5],
    ];
    for (const [name, mode, seat, chance] of told) expectClose(await chanceIn(name, mode, seat), chance, 1e-9, mode);
    expect(stockGame("warmancer").bot!.assess).to.equal(undefined);
  });

  it("plays any legal move of a game that has no bot", async () => {
    const bare = { ...stockGame("tic-tac-toe"), bot: undefined };
    const terms = { game: history.addresses.TicTacToe, mode: ZeroHash };
    const turn = firstTurn(terms, players[0].address, history);
    const found = await strategyOf(bare)(turn, secretStoreOf(players[0], history.addresses.TicTacToe));
    expect(found).to.be.within(0, 8);
  });
});
