import { expect } from "chai";
import { dataLength, dataSlice, Wallet, type TypedDataDomain, type TypedDataField } from "ethers";
import { encodeTeam } from "../sdk/games/auto-battler/match.js";
import { decodeSealed, encodeSealed, sealOf } from "../sdk/seal.js";
import { answerTo, openingFor, type Sealer } from "../sdk/sealed.js";
import { randomKey, recoverSecret, sealWithKey, UnsteadyWallet, walletKey } from "../sdk/secrets.js";
import { deployed, ethers, loadFixture, Seat, Status, termsFor, termsHash, time, type World } from "./support.js";

const CHAIN = 31337;
const ARENA = "0x00000000000000000000000000000000000a2e4a";
const place: Sealer = { chainId: CHAIN, game: ARENA, player: "0x00000000000000000000000000000000000000A1" };
const MOVE = encodeTeam([1n, 2n, 3n, 4n, 5n]);

/** The world with five golden fighters for alice, then five for bob. */
async function withTeams() {
  const world = await deployed();
  for (const player of [world.alice, world.bob]) {
    for (let slot = 0; slot < 5; slot++) await world.fighters.mint(player, slot, [1, 2, 3, 1, 2, 3], true);
  }
  return world;
}

async function placeOf(world: World): Promise<Sealer> {
  return { chainId: CHAIN, game: await world.autoBattler.getAddress(), player: world.alice.address };
}

describe("Secrets that a player cannot lose", () => {
  it("given all local data is gone, the wallet and the chain are enough to open", async () => {
    const world = await loadFixture(withTeams);
    const { arena, alice, bob } = world;
    const at = await placeOf(world);
    const terms = await termsFor(world, { game: at.game });
    const { sealed } = await sealWithKey(at, MOVE, await walletKey(alice, CHAIN, await arena.getAddress()));
    await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, sealed);
    await arena.connect(bob).join(1, termsHash(terms), answerTo(sealed, encodeTeam([6n, 7n, 8n, 9n, 10n])));

    const [created] = await arena.queryFilter(arena.filters.Created(1));
    const [joined] = await arena.queryFilter(arena.filters.Joined(1));
    const key = await walletKey(alice, CHAIN, await arena.getAddress());
    const secret = await recoverSecret(at, created.args.opening, key);
    await arena.connect(alice).act(1, openingFor(secret, joined.args.answer));
    expect(await arena.statusOf(1)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    expect((await arena.matchOf(1)).turn).to.equal(Seat.None);
  });

  it("given equal moves under one key, nothing of what is published is equal, nor tells by its length", async () => {
    const key = randomKey();
    const seals = await Promise.all(Array.from({ length: 50 }, () => sealWithKey(place, MOVE, key)));
    const other = await sealWithKey(place, encodeTeam([11n, 12n, 13n, 14n, 15n]), key);
    const all = [...seals, other].map(({ sealed }) => sealed);
    expect(new Set(all.map(dataLength))).to.deep.equal(new Set([128]));
    for (const [from, to] of [
      [0, 32],
      [32, 48],
      [48, 64],
      [64, 96],
      [96, 128],
    ]) {
      expect(new Set(all.map((sealed) => dataSlice(sealed, from, to))).size, `bytes ${from} to ${to}`).to.equal(51);
    }
    expect(new Set(seals.map(({ secret }) => secret.salt)).size).to.equal(50);
  });

  it("gives each wallet, chain and arena a key of its own, and each time the same", async () => {
    const [one, two] = [Wallet.createRandom(), Wallet.createRandom()];
    const key = await walletKey(one, CHAIN, ARENA);
    expect(await walletKey(one, CHAIN, ARENA)).to.equal(key);
    const others = [walletKey(two, CHAIN, ARENA), walletKey(one, 1, ARENA), walletKey(one, CHAIN, place.player)];
    expect(new Set([key, ...(await Promise.all(others))]).size).to.equal(4);
  });

  it("given a wallet that signs differently each time, it says so and derives nothing", async () => {
    class Unsteady extends Wallet {
      override async signTypedData(domain: TypedDataDomain, types: Record<string, TypedDataField[]>, value: object) {
        return super.signTypedData(domain, types, { ...value, purpose: ethers.hexlify(ethers.randomBytes(8)) });
      }
    }
    const failure = await walletKey(new Unsteady(Wallet.createRandom().privateKey), CHAIN, ARENA).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(UnsteadyWallet);
  });

  it("recovers with the right key, player, game and chain only, and from an untouched note", async () => {
    const key = randomKey();
    const { secret, sealed } = await sealWithKey(place, MOVE, key);
    expect(await recoverSecret(place, sealed, key)).to.deep.equal(secret);
    expect(sealOf(CHAIN, place.game, place.player, secret.move, secret.salt)).to.equal(decodeSealed(sealed).seal);
    const { seal, note } = decodeSealed(sealed);
    const touched = encodeSealed({ seal, note: `${note.slice(0, -1)}${note.endsWith("0") ? "1" : "0"}` });
    const attempts: [Sealer, string, string][] = [
      [place, sealed, randomKey()],
      [{ ...place, player: ARENA }, sealed, key],
      [{ ...place, game: place.player }, sealed, key],
      [{ ...place, chainId: 1 }, sealed, key],
      [place, touched, key],
    ];
    for (const [at, what, by] of attempts) {
      expect(await recoverSecret(at, what, by).then(String, String)).to.equal(
        "Error: This seal was made with another key, or for another player, game or chain.",
      );
    }
    for (const short of ["0x", dataSlice(note, 0, 16)]) {
      expect(await recoverSecret(place, encodeSealed({ seal, note: short }), key).then(String, String)).to.equal(
        "Error: There is no note behind this seal to recover it from.",
      );
    }
  });
});
