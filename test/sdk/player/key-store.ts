import { expect } from "chai";
import { id, toBeHex } from "ethers";
import { games, stockGame } from "../../../sdk/games/index.js";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import {
  checkExported,
  checkOwnKey,
  exportedText,
  heldSecretStore,
  readExported,
  type KeyHolder,
  type KeyStore,
  type StoredSecret,
} from "../../../sdk/player/key-store.js";
import { UnsteadyWallet } from "../../../sdk/player/secrets.js";
import { decodeCommitment } from "../../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { versioned } from "../../../sdk/protocol/version.js";

const [arena, game, alice, bob] = [1, 2, 3, 4].map((number) => toBeHex(number, 20));
const scope = { chainId: 1, arena, player: alice };
const [KEY, OTHER] = [id("a key"), id("another key")];
const FILE = "backup.json";
const deployment = {
  chainId: 1,
  games,
  addresses: { Arena: arena, [stockGame("mini-games").contract]: game } as unknown as Addresses,
};

/** Keeps imported secrets in memory. */
class Store implements KeyStore {
  readonly secrets = new Map<Hex, StoredSecret>();
  key = async () => undefined;
  keepKey = async () => "memory";
  secret = async (commitment: Hex) => this.secrets.get(commitment);
  async keepSecret(stored: StoredSecret): Promise<string> {
    this.secrets.set(stored.commitment, stored);
    return "memory";
  }
}

function holder(caller: string, key: Hex, store = new Store()): KeyHolder & { store: Store } {
  return { store, caller: async () => caller, findKeys: async () => key, requireKey: async () => key };
}

const by = { chainId: 1, game, player: alice };

describe("The key store of a player", () => {
  it("reads keys as they were exported", () => {
    const key = { ...scope, key: KEY };
    expect(readExported(JSON.parse(exportedText(key)), FILE)).to.deep.equal([key]);
    // The file of a key in a vault is also a backup.
    expect(readExported(versioned("the vault", key), FILE)).to.deep.equal([key]);
    expect(() => readExported({ ...key, version: 2 }, FILE)).to.throw(`${FILE}: it has version 2 of the vault, `);
  });

  it("accepts only keys of the same chain, arena and player that the wallet would derive", () => {
    const refused = (change: object, own?: Hex) => {
      try {
        checkOwnKey({ ...scope, key: KEY, ...change }, scope, own, FILE);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([refused({}), refused({}, KEY)]).to.deep.equal([undefined, undefined]);
    expect(refused({ chainId: 2 })).to.equal("backup.json: it is for chain 2, not 1");
    expect(refused({ arena: game })).to.equal(`backup.json: it is for the arena ${game}, not ${arena}`);
    expect(refused({ player: bob })).to.equal(`backup.json: it is a key for ${bob}, and you are ${alice}`);
    expect(refused({}, OTHER)).to.match(/^backup\.json: its key is not yours: /);
  });

  it("recovers the player's secrets even if none are stored, but no other player's secrets", async () => {
    const own = holder(alice, KEY);
    const committed = await heldSecretStore(own, by).commit("0x01");
    expect(own.store.secrets.size).to.equal(0);
    expect((await heldSecretStore(own, by).reveal(committed)).move).to.equal("0x01");
    const operator = heldSecretStore(holder(bob, OTHER), by);
    expect(await operator.reveal(committed).catch(String)).to.equal(
      `Error: The secret belongs to ${alice}: import what it exports.`,
    );
  });

  it("serves an operator by storing the secrets that the operator makes for the player", async () => {
    const operator = holder(bob, OTHER);
    const committed = await heldSecretStore(operator, by).commit("0x01");
    const { commitment } = decodeCommitment(committed);
    const stored = [...operator.store.secrets.values()];
    expect(stored.map((each) => [each.commitment, each.player])).to.deep.equal([[commitment, alice]]);
    checkExported(readExported(JSON.parse(exportedText(stored)), FILE), deployment, FILE);
    const imported = holder(alice, KEY, operator.store);
    expect((await heldSecretStore(imported, by).reveal(committed)).move).to.equal("0x01");
    expect(() => checkExported([{ ...stored[0], move: "0x02" }], deployment, FILE)).to.throw(
      "backup.json: the move and salt do not make the commitment",
    );
    expect(() => checkExported(stored, { ...deployment, chainId: 2 }, FILE)).to.throw("it is for chain 1, not 2");
  });

  it("requires a backup if the wallet gives no key", async () => {
    const committed = await heldSecretStore(holder(alice, KEY), by).commit("0x01");
    const unsteady = { ...holder(alice, KEY), findKeys: () => Promise.reject(new UnsteadyWallet("no")) };
    expect(await heldSecretStore(unsteady, by).reveal(committed).catch(String)).to.equal(
      "Error: Your wallet signs differently each time: import the backup of your key.",
    );
  });
});
