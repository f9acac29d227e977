import { games } from "../../../sdk/games/index.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { expect } from "chai";
import { ZeroHash, type Block, type BlockTag, type Provider } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { Client } from "../../../sdk/player/client.js";
import { finalBlock, finalityLag, untilFinal, type WaitOptions } from "../../../sdk/chain/finality.js";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { History } from "../../../sdk/chain/history.js";
import { Risky } from "../../../sdk/player/risks.js";
import { answerTo, commitMove, type Secret } from "../../../sdk/protocol/commitment.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { Fighters__factory } from "../../../typechain-types/index.js";
import { Status } from "../../support/index.js";

// The SDK expects reorganisations on every chain except test chains, whose id is 31337.
const connection = await network.create({ override: { chainId: 7777 } });
const { ethers, networkHelpers } = connection;
const { loadFixture, mine, time } = networkHelpers;

const CLOCK = 3600n;

/** Number of the block that the node reports as final; "latest" for the latest block, "unknown" for an error. */
let final: number | "latest" | "unknown" = "latest";
const getBlock = ethers.provider.getBlock.bind(ethers.provider);
ethers.provider.getBlock = async (tag: BlockTag, full?: boolean): Promise<Block | null> => {
  if (tag !== "finalized" || final === "latest") return getBlock(tag === "finalized" ? "latest" : tag, full);
  if (final === "unknown") throw new Error("invalid block tag");
  return getBlock(final, full);
};

async function deployed() {
  const [owner, a, b] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  const fighters = Fighters__factory.connect(addresses.Fighters, owner);
  await fighters.setMinter(owner, true);
  for (const player of [a, b]) {
    for (let slot = 0; slot < 5; slot++) await fighters.mint(player, slot, [1, 2, 3, 1, 2, 3], true);
  }
  const [alice, bob] = await Promise.all([a, b].map((signer) => Client.connect(addresses, games, signer)));
  return { addresses, alice, bob, provider: ethers.provider as unknown as Provider };
}

describe("Finality", () => {
  let world: Awaited<ReturnType<typeof deployed>>;

  beforeEach(async () => {
    final = "latest";
    world = await loadFixture(deployed);
  });
  after(() => connection.close());

  const challengeOf = (clock = CLOCK) => {
    const { alice, bob, addresses } = world;
    const { secret, committed } = commitMove(alice.committer(addresses.AutoBattler), encodeTeam([1n, 2n, 3n, 4n, 5n]));
    const free = { token: COIN, stake1: 0n, stake2: 0n };
    const terms = { game: addresses.AutoBattler, mode: ZeroHash, clock, rated: true, ...free };
    return { secret, challenge: { terms, opponent: bob.address, data: committed } };
  };

  /** Creates match 1, which bob joins; only the blocks before his answer are final. */
  async function joined(): Promise<Secret> {
    const { alice, bob } = world;
    const { secret, challenge } = challengeOf();
    const offer = await alice.create(challenge);
    final = await ethers.provider.getBlockNumber();
    await bob.join(offer, answerTo(challenge.data, encodeTeam([6n, 7n, 8n, 9n, 10n])));
    return secret;
  }

  const open = (secret: Secret, options: WaitOptions) => {
    const { alice, addresses, provider } = world;
    const secretStore = { commit: () => Promise.reject(new Error("one round")), reveal: async () => secret };
    return takeTurn(alice, new History(provider, addresses), 1n, {
      secretStore,
      move: async () => undefined,
      pause: 20,
      ...options,
    });
  };

  const statusOf = () => world.alice.arena.statusOf(1);

  it("is read from the node, is assumed to lag 64 blocks if the node does not report it, and is immediate on a test chain", async () => {
    await mine(100);
    const latest = await ethers.provider.getBlockNumber();
    final = latest - 7;
    expect((await finalBlock(world.provider)).number).to.equal(latest - 7);
    final = "unknown";
    expect((await finalBlock(world.provider)).number).to.equal(latest - 64);
    const test = await network.create();
    const provider = test.ethers.provider as unknown as Provider;
    await test.networkHelpers.mine(100);
    const { getBlock } = provider;
    // Anvil's finalised block lags 64 blocks, although no block is ever undone there.
    provider.getBlock = (tag) => getBlock.call(provider, tag === "finalized" ? 36 : tag);
    expect((await finalBlock(provider)).number).to.equal(100);
    expect(await finalityLag(provider)).to.equal(0);
    await test.close();
  });

  it("lags by the time between the final block and the latest block", async () => {
    final = await ethers.provider.getBlockNumber();
    await time.increase(768);
    expect(await finalityLag(world.provider)).to.equal(768);
  });

  it("makes an offer risky if its clock is under twice the lag, and the caller must accept that risk", async () => {
    final = await ethers.provider.getBlockNumber();
    await time.increase(800);
    const { alice } = world;
    await time.setNextBlockTimestamp((await time.latest()) + 1);
    await alice.create(challengeOf(1600n).challenge);
    const { challenge } = challengeOf(1599n);
    const refusal: unknown = await alice.create(challenge).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Risky);
    expect((refusal as Risky).warnings.map(({ risk }) => risk)).to.deep.equal(["short-clock"]);
    expect((refusal as Risky).message).to.match(
      /^A clock of 26 minutes and 39 seconds is short here: blocks take 13 minutes and 21 seconds to become final/,
    );
    await alice.create(challenge, { acceptedRisks: ["short-clock"] });
  });

  it("delays a reveal until the opponent's answer is final", async () => {
    const secret = await joined();
    let waits = 0;
    const opened = open(secret, {
      onWait: (seconds) => {
        expect(seconds).to.be.within(1, Number(CLOCK) - 600);
        if (++waits === 3) final = "latest";
      },
    });
    await opened;
    expect(waits).to.equal(3);
    expect(await statusOf()).to.be.oneOf([Status.P1Win, Status.P2Win]);
  });

  it("is awaited until ten minutes before the deadline at the latest", async () => {
    const secret = await joined();
    await time.increase(CLOCK - 600n);
    let hurries = 0;
    await open(secret, { onHurry: () => hurries++, onWait: () => expect.fail("it should not wait") });
    expect(hurries).to.equal(1);
    expect(await statusOf()).to.be.oneOf([Status.P1Win, Status.P2Win]);
  });

  it("does not delay a player who has nothing to reveal", async () => {
    const secret = await joined();
    await world.alice.resign(1n);
    expect(await open(secret, {}).then(String, String)).to.equal(
      "Error: There is no turn to take in match 1: player 2 won.",
    );
  });

  it("is awaited after any kind of last change of a match", async () => {
    const { alice, bob } = world;
    const { challenge } = challengeOf();
    const offer = await alice.create({ ...challenge, firmUntil: 0 });
    final = await ethers.provider.getBlockNumber();
    await bob.fund(offer);
    let waits = 0;
    await untilFinal(bob.arena, offer.matchId, { pause: 20, onWait: () => ++waits === 2 && (final = "latest") });
    expect(waits).to.equal(2);
  });
});
