import { expect } from "chai";
import {
  AbiCoder,
  concat,
  dataLength,
  id,
  keccak256,
  toBeHex,
  Wallet,
  ZeroHash,
  type Signer,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import type { Challenge } from "../../../sdk/player/calls.js";
import { Client } from "../../../sdk/player/client.js";
import { besides } from "../../../sdk/games/constructor-args.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { History } from "../../../sdk/chain/history.js";
import { offerOf } from "../../../sdk/protocol/offer.js";
import { explain } from "../../../sdk/player/errors.js";
import type { Risky } from "../../../sdk/player/risks.js";
import { answerTo, revealFor, commitMove, type Secret } from "../../../sdk/protocol/commitment.js";
import { COIN, termsHash, type Terms } from "../../../sdk/protocol/terms.js";
import { Arena__factory, Fighters__factory, FightToken__factory } from "../../../typechain-types/index.js";
import { Status, UNIT } from "../../support/index.js";

const HOUR = 3600n;
const DAY = 86_400;
const STAKE = 10n * UNIT;
const TIERS = [1, 2, 3, 1, 2, 3] as const;

// A separate chain, on which the Ignition module deploys the contracts. It refuses no transaction.
const connection = await network.create({ override: { gas: "auto" } });
const { ethers, networkHelpers } = connection;
const { loadFixture, time } = networkHelpers;

async function deployed() {
  const [owner, treasury, alice, bob, stranger] = await ethers.getSigners();
  const contracts = await connection.ignition.deploy(Duello, {
    parameters: { Duello: { treasury: treasury.address } },
  });
  const addresses = await addressesOf(contracts);
  const arena = Arena__factory.connect(addresses.Arena, owner);
  const fight = FightToken__factory.connect(addresses.FightToken, owner);
  const fighters = Fighters__factory.connect(addresses.Fighters, owner);
  await fighters.setMinter(owner, true);
  const teams: bigint[][] = [];
  for (const player of [alice, bob]) {
    await fight.mint(player, 1000n * UNIT);
    const first = 5n * BigInt(teams.length) + 1n;
    for (let slot = 0; slot < 5; slot++) await fighters.mint(player, slot, [...TIERS], false);
    teams.push([0n, 1n, 2n, 3n, 4n].map((slot) => first + slot));
  }
  const [a, b, c] = await Promise.all([alice, bob, stranger].map((signer) => Client.connect(addresses, games, signer)));
  return { owner, treasury, addresses, arena, fight, fighters, teams, alice: a, bob: b, stranger: c };
}

const called = new Set<string>();

/** Wraps a client so that `called` collects the names of the methods that are called. */
function watched(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      called.add(String(name));
      return value.bind(target) as unknown;
    },
  });
}

describe("The client", () => {
  let world: Awaited<ReturnType<typeof deployed>>;
  let alice: Client;
  let bob: Client;
  let stranger: Client;

  beforeEach(async () => {
    world = await loadFixture(deployed);
    [alice, bob, stranger] = [world.alice, world.bob, world.stranger].map(watched);
  });

  after(async () => {
    await connection.close();
  });

  const purse = (player: Client, token = world.addresses.FightToken) => world.arena.purseOf(player.address, token);
  const fightOf = (player: Client) => world.fight.balanceOf(player.address);

  /** Builds a committed challenge without an opponent, for 10 against 10 FIGHT. */
  function challenge(changes: Partial<Terms> = {}): { secret: Secret; challenge: Challenge } {
    const game = world.addresses.AutoBattler;
    const { secret, committed } = commitMove(alice.committer(game), encodeTeam(world.teams[0]));
    const stakes = { token: world.addresses.FightToken, stake1: STAKE, stake2: STAKE };
    return {
      secret,
      challenge: { terms: { game, mode: ZeroHash, clock: HOUR, rated: true, ...stakes, ...changes }, data: committed },
    };
  }

  async function staked(): Promise<void> {
    for (const player of [alice, bob]) await player.deposit(world.addresses.FightToken, 100n * UNIT);
  }

  /** Starts a match: a firm offer to bob, which bob joins. */
  async function inPlay(changes: Partial<Terms> = {}) {
    const { secret, challenge: made } = challenge(changes);
    const offer = await alice.create({ ...made, opponent: bob.address });
    const answer = answerTo(made.data, encodeTeam(world.teams[1]));
    await bob.join(offer, answer);
    return { ...offer, data: revealFor(secret, answer) };
  }

  const statusOf = (matchId: bigint) => world.arena.statusOf(matchId);

  describe("given a deployment by the Ignition module", () => {
    it("finds every expected contract, with the right owners, treasury and links to the arena", async () => {
      const { addresses, arena, fight, fighters, owner, treasury } = world;
      expect(Object.keys(addresses)).to.have.members([
        "Arena",
        "FightToken",
        "Fighters",
        "GuardianCards",
        ...games.flatMap((game) => [game, ...besides(game)].map(({ contract }) => contract)),
      ]);
      for (const address of Object.values(addresses)) expect(await ethers.provider.getCode(address)).not.to.equal("0x");
      expect(await arena.treasury()).to.equal(treasury.address);
      for (const owned of [arena, fight, fighters]) expect(await owned.owner()).to.equal(owner.address);
      for (const game of games) {
        const contract = new ethers.Contract(addresses[game.contract], game.abi, owner);
        expect(await contract.arena()).to.equal(addresses.Arena);
      }
    });

    it("finds that the deployer is the treasury if no parameter names another, and that no tokens were minted", async () => {
      const other = await network.create();
      const { Arena, FightToken } = await other.ignition.deploy(Duello);
      const [deployer] = await other.ethers.getSigners();
      expect(await Arena.getFunction("treasury")()).to.equal(deployer.address);
      expect(await FightToken.getFunction("totalSupply")()).to.equal(0n);
      await other.close();
    });
  });

  describe("when it connects", () => {
    it("returns its address and chain", () => {
      expect(alice.address).to.equal((world.alice.signer as Signer & { address: string }).address);
      expect(alice.chainId).to.equal(31_337n);
      expect(alice.addresses).to.deep.equal(world.addresses);
    });

    it("refuses a signer without a provider", async () => {
      const refusal = await Client.connect(world.addresses, games, ethers.Wallet.createRandom()).catch(String);
      expect(refusal).to.equal("Error: The signer has no provider.");
    });

    it("returns the time of the next block, however old the latest block is", async () => {
      const before = await time.latest();
      await connection.provider.request({ method: "evm_increaseTime", params: [2 * DAY] });
      expect(await alice.now()).to.be.within(before + 2 * DAY, before + 3 * DAY);
    });
  });

  describe("given a purse", () => {
    it("deposits a token, approving the arena for just that amount if necessary", async () => {
      const { FightToken } = world.addresses;
      await alice.deposit(FightToken, STAKE);
      await alice.deposit(FightToken, STAKE, bob.address);
      expect([await purse(alice), await purse(bob), await fightOf(alice)]).to.deep.equal([STAKE, STAKE, 980n * UNIT]);
      expect(await world.fight.allowance(alice.address, world.arena)).to.equal(0n);
    });

    it("sends no approval if the allowance already suffices", async () => {
      const { fight, arena } = world;
      await fight.connect(alice.signer).approve(arena, 100n * UNIT);
      const nonce = await alice.signer.getNonce();
      await alice.deposit(await fight.getAddress(), STAKE, bob.address);
      expect(await alice.signer.getNonce()).to.equal(nonce + 1);
      expect(await fight.allowance(alice.address, arena)).to.equal(90n * UNIT);
    });

    it("deposits the chain's coin, and deposits for another player", async () => {
      await alice.deposit(COIN, UNIT);
      await alice.deposit(COIN, 2n * UNIT, bob.address);
      await alice.deposit(world.addresses.FightToken, STAKE, bob.address);
      expect([await purse(alice, COIN), await purse(bob, COIN), await purse(bob)]).to.deep.equal([
        UNIT,
        2n * UNIT,
        STAKE,
      ]);
    });

    it("deposits with a permit in one transaction and without an allowance", async () => {
      const nonce = await alice.signer.getNonce();
      for (const amount of [STAKE, 2n * STAKE]) await alice.depositWithPermit(world.addresses.FightToken, amount);
      expect(await purse(alice)).to.equal(3n * STAKE);
      expect(await alice.signer.getNonce()).to.equal(nonce + 2);
      expect(await world.fight.allowance(alice.address, world.arena)).to.equal(0n);
      expect(await world.fight.nonces(alice.address)).to.equal(2n);
    });

    it("signs a permit for its own chain and token", async () => {
      const abi = FightToken__factory.createInterface();
      const named = ["0x0f", "A coin of worth", "1", 1n, bob.address, ZeroHash, []];
      const signed: TypedDataDomain[] = [];
      const signer = new Proxy(alice.signer, {
        get(target, name) {
          if (name === "call") return async () => abi.encodeFunctionResult("eip712Domain", named);
          if (name === "signTypedData") return async (domain: TypedDataDomain) => (signed.push(domain), "0x");
          const value = Reflect.get(target, name) as unknown;
          return typeof value === "function" ? (value.bind(target) as unknown) : value;
        },
      });
      const client = await Client.connect(world.addresses, games, signer);
      await client.depositWithPermit(world.addresses.FightToken, STAKE).catch(() => undefined);
      expect(signed.map(({ chainId, verifyingContract }) => [chainId, verifyingContract])).to.deep.equal([
        [client.chainId, world.addresses.FightToken],
      ]);
    });

    it("lets a permit expire when the caller says", async () => {
      await time.increase(DAY);
      const expired = alice.depositWithPermit(world.addresses.FightToken, STAKE, -1);
      await expect(expired).to.be.revertedWithCustomError(world.fight, "ERC20InsufficientAllowance");
      await alice.depositWithPermit(world.addresses.FightToken, STAKE, 60);
      expect(await purse(alice)).to.equal(STAKE);
    });

    it("signs a permit for its own chain only, even if the token names another chain", async () => {
      const types = ["bytes1", "string", "string", "uint256", "address", "bytes32", "uint256[]"];
      const said = ["0x0f", "USD", "1", 1n, COIN, ZeroHash, []];
      const blob = AbiCoder.defaultAbiCoder().encode(types, said);
      const token = toBeHex(0xbad, 20);
      const size = toBeHex(dataLength(blob), 2).slice(2);
      await networkHelpers.setCode(token, concat([`0x61${size}600d5f3961${size}5ff300`, blob]));
      const domains: TypedDataDomain[] = [];
      class Recorder extends Wallet {
        override signTypedData(domain: TypedDataDomain, ...rest: [Record<string, TypedDataField[]>, object]) {
          domains.push(domain);
          return super.signTypedData(domain, ...rest);
        }
      }
      const victim = await Client.connect(
        world.addresses,
        games,
        new Recorder(Wallet.createRandom().privateKey, ethers.provider),
      );
      await victim.depositWithPermit(token, STAKE).catch(() => undefined);
      expect(domains.map(({ chainId, verifyingContract }) => [chainId, verifyingContract])).to.deep.equal([
        [alice.chainId, token],
      ]);
    });

    it("sends a token into the purse in one transaction and without an allowance", async () => {
      const nonce = await alice.signer.getNonce();
      await alice.transferDeposit(world.addresses.FightToken, STAKE);
      expect(await purse(alice)).to.equal(STAKE);
      expect(await alice.signer.getNonce()).to.equal(nonce + 1);
    });

    it("withdraws to itself or to somebody else", async () => {
      await staked();
      await alice.withdraw(world.addresses.FightToken, UNIT);
      await alice.withdraw(world.addresses.FightToken, 2n * UNIT, stranger.address);
      expect(await purse(alice)).to.equal(97n * UNIT);
      expect([await fightOf(alice), await fightOf(stranger)]).to.deep.equal([901n * UNIT, 2n * UNIT]);
    });
  });

  describe("given an offer", () => {
    it("makes the offer soft if no opponent is named", async () => {
      await staked();
      const { matchId, terms, receipt } = await alice.create(challenge().challenge);
      expect(matchId).to.equal(1n);
      expect(terms.feeBps).to.equal(2000n);
      expect(receipt.status).to.equal(1);
      const { firm, player1, player2, status } = await world.arena.matchOf(matchId);
      expect([firm, player1, player2, status]).to.deep.equal([false, alice.address, COIN, Status.P1Deposited]);
      const hash = termsHash(terms);
      expect(await world.arena.termsIdOf(hash), "the terms it gives back are those of the match").to.equal(1n);
    });

    it("makes the offer firm for a day if the opponent is named", async () => {
      await staked();
      // The time counts from the next block, even if the latest block is old.
      await connection.provider.request({ method: "evm_increaseTime", params: [2 * DAY] });
      const now = await alice.now();
      const { matchId } = await alice.create({ ...challenge().challenge, opponent: bob.address });
      const { firm, player2, deadline } = await world.arena.matchOf(matchId);
      expect([firm, player2]).to.deep.equal([true, bob.address]);
      expect(Number(deadline)).to.be.within(now + DAY, (await alice.now()) + DAY);
    });

    it("makes the offer firm for as long as the caller says", async () => {
      await staked();
      const made = challenge().challenge;
      const until = (await alice.now()) + 3600;
      const soft = await alice.create({ ...made, opponent: bob.address, firmUntil: 0 });
      const firm = await alice.create({ ...made, firmUntil: until });
      const matches = [await world.arena.matchOf(soft.matchId), await world.arena.matchOf(firm.matchId)];
      expect(matches.map((match) => [match.firm, match.player2])).to.deep.equal([
        [false, bob.address],
        [true, COIN],
      ]);
      expect(matches[1].deadline).to.equal(BigInt(until));
    });

    it("funds an offer that is about to lapse, but refuses to publish an answer to it", async () => {
      await staked();
      const made = challenge();
      const until = (await alice.now()) + DAY;
      const offer = await alice.create({ ...made.challenge, opponent: bob.address, firmUntil: until });
      const { matchId } = offer;
      const answer = answerTo(made.challenge.data, encodeTeam(world.teams[1]));
      await time.increaseTo(until - 599);
      const refusal = await bob.join(offer, answer).then(String, String);
      expect(refusal).to.equal(`Error: Match ${matchId} lapses in less than 600 s: fund it first, then join.`);
      expect(await statusOf(matchId)).to.equal(Status.P1Deposited);
      await bob.fund(offer);
      await time.increase(1);
      await bob.join(offer, answer);
      expect(await statusOf(matchId)).to.equal(Status.AllJoined);
    });

    it("uses the arena's current house fee", async () => {
      await staked();
      await world.arena.setFeeBps(150);
      const { terms } = await alice.create(challenge().challenge);
      expect(terms.feeBps).to.equal(150n);
    });

    it("makes the offer without the stake if the purse does not cover the stake, and funds it later", async () => {
      const offer = await alice.create(challenge().challenge);
      expect(await statusOf(offer.matchId)).to.equal(Status.Created);
      await alice.deposit(world.addresses.FightToken, STAKE);
      await alice.fund(offer);
      expect(await statusOf(offer.matchId)).to.equal(Status.P1Deposited);
    });

    const refusalOf = async (sent: Promise<unknown>): Promise<string> => {
      const error: unknown = await sent.then(() => undefined).catch((thrown: unknown) => thrown);
      return (error as Risky).warnings.map(({ risk, text }) => `${risk}: ${text}`).join();
    };

    it("warns of squatters if a free seat puts player 1's stake at risk, but not without stakes or with a named opponent", async () => {
      const acceptedRisks = ["worse-odds"] as const;
      const free = (changes: Partial<Terms> = {}) => challenge({ stake2: 0n, ...changes }).challenge;
      expect(await refusalOf(alice.create(free(), { acceptedRisks }))).to.match(
        /^squatters: The second seat costs nothing/,
      );
      await alice.create({ ...free(), opponent: bob.address }, { acceptedRisks });
      for (const rated of [true, false]) await alice.create(free({ stake1: 0n, rated }));
    });

    it("refuses worse odds than the mode's for either player, unless the risk is accepted", async () => {
      await staked();
      const [dear, cheap] = [challenge({ stake1: 3n, stake2: 2n }), challenge({ stake1: 2n, stake2: 3n })];
      expect(await refusalOf(alice.create(dear.challenge))).to.equal(
        "worse-odds: You would stake at worse odds than 1 : 1: player 1 puts in 3, player 2 2.",
      );
      const made = { ...cheap.challenge, opponent: bob.address };
      const offer = await alice.create(made);
      const answer = answerTo(made.data, encodeTeam(world.teams[1]));
      const worse = "worse-odds: You would stake at worse odds than 1 : 1: player 1 puts in 2, player 2 3.";
      expect(await refusalOf(bob.fund(offer))).to.equal(worse);
      expect(await refusalOf(bob.transferFund(offer, 3n))).to.equal(worse);
      expect(await refusalOf(bob.join(offer, answer))).to.equal(worse);
      expect(await statusOf(offer.matchId)).to.equal(Status.P1Deposited);
      await bob.join(offer, answer, { acceptedRisks: ["worse-odds"] });
      expect(await statusOf(offer.matchId)).to.equal(Status.AllJoined);
    });

    it("accepts an offer only if its terms, challenger and data are those that the caller has seen", async () => {
      await staked();
      await world.fight.mint(stranger.address, STAKE);
      await stranger.deposit(world.addresses.FightToken, STAKE);
      const made = { ...challenge().challenge, opponent: bob.address };
      const instead: (() => Promise<unknown>)[] = [
        () => alice.create({ ...made, terms: { ...made.terms, rated: false } }),
        () => stranger.create(made),
        () => alice.create({ ...made, data: challenge().challenge.data }),
      ];
      const before = await networkHelpers.takeSnapshot();
      const seen = await alice.create(made);
      expect(offerOf(await new History(ethers.provider, world.addresses).match(1n))).to.deep.include(
        { terms: seen.terms, player1: seen.player1, fingerprint: seen.fingerprint },
        "as the events tell of it",
      );
      for (const other of instead) {
        await before.restore();
        await other();
        expect(await world.arena.matchCount()).to.equal(seen.matchId);
        const answer = answerTo(made.data, encodeTeam(world.teams[1]));
        for (const take of [() => bob.fund(seen), () => bob.transferFund(seen, STAKE), () => bob.join(seen, answer)]) {
          await expect(take()).to.be.revertedWithCustomError(world.arena, "WrongOffer");
        }
        expect(await statusOf(seen.matchId)).to.equal(Status.P1Deposited);
      }
    });

    it("never answers an offer with data that was sent for another match", async () => {
      await staked();
      const made = challenge().challenge;
      const offers = [];
      for (let n = 0; n < 2; n++) offers.push(await alice.create({ ...made, opponent: bob.address }));
      const answer = answerTo(made.data, encodeTeam(world.teams[1]));
      await bob.join(offers[0], answer);
      await alice.resign(offers[0].matchId);
      expect(await bob.join(offers[1], answer).then(String, String)).to.equal(
        "Error: This answer was sent for match 1 already: make a fresh one for match 2.",
      );
    });

    it("reuses an answer's data in a game without commitments, because that reveals nothing", async () => {
      const free = { game: world.addresses.TicTacToe, stake1: 0n, stake2: 0n };
      const made = { ...challenge(free).challenge, opponent: bob.address, data: "0x04" };
      for (let n = 0; n < 2; n++) {
        const offer = await alice.create(made);
        await bob.join(offer, "0x0400");
        expect(await statusOf(offer.matchId)).to.equal(Status.AllJoined);
      }
    });

    it("reads an offer from the arena's events alone, whatever the game logs", async () => {
      const { topicHash } = world.arena.interface.getEvent("Created");
      const game = toBeHex(0xbad, 20);
      await networkHelpers.setCode(game, concat(["0x7f", topicHash, "0x5f5fa160025f5260805ff3"]));
      const { matchId } = await alice.create(challenge({ game, stake1: 0n, stake2: 0n }).challenge, {
        acceptedRisks: ["foreign-game"],
      });
      expect(matchId).to.equal(await world.arena.matchCount());
    });

    it("cancels its own offer", async () => {
      await staked();
      const { matchId } = await alice.create(challenge().challenge);
      await alice.cancel(matchId);
      expect(await statusOf(matchId)).to.equal(Status.P1Canceled);
      expect(await purse(alice)).to.equal(100n * UNIT);
    });

    it("lets the named opponent decline the offer even while it is firm", async () => {
      await staked();
      const { matchId } = await alice.create({ ...challenge().challenge, opponent: bob.address });
      await bob.decline(matchId);
      expect([await statusOf(matchId), await purse(alice)]).to.deep.equal([Status.P1Canceled, 100n * UNIT]);
    });

    it("takes the second seat by a transfer of the token, and credits the rest to the purse", async () => {
      await alice.deposit(world.addresses.FightToken, STAKE);
      const offer = await alice.create(challenge().challenge);
      await bob.transferFund(offer, STAKE + 3n);
      const { status, player2 } = await world.arena.matchOf(offer.matchId);
      expect([status, player2]).to.deep.equal([Status.AllDeposited, bob.address]);
      expect([await purse(bob), await fightOf(bob)]).to.deep.equal([3n, 990n * UNIT - 3n]);
    });

    it("sends coin along with create, fund and join", async () => {
      const coin = { token: COIN, stake1: UNIT, stake2: 2n * UNIT };
      const open = await alice.create(challenge(coin).challenge, { value: UNIT });
      expect(await statusOf(open.matchId)).to.equal(Status.P1Deposited);
      const acceptedRisks = ["worse-odds"] as const;
      await bob.fund(open, { value: 3n * UNIT, acceptedRisks });
      expect(await statusOf(open.matchId)).to.equal(Status.AllDeposited);
      expect(await purse(bob, COIN)).to.equal(UNIT);

      const { challenge: made } = challenge(coin);
      const named = await alice.create({ ...made, opponent: bob.address }, { value: UNIT });
      const answer = answerTo(made.data, encodeTeam(world.teams[1]));
      await bob.join(named, answer, { value: 2n * UNIT, acceptedRisks });
      expect(await statusOf(named.matchId)).to.equal(Status.AllJoined);
      expect(await purse(bob, COIN)).to.equal(UNIT);
    });
  });

  describe("when it plays", () => {
    beforeEach(staked);

    it("plays a whole match in three transactions, and the winner is paid", async () => {
      const { matchId, data } = await inPlay();
      await alice.act(matchId, data);
      const status = await statusOf(matchId);
      const [winner, loser] = status === Status.P1Win ? [alice, bob] : [bob, alice];
      expect([await purse(winner), await purse(loser)]).to.deep.equal([106n * UNIT, 90n * UNIT]);
      expect(await world.arena.purseOf(world.treasury, world.fight)).to.equal(4n * UNIT);
    });

    it("takes an open offer with `fund`, and answers it with `join` in a later block", async () => {
      const { secret, challenge: made } = challenge();
      const offer = await alice.create(made);
      const { matchId } = offer;
      await bob.fund(offer);
      const answer = answerTo(made.data, encodeTeam(world.teams[1]));
      await bob.join(offer, answer);
      await alice.act(matchId, revealFor(secret, answer));
      expect(await statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    });

    it("lets an operator act for a player who has allowed that", async () => {
      const { matchId, data } = await inPlay();
      await alice.allow(stranger.address, (await alice.now()) + 3600);
      await stranger.act(matchId, data);
      expect(await statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    });

    it("resigns a match", async () => {
      const { matchId } = await inPlay();
      await alice.resign(matchId);
      expect(await statusOf(matchId)).to.equal(Status.P2Win);
      expect([await purse(alice), await purse(bob)]).to.deep.equal([90n * UNIT, 106n * UNIT]);
    });

    it("ends a match by timeout", async () => {
      const { matchId } = await inPlay();
      await time.increase(HOUR + 1n);
      await stranger.timeout(matchId);
      expect(await statusOf(matchId)).to.equal(Status.P2WinInactive);
      expect(await purse(bob)).to.equal(110n * UNIT);
    });

    it("throws the contracts' errors, and sends nothing", async () => {
      const offer = await inPlay();
      const nonce = await stranger.signer.getNonce();
      await expect(stranger.act(offer.matchId, id("nothing"))).to.be.revertedWithCustomError(
        world.arena,
        "NotYourTurn",
      );
      await expect(stranger.fund(offer)).to.be.revertedWithCustomError(world.arena, "WrongStatus");
      expect(await stranger.signer.getNonce()).to.equal(nonce);
    });
  });

  describe("when it reads statistics", () => {
    it("reads the statistics of its own player, of another player and of a fighter, on the client's chain", async () => {
      await staked();
      const { matchId } = await inPlay();
      await bob.resign(matchId);
      const [own, other] = [await alice.statsOf(), await alice.statsOf(bob.address)];
      expect([own, other].map(({ player }) => player)).to.deep.equal([alice.address, bob.address]);
      const game = stockGame("auto-battler");
      const wins = [own, other].map(({ games: ofGames }) => ofGames.find((each) => each.game === game.name)!.wins);
      expect(wins).to.deep.equal([1n, 0n]);
      const { id: fighter, counters } = await alice.characterStats(game, world.teams[0][0]);
      expect([fighter, counters.kills]).to.deep.equal([world.teams[0][0], 0n]);
    });
  });

  describe("given a mode", () => {
    it("encodes a mode from its fields, decodes it, and registers it once", async () => {
      const game = world.addresses.Guardians;
      const content = alice.encodeMode(game, { teamSize: 2 });
      expect(content).to.equal("0x02003202ee");
      expect(alice.decodeMode(game, content)).to.deep.equal({ teamSize: 2, maxTurns: 50, dodgeCap: 750 });
      const { mode, receipt } = await alice.registerMode(game, content);
      expect([mode, receipt?.status]).to.deep.equal([keccak256(content), 1]);
      for (const [client, bytes, hash] of [
        [alice, content, mode],
        [bob, content, mode],
        [bob, alice.encodeMode(game, {}), ZeroHash],
      ] as const) {
        const before = await ethers.provider.getBlockNumber();
        expect(await client.registerMode(game, bytes)).to.deep.equal({ mode: hash });
        expect(await ethers.provider.getBlockNumber()).to.equal(before);
      }
    });

    it("rejects before sending a mode that is out of bounds, of a game without modes, or of a non-game", async () => {
      const { addresses } = world;
      for (const [game, value, message] of [
        [addresses.Guardians, { teamSize: 6 }, "teamSize: 6 is above 5; a team has 1 to 5 cards"],
        [addresses.Pistols, {}, "mode: Pistols has no mode but its default"],
        [addresses.Arena, {}, "not a game of this deployment"],
      ] as const) {
        expect(() => alice.encodeMode(game, value)).to.throw(message);
      }
      expect(() => alice.decodeMode(addresses.Guardians, "0xff")).to.throw("mode: 1 bytes instead of 5");
      const failed = await alice.registerMode(addresses.Guardians, "0xff").catch((error: unknown) => error);
      expect(explain(failed, { games })).to.equal("1 bytes are not between 5 and 5.");
    });
  });

  describe("as a whole", () => {
    it("has no method that these tests never call", () => {
      const methods = Object.getOwnPropertyNames(Client.prototype).filter(
        (name) => !["constructor", "toldWithGame", "send", "gasOf"].includes(name),
      );
      expect([...called]).to.include.members(methods);
    });
  });
});
