import { expect } from "chai";
import { keccak256, type BaseContract } from "ethers";
import { Client } from "../../../sdk/player/client.js";
import { legalMoves, STUCK, tilesOfMove, type Move } from "../../../sdk/games/warmancer/legal-moves.js";
import { readSetup } from "../../../sdk/games/warmancer/notation.js";
import { replayMatch } from "../../../sdk/games/warmancer/replay.js";
import { slotAt, type Position } from "../../../sdk/games/warmancer/position.js";
import { WIDTH } from "../../../sdk/games/warmancer/tiles.js";
import { playerIn, type WarmancerMove } from "../../../sdk/games/warmancer/moves.js";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { History } from "../../../sdk/chain/history.js";
import { contractsWith } from "../../../sdk/games/list.js";
import { games } from "../../../sdk/games/index.js";
import { firstTurn, turnOf, type SecretStore } from "../../../sdk/games/moves.js";
import { replay } from "../../../sdk/verify/replay.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { secretStoreWith, randomKey } from "../../../sdk/player/secrets.js";
import { strategyOf, type Chooser } from "../../../sdk/games/assessment.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { Random } from "../../../sdk/laws/random.js";
import { COIN, deployed, ethers, loadFixture, Seat, Status, ZERO_HASH } from "../../support/index.js";

/** Setup for Classic in rows, starting with the back row: a Throne behind Traps, strong pawns in the middle. */
const SETUP = "XTXSSGGXSS/XGEEESSKKX/KWWCHHRRSE/SALWWEKGRX";

async function withClients() {
  const world = await deployed();
  const game = (await ethers.deployContract("Warmancer", [world.arena])) as unknown as BaseContract;
  const addresses = {
    ...(Object.fromEntries(contractsWith(games).map((name) => [name, COIN])) as unknown as Addresses),
    Arena: await world.arena.getAddress(),
    FightToken: await world.fight.getAddress(),
    Fighters: await world.fighters.getAddress(),
    AutoBattler: await world.autoBattler.getAddress(),
    GuardianCards: await world.cards.getAddress(),
    Guardians: await world.guardians.getAddress(),
    Warmancer: await game.getAddress(),
  };
  const clients = await Promise.all([world.alice, world.bob].map((signer) => Client.connect(addresses, games, signer)));
  return { game, addresses, clients, history: new History(ethers.provider, addresses) };
}

/** Chooses an attack if there is one, otherwise a move towards the opponent. */
function march(board: Position, side: number, known: Uint8Array, random: Random): Move {
  const worth = (move: Move) => {
    const [from, to] = tilesOfMove(move);
    const forward = (Math.floor(to / WIDTH) - Math.floor(from / WIDTH)) * (side === 0 ? 1 : -1);
    return (slotAt(board.at[to], 1 - side) >= 0 ? 10 : forward) + random.below(1000) / 1000;
  };
  const moves = legalMoves(board, side, known);
  return moves.length === 0 ? STUCK : moves.reduce((best, move) => (worth(move) > worth(best) ? move : best));
}

type World = Awaited<ReturnType<typeof withClients>>;

/** Plays a match without stakes to its end, and replays it. */
async function played({ addresses, clients, history }: World, mode: Hex, choose: Chooser<WarmancerMove>) {
  const { moves } = warmancer;
  const secretStores = clients.map((client) => secretStoreWith(randomKey(), client.committer(addresses.Warmancer)));
  const [alice, bob] = clients;
  const free = { token: COIN, stake1: 0n, stake2: 0n };
  const first = firstTurn({ game: addresses.Warmancer, mode }, alice.address, history);
  const offer = await alice.create({
    terms: { game: addresses.Warmancer, mode, clock: 86_400n, rated: true, ...free },
    opponent: bob.address,
    data: await moves.create((await choose(first, secretStores[0]))!, first, secretStores[0]),
  });
  const { matchId } = offer;
  const second = turnOf(await history.match(matchId), Seat.Two, bob.address, history);
  const setup2 = (await choose(second, secretStores[1]))!;
  await bob.join(offer, await moves.join(setup2, second, secretStores[1]));
  for (;;) {
    const { turn } = await alice.arena.matchOf(matchId);
    if (turn === Seat.None) return replay(history, games, matchId);
    const [client, secretStore] = [clients, secretStores].map((each) => each[Number(turn) - 1]) as [
      Client,
      SecretStore,
    ];
    await takeTurn(client, history, matchId, { secretStore, move: (open) => choose(open, secretStore) });
  }
}

describe("Warmancer: a match between players who each know only their own secrets", () => {
  it("reaches the final check of Classic, and is replayed entry by entry", async () => {
    const world = await loadFixture(withClients);
    const random = new Random("Classic");
    let shown = 0;
    const { record, mismatch } = await played(world, ZERO_HASH, async ({ record, seat, history }, secretStore) => {
      if (record?.joinData === undefined) return readSetup(seat === Seat.One ? [SETUP] : SETUP.split("/").reverse());
      const player = await playerIn(await replayMatch(record, history), seat, secretStore);
      const { board, proves } = player.foresee();
      shown += proves.length;
      const known = player.sight(player.position)[player.side];
      return board && [march(board, player.side, known, random)];
    });
    expect(mismatch).to.equal(undefined);
    expect(record.settlement!.status).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
    expect(shown).to.be.greaterThan(10);
  });

  it("reaches the end of Quick with the strategy of the game's module", async () => {
    const world = await loadFixture(withClients);
    const { content } = warmancer.modes.quick;
    await world.game.getFunction("registerMode")(content);
    const { strategy } = warmancer.bot;
    expect(strategyOf(warmancer)).to.equal(strategy);
    const { record, mismatch } = await played(world, keccak256(content), strategy);
    expect(mismatch).to.equal(undefined);
    expect(record.settlement!.status).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
  });
});
