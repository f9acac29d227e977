import { expect } from "chai";
import { ZeroHash, type Provider } from "ethers";
import { network } from "hardhat";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import Duello from "../../../ignition/modules/Duello.js";
import { History } from "../../../sdk/chain/history.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import { firstTurn } from "../../../sdk/games/moves.js";
import { Client, type Offered } from "../../../sdk/player/client.js";
import { joinMatch, type JoinOptions } from "../../../sdk/player/join.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import type { Round, ShownAnswer, ShownAnswers } from "../../../sdk/player/shown-answers.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { Status } from "../../support/index.js";

// A player waits for finality on every chain except test chains, whose id is 31337.
const connection = await network.create({ override: { chainId: 7778 } });
const { ethers, networkHelpers } = connection;
const provider = ethers.provider as unknown as Provider;
const { moves } = stockGame("pistols");
const DAY = 86_400;

/** Number of the final block, if it is not the latest. */
let final: number | undefined;
const getBlock = provider.getBlock.bind(provider);
provider.getBlock = async (tag, full) => getBlock(tag === "finalized" ? (final ?? "latest") : tag, full);

/** Keeps shown answers in memory. */
class Answers implements ShownAnswers {
  readonly kept = new Map<string, ShownAnswer>();
  shown = async ({ commitment }: Round) => this.kept.get(commitment);
  shownElsewhere = async ({ commitment }: Round) =>
    [...this.kept].flatMap(([key, shown]) => (key === commitment ? [] : [shown]));
  async keepShown({ commitment }: Round, shown: ShownAnswer): Promise<boolean> {
    this.kept.set(commitment, shown);
    return true;
  }
}

async function deployed() {
  const [, a, b] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  const [alice, bob] = await Promise.all([a, b].map((signer) => Client.connect(addresses, games, signer)));
  return { addresses, alice, bob };
}

describe("Joining a match", () => {
  let world: Awaited<ReturnType<typeof deployed>>;
  let answers: Answers;
  let steps: string[];

  beforeEach(async () => {
    final = undefined;
    answers = new Answers();
    steps = [];
    world = await networkHelpers.loadFixture(deployed);
  });
  after(() => connection.close());

  /** Lets Alice offer Bob a duel. @param firm Seconds for which the offer is firm. */
  async function offer(firm: number): Promise<Offered> {
    const { addresses, alice, bob } = world;
    const store = secretStoreWith(randomKey(), alice.committer(addresses.Pistols));
    const turn = firstTurn(
      { game: addresses.Pistols, mode: ZeroHash },
      alice.address,
      new History(provider, addresses),
    );
    const data = await moves.create(10, turn, store);
    const free = { token: COIN, stake1: 0n, stake2: 0n };
    const terms = { game: addresses.Pistols, mode: ZeroHash, clock: BigInt(DAY), rated: true, ...free };
    const firmUntil = firm === 0 ? 0 : (await alice.now()) + firm;
    return alice.create({ terms, data, opponent: bob.address, firmUntil });
  }

  /** Makes Bob join with three paces. */
  async function join(offered: Offered, options: Partial<JoinOptions> = {}) {
    const { addresses, bob } = world;
    return joinMatch(bob, async () => new History(provider, addresses), offered, {
      secretStore: secretStoreWith(randomKey(), bob.committer(addresses.Pistols)),
      shownAnswers: answers,
      move: async () => 3,
      accept: async ({ step }) => {
        steps.push(step);
        return {};
      },
      onFunded: () => steps.push("funded"),
      pause: 20,
      ...options,
    });
  }

  const statusOf = ({ matchId }: Offered) => world.bob.arena.statusOf(matchId);
  const stop = () => {
    throw new Error("the program has ended");
  };

  it("needs only one step if the offer stays firm long enough, and stores the answer", async () => {
    const offered = await offer(DAY);
    await join(offered);
    expect([steps, await statusOf(offered)]).to.deep.equal([["stake-and-answer"], Status.AllJoined]);
    expect([...answers.kept.values()].map(({ moveArgs }) => moveArgs)).to.deep.equal(["3"]);
  });

  it("reuses the answer when it is called again after funding", async () => {
    const offered = await offer(0);
    final = await ethers.provider.getBlockNumber();
    const waits: string[] = [];
    const onWait = (seconds: number, step: string) => {
      waits.push(`${step} ${seconds > 0}`);
      stop();
    };
    expect(String(await join(offered, { onWait }).catch((error: unknown) => error))).to.include("has ended");
    expect([steps, waits]).to.deep.equal([["stake", "funded"], ["answer true"]]);
    expect([await statusOf(offered), answers.kept.size]).to.deep.equal([Status.AllDeposited, 0]);
    final = undefined;
    await join(offered);
    expect(steps).to.deep.equal(["stake", "funded", "answer"]);
    expect(await statusOf(offered)).to.equal(Status.AllJoined);
  });

  it("sends and stores nothing if a step is not accepted", async () => {
    for (const firm of [0, DAY]) {
      const offered = await offer(firm);
      expect(await join(offered, { accept: async () => stop() }).catch(String)).to.include("has ended");
      expect([await statusOf(offered), answers.kept.size]).to.deep.equal([Status.P1Deposited, 0]);
    }
  });

  it("warns that the opponent may already know the move before the player accepts", async () => {
    const offered = await offer(DAY);
    answers.kept.set(ZeroHash, { moveArgs: "3", answer: "0x" });
    let told: readonly string[] = [];
    await join(offered, { accept: async ({ exposures }) => ((told = exposures), {}) });
    expect(told).to.deep.equal([
      `You have shown 3 in match ${offered.matchId}, to a commitment that was undone since. Whoever made this one may know that: the same move again may lose for certain.`,
    ]);
  });

  it("rejects an invalid move before the player is asked to accept, and rejects an offer that is no longer open", async () => {
    const offered = await offer(DAY);
    expect(await join(offered, { move: async () => 99 }).catch(String)).to.match(/^InputError: /);
    expect(steps).to.deep.equal([]);
    await join(offered);
    const error = await join(offered).catch((refused: unknown) => refused);
    expect([error instanceof Error, steps]).to.deep.equal([true, ["stake-and-answer"]]);
  });
});
