import { expect } from "chai";
import { ZeroHash } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { History } from "../../../sdk/chain/history.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import { firstTurn } from "../../../sdk/games/moves.js";
import { Client } from "../../../sdk/player/client.js";
import { committedTeams, ownCharacters } from "../../../sdk/player/own-characters.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { Fighters__factory } from "../../../typechain-types/index.js";

const CLOCK = 3600n;
const COUNT = 23;
const MODULE = stockGame("auto-battler");
const { moves } = MODULE;
const kind = MODULE.characters!;

// A separate chain, on which the Ignition module deploys the contracts.
const connection = await network.create();
const { ethers, networkHelpers } = connection;
const { loadFixture } = networkHelpers;

async function deployed() {
  const [owner, treasury, first, second] = await ethers.getSigners();
  const parameters = { Duello: { treasury: treasury.address } };
  const addresses = await addressesOf(await connection.ignition.deploy(Duello, { parameters }));
  const [alice, bob] = await Promise.all([first, second].map((player) => Client.connect(addresses, games, player)));
  const fighters = Fighters__factory.connect(addresses.Fighters, owner);
  await fighters.setMinter(owner.address, true);
  for (let i = 1; i <= COUNT; i++) await fighters.mint(alice.address, i, [1, 2, 3, 1, 2, 3], false);
  const history = new History(ethers.provider, addresses);
  const terms = { game: addresses.AutoBattler, mode: ZeroHash, clock: CLOCK, rated: true, feeBps: 0n };
  return { addresses, alice, bob, first, fighters, history, terms: { ...terms, token: COIN, stake1: 0n, stake2: 0n } };
}

describe("The list of a player's characters", () => {
  let world: Awaited<ReturnType<typeof deployed>>;

  beforeEach(async () => {
    world = await loadFixture(deployed);
  });
  after(() => connection.close());

  const turnOf = (player: string) => firstTurn(world.terms, player, world.history);

  /** Makes alice commit to a team. @returns the number of the match, and the place of the secret. */
  async function commit(team: bigint[]) {
    const { alice, bob, terms } = world;
    const turn = turnOf(alice.address);
    const secretStore = secretStoreWith(randomKey(), alice.committer(terms.game));
    const data = await moves.create(team, turn, secretStore);
    const { matchId } = await alice.create({ terms, opponent: bob.address, data });
    return { matchId, secretStore };
  }

  it("contains traits and approved addresses, sorted by the characters' numbers", async () => {
    const { alice, bob, first, fighters } = world;
    await fighters.connect(first).approve(bob.address, 2);
    const found = await ownCharacters(kind, alice.address, turnOf(alice.address));
    expect(found.map(({ id }) => id)).to.deep.equal(Array.from({ length: COUNT }, (_, i) => BigInt(i + 1)));
    expect(found.map(({ approved }) => approved)).to.deep.equal(
      found.map(({ id }) => (id === 2n ? bob.address : undefined)),
    );
    expect(found[1].data).to.include({ id: 2n, character: 2n });
    expect(found.every(({ obstacle }) => obstacle === undefined)).to.equal(true);
    expect(await ownCharacters(kind, bob.address, turnOf(bob.address))).to.deep.equal([]);
  });

  it("shows which characters are committed in other open matches only to the player who committed them", async () => {
    const { alice, bob } = world;
    const { matchId, secretStore } = await commit([1n, 2n, 3n, 4n, 5n]);
    const team = { matchId, ids: [1n, 2n, 3n, 4n, 5n] };
    expect(await committedTeams(MODULE, turnOf(alice.address), secretStore)).to.deep.equal([team]);
    expect(await committedTeams(MODULE, turnOf(bob.address), secretStore)).to.deep.equal([]);
    const other = secretStoreWith(randomKey(), alice.committer(world.terms.game));
    expect(await committedTeams(MODULE, turnOf(alice.address), other)).to.deep.equal([]);
  });

  it("does not mark characters as committed if their match is this match, finished or of another game", async () => {
    const { alice, bob, history, addresses } = world;
    const { matchId, secretStore } = await commit([1n, 2n, 3n, 4n, 5n]);
    const turn = turnOf(alice.address);
    const record = await history.match(matchId);
    expect(await committedTeams(MODULE, { ...turn, record }, secretStore)).to.deep.equal([]);
    expect(await committedTeams(MODULE, { ...turn, game: addresses.Guardians }, secretStore)).to.deep.equal([]);
    await bob.decline(matchId);
    expect(await committedTeams(MODULE, turn, secretStore)).to.deep.equal([]);
  });
});
