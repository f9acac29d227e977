import { expect } from "chai";
import {
  COIN,
  deployed,
  HOUR,
  inPassing,
  loadFixture,
  networkHelpers,
  Seat,
  Status,
  step,
  termsFor,
  time,
  UNIT,
  type World,
  type Player,
} from "../support/index.js";
import { inPlay, offered, taken, type Match } from "../support/matches.js";
import { FREE } from "../support/refusals.js";

/** Creates matches in every waiting status, some with a stake that a player cannot pay, and alice's operator. */
async function prepared() {
  const world = await deployed();
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  const { bob } = world;
  const tooMuch = { stake2: 1001n * UNIT };
  const matches = [
    await offered(world, { stake1: 1001n * UNIT }),
    await offered(world),
    await offered(world, { opponent: bob }),
    await offered(world, { firmFor: HOUR }),
    await offered(world, { opponent: bob, firmFor: HOUR }),
    await offered(world, { opponent: bob, firmFor: HOUR, ...tooMuch }),
    await taken(world),
    await inPlay(world),
    await inPlay(world, {}, Seat.Two),
  ];
  await world.arena.connect(world.alice).allow(world.stranger, (await time.latest()) + 1800);
  return { world, matches };
}

const moves = (world: World, by: Player, { id, hash }: Match) => {
  const arena = world.arena.connect(by);
  return {
    fund: () => arena.fund(id, hash, FREE),
    join: () => arena.join(id, hash, step(Seat.One), FREE),
    act: () => arena.act(id, step(Seat.Two), FREE),
    resign: () => arena.resign(id, FREE),
    cancel: () => arena.cancel(id, FREE),
    decline: () => arena.decline(id, FREE),
    timeout: () => arena.timeout(id, FREE),
  };
};

type Move = keyof ReturnType<typeof moves>;

/** Predicts only from the views which functions work at this second. */
async function predicted({ arena }: World, { id }: Match, by: string, now: bigint): Promise<Record<Move, boolean>> {
  const { status, turn, deadline, player1, player2, firm, termsId } = await arena.matchOf(id);
  const { stake1, stake2, token, clock } = await arena.termsOf(termsId);
  const purse = await arena.purseOf(by, token);
  const mover = turn === Seat.One ? player1 : player2;
  const may = by === mover || (await arena.operatorUntil(mover, by)) >= now;
  const inTime = now <= deadline;
  const offer = status === Status.P1Deposited && by !== player1;
  const seat = offer && purse >= stake2 && inTime;
  const own = status === Status.Created && by === player1 && purse >= stake1 && inTime;
  const second = status === Status.AllDeposited && by === player2 && inTime && now > deadline - clock;
  const inPlay = status === Status.AllJoined && inTime;
  return {
    fund: own || (seat && [by, COIN].includes(player2)),
    join: second || (seat && firm && by === player2),
    act: inPlay && may,
    resign: inPlay && [player1, player2].includes(by),
    cancel: by === player1 && status <= Status.P1Deposited && !firm,
    decline: by === player2 && status <= Status.P1Deposited && inTime,
    timeout: status <= Status.AllJoined && !inTime,
  };
}

/** Tries a call at this second, and undoes it. @returns whether it worked. */
function works(send: () => Promise<unknown>, second: bigint): Promise<boolean> {
  return inPassing(async () => {
    await time.setNextBlockTimestamp(second);
    return send().then(
      () => true,
      () => false,
    );
  });
}

describe("Arena: views", () => {
  it("matchOf, termsOf, purseOf and operatorUntil predict which calls of each player succeed around every deadline", async () => {
    const { world, matches } = await loadFixture(prepared);
    const { arena, alice, bob, stranger } = world;
    const seen = new Set<string>();
    for (const match of matches) {
      const { deadline } = await arena.matchOf(match.id);
      const soon = BigInt(await time.latest()) + 1n;
      const until = await arena.operatorUntil(alice, stranger);
      for (const second of new Set([soon, until, until + 1n, deadline, deadline + 1n])) {
        for (const player of [alice, bob, stranger]) {
          const told = await predicted(world, match, player.address, second);
          for (const [move, send] of Object.entries(moves(world, player, match))) {
            const promise = told[move as Move];
            expect(await works(send, second), `${move} of ${match.id} at ${second}`).to.equal(promise);
            seen.add(`${move} ${promise}`);
          }
        }
      }
    }
    const all = ["fund", "join", "act", "resign", "cancel", "decline", "timeout"];
    expect([...seen]).to.have.members(all.flatMap((move) => [`${move} true`, `${move} false`]));
  });

  it("purseOf and feeBps predict which withdrawals and offers succeed", async () => {
    const { world } = await loadFixture(prepared);
    const { arena, fight, alice } = world;
    const purse = await arena.purseOf(alice, fight);
    const feeBps = await arena.feeBps();
    const next = BigInt(await time.latest()) + 1n;
    for (const more of [-1n, 0n, 1n]) {
      const withdraw = () => arena.connect(alice).withdraw(fight, purse + more, alice, FREE);
      expect(await works(withdraw, next)).to.equal(more <= 0n);
      const terms = await termsFor(world, { feeBps: feeBps + more });
      const create = () => arena.connect(alice).create(terms, world.bob, 0, "0x", FREE);
      expect(await works(create, next)).to.equal(more === 0n);
    }
  });
});
