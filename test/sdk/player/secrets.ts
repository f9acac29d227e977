import { expect } from "chai";
import {
  concat,
  dataLength,
  dataSlice,
  hexlify,
  keccak256,
  N,
  randomBytes,
  Signature,
  toBeHex,
  toUtf8Bytes,
  TypedDataEncoder,
  Wallet,
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { decodeCommitment, encodeCommitment, commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import { answerTo, revealFor, type Committer } from "../../../sdk/protocol/commitment.js";
import {
  keyRequest,
  keysOfSignatures,
  secretStoreWith,
  sessionKey,
  randomKey,
  recoverSecret,
  commitWithKey,
  UnsteadyWallet,
  walletKeys,
} from "../../../sdk/player/secrets.js";
import { deployed, loadFixture, Seat, Status, termsFor, time, type World, offerHashOf } from "../../support/index.js";

const CHAIN = 31337;
const ARENA = "0x00000000000000000000000000000000000a2e4a";
const place: Committer = { chainId: CHAIN, game: ARENA, player: "0x00000000000000000000000000000000000000A1" };
const MOVE = encodeTeam([1n, 2n, 3n, 4n, 5n]);

/** Deploys the world with five golden fighters for alice, then five for bob. */
async function withTeams() {
  const world = await deployed();
  for (const player of [world.alice, world.bob]) {
    for (let slot = 0; slot < 5; slot++) await world.fighters.mint(player, slot, [1, 2, 3, 1, 2, 3], true);
  }
  return world;
}

async function placeOf(world: World): Promise<Committer> {
  return { chainId: CHAIN, game: await world.autoBattler.getAddress(), player: world.alice.address };
}

describe("The store of a player's secrets", () => {
  it("recovers a move from only the wallet and the chain if all local data is lost", async () => {
    const world = await loadFixture(withTeams);
    const { arena, alice, bob } = world;
    const at = await placeOf(world);
    const terms = await termsFor(world, { game: at.game });
    const committed = await secretStoreWith(await walletKeys(alice, CHAIN, await arena.getAddress()), at).commit(MOVE);
    await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, committed);
    const answer = answerTo(committed, encodeTeam([6n, 7n, 8n, 9n, 10n]));
    await arena.connect(bob).join(1, await offerHashOf(arena, 1), answer);

    const [created] = await arena.queryFilter(arena.filters.Created(1));
    const [joined] = await arena.queryFilter(arena.filters.Joined(1));
    const keys = await walletKeys(alice, CHAIN, await arena.getAddress());
    const secret = await recoverSecret(at, created.args.data, keys);
    await arena.connect(alice).act(1, revealFor(secret, joined.args.data));
    expect(await arena.statusOf(1)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    expect((await arena.matchOf(1)).turn).to.equal(Seat.None);
  });

  it("publishes commitments that never repeat and all have the same length, even for equal moves under one key", async () => {
    const key = randomKey();
    const commitments = await Promise.all(Array.from({ length: 50 }, () => commitWithKey(place, MOVE, key)));
    const other = await commitWithKey(place, encodeTeam([11n, 12n, 13n, 14n, 15n]), key);
    const all = [...commitments, other].map(({ committed }) => committed);
    expect(new Set(all.map(dataLength))).to.deep.equal(new Set([128]));
    for (const [from, to] of [
      [0, 32],
      [32, 48],
      [48, 64],
      [64, 96],
      [96, 128],
    ]) {
      expect(new Set(all.map((committed) => dataSlice(committed, from, to))).size, `bytes ${from} to ${to}`).to.equal(
        51,
      );
    }
    expect(new Set(commitments.map(({ secret }) => secret.salt)).size).to.equal(50);
  });

  it("derives the same key each time, and another key for each wallet, chain and arena", async () => {
    const [one, two] = [Wallet.createRandom(), Wallet.createRandom()];
    const keys = await walletKeys(one, CHAIN, ARENA);
    expect(await walletKeys(one, CHAIN, ARENA)).to.deep.equal(keys);
    const others = [walletKeys(two, CHAIN, ARENA), walletKeys(one, 1, ARENA), walletKeys(one, CHAIN, place.player)];
    const all = [keys, ...(await Promise.all(others))];
    for (const each of all)
      for (const key of each) expect(all.filter((some) => some.includes(key))).to.deep.equal([each]);
  });

  describe("given a wallet", () => {
    /** Wallet whose signatures are written in a chosen format. */
    class WritingWallet extends Wallet {
      constructor(
        privateKey: string,
        private readonly write: (signature: Signature) => string,
      ) {
        super(privateKey);
      }
      override async signTypedData(domain: TypedDataDomain, types: Record<string, TypedDataField[]>, value: object) {
        return this.write(Signature.from(await super.signTypedData(domain, types, value)));
      }
    }

    const keysOf = (privateKey: string, write: (signature: Signature) => string) =>
      walletKeys(new WritingWallet(privateKey, write), CHAIN, ARENA);

    /** Common formats of a signature. */
    const WAYS: Readonly<Record<string, (signature: Signature) => string>> = {
      "27 and 28": ({ serialized }) => serialized,
      "0 and 1": ({ r, s, yParity }) => concat([r, s, toBeHex(yParity, 1)]),
      "a bit of s": ({ compactSerialized }) => compactSerialized,
    };
    const HIGH = ({ r, s, yParity }: Signature) => concat([r, toBeHex(N - BigInt(s), 32), toBeHex(28 - yParity, 1)]);

    it("when the wallet encodes v differently, derives the same key, which decrypts all earlier commitments", async () => {
      for (const { privateKey } of Array.from({ length: 8 }, () => Wallet.createRandom())) {
        const [key] = await keysOf(privateKey, WAYS["27 and 28"]);
        for (const [way, write] of Object.entries({ ...WAYS, "the other s": HIGH })) {
          const keys = await keysOf(privateKey, write);
          expect(keys[0], way).to.equal(key);
          for (const [earlier, asBefore] of Object.entries({ ...WAYS, [way]: write })) {
            let whole = "";
            await keysOf(privateKey, (signature) => (whole = asBefore(signature)));
            const { secret, committed } = await commitWithKey(place, MOVE, keccak256(whole));
            const secretStore = secretStoreWith(keys, place);
            expect(await secretStore.reveal(committed), `${earlier}, then ${way}`).to.deep.equal(secret);
            expect((await recoverSecret(place, await secretStore.commit(MOVE), key)).move).to.equal(MOVE);
          }
        }
      }
    });

    it("when the wallet changes its encoding between two requests, derives the same key", async () => {
      const { privateKey } = Wallet.createRandom();
      const ways = [...Object.values(WAYS), HIGH];
      let asked = 0;
      const [key] = await keysOf(privateKey, WAYS["27 and 28"]);
      for (let i = 0; i < 8; i++) {
        expect((await keysOf(privateKey, (signature) => ways[asked++ % ways.length](signature)))[0]).to.equal(key);
      }
    });

    it("when a page requests the signatures itself, derives the same keys from them", async () => {
      const wallet = Wallet.createRandom();
      const { domain, types, value } = keyRequest(CHAIN, ARENA);
      const payload = TypedDataEncoder.getPayload(domain, types, value) as { primaryType: string };
      expect(payload.primaryType).to.equal("SecretKey");
      const signature = await wallet.signTypedData(domain, types, value);
      const keys = await walletKeys(wallet, CHAIN, ARENA);
      expect(keysOfSignatures([signature])).to.deep.equal(keys);
      expect(keysOfSignatures([signature, signature])).to.deep.equal(keys);
      const { r, s, yParity } = Signature.from(signature);
      expect(keysOfSignatures([signature, concat([r, s, toBeHex(yParity, 1)])])[0]).to.equal(keys[0]);
      const other = await Wallet.createRandom().signTypedData(domain, types, value);
      expect(() => keysOfSignatures([signature, other])).to.throw(UnsteadyWallet, "signatures differ");
      expect(() => keysOfSignatures(["0x"])).to.throw(UnsteadyWallet, "no signature of its own");
    });

    it("when the wallet signs differently each time, fails with an error that says so", async () => {
      const random = () => concat([randomBytes(32), toBeHex(7, 32), "0x1b"]);
      for (const write of [random, () => hexlify(randomBytes(97))]) {
        const failure = await keysOf(Wallet.createRandom().privateKey, write).catch((error: unknown) => error);
        expect(failure)
          .to.be.instanceOf(UnsteadyWallet)
          .and.to.have.property("message")
          .that.match(/^The wallet's signatures differ/);
      }
    });

    it("when the wallet is a contract with long signatures, derives the key as the hash of the whole signature", async () => {
      for (const length of [66, 97, 130, 1000]) {
        const long = hexlify(randomBytes(length));
        expect(await keysOf(Wallet.createRandom().privateKey, () => long)).to.deep.equal([keccak256(long)]);
      }
    });

    it("when anybody could have written the wallet's signature, fails instead of returning a key", async () => {
      const [zero, one, order] = [0n, 1n, N].map((number) => toBeHex(number, 32));
      const said = ["0x", "0x1b", concat([one]), hexlify(randomBytes(63)), concat([zero, one, "0x1b"])];
      said.push(
        concat([one, zero, "0x01"]),
        concat([order, one, "0x1b"]),
        concat([one, order, "0x1b"]),
        concat([one, zero]),
      );
      for (const signature of said) {
        const failure = await keysOf(Wallet.createRandom().privateKey, () => signature).catch(
          (error: unknown) => error,
        );
        expect(failure, signature).to.be.instanceOf(UnsteadyWallet);
      }
    });
  });

  it("derives a session key that is the same each time, unique per number and wallet, and decrypts nothing", async () => {
    const keys = await walletKeys(Wallet.createRandom(), CHAIN, ARENA);
    const key = sessionKey(keys);
    expect(key).to.equal(keccak256(concat([keys[0], toUtf8Bytes("Duello session"), toBeHex(0, 4)])));
    expect(sessionKey(keys[0])).to.equal(key);
    expect(sessionKey(keys, 0)).to.equal(key);
    const all = [...keys, key, sessionKey(keys, 1), sessionKey(randomKey()), sessionKey(randomKey())];
    expect(new Set(all).size).to.equal(all.length);
    const { committed } = await commitWithKey(place, MOVE, keys[0]);
    expect(await recoverSecret(place, committed, key).then(String, String)).to.match(/made with another key/);
  });

  it("recovers secrets only with the right key, player, game and chain, and only from an unchanged note", async () => {
    const key = randomKey();
    const { secret, committed } = await commitWithKey(place, MOVE, key);
    expect(await recoverSecret(place, committed, key)).to.deep.equal(secret);
    expect(commitmentOf(CHAIN, place.game, place.player, secret.move, secret.salt)).to.equal(
      decodeCommitment(committed).commitment,
    );
    const { commitment, note } = decodeCommitment(committed);
    const touched = encodeCommitment({ commitment, note: `${note.slice(0, -1)}${note.endsWith("0") ? "1" : "0"}` });
    const attempts: [Committer, string, string][] = [
      [place, committed, randomKey()],
      [{ ...place, player: ARENA }, committed, key],
      [{ ...place, game: place.player }, committed, key],
      [{ ...place, chainId: 1 }, committed, key],
      [place, touched, key],
    ];
    for (const [at, what, by] of attempts) {
      expect(await recoverSecret(at, what, by).then(String, String)).to.equal(
        "Error: This commitment was made with another key, or for another player, game or chain.",
      );
    }
    for (const short of ["0x", dataSlice(note, 0, 16)]) {
      expect(
        await recoverSecret(place, encodeCommitment({ commitment, note: short }), key).then(String, String),
      ).to.equal("Error: There is no note behind this commitment to recover it from.");
    }
  });
});
