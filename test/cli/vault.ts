import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { id, toBeHex } from "ethers";
import { Vault } from "../../cli/shared/files/vault.js";
import { answerToSend, type Round } from "../../sdk/player/shown-answers.js";

const [arena, player, game] = [1, 2, 3].map((number) => toBeHex(number, 20));
const place = { chainId: 31_337, arena, player };
const commitment = id("a commitment");
const secret = { chainId: 31_337, game, player, commitment, move: "0x01", salt: id("a salt") };

describe("The vault of a player", () => {
  let folder: string;
  let vault: Vault;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-vault-"));
    vault = new Vault(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Stores two values at the same time: one succeeds, and the other is refused unless it is equal. */
  async function oneOf<T>(first: Promise<T>, second: Promise<T>): Promise<[T, string]> {
    const outcomes = await Promise.allSettled([first, second]);
    const kept = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect([kept.length, refused.length], refused.join()).to.deep.equal([1, 1]);
    return [kept[0], refused[0]];
  }

  const REFUSED = /^Error: \S+ keeps another one already, and is not replaced: /;

  it("never overwrites a key, sequentially or concurrently", async () => {
    const [one, two] = [id("one"), id("two")];
    const [file, refused] = await oneOf(vault.keepKey({ ...place, key: one }), vault.keepKey({ ...place, key: two }));
    expect(refused).to.match(REFUSED);
    const [key, other] = (await vault.key(place)) === one ? [one, two] : [two, one];
    expect(await vault.keepKey({ ...place, key: other }).catch(String)).to.match(REFUSED);
    expect(await vault.keepKey({ ...place, key })).to.equal(file);
    expect(await vault.key(place)).to.equal(key);
  });

  it("never overwrites a secret", async () => {
    const file = await vault.keepSecret(secret);
    const before = await readFile(file, "utf8");
    for (const change of [{ move: "0x02" }, { salt: id("other") }, { game: arena }, { player: game }, { chainId: 1 }]) {
      expect(await vault.keepSecret({ ...secret, ...change }).catch(String), JSON.stringify(change)).to.match(REFUSED);
    }
    expect(await vault.keepSecret({ ...secret })).to.equal(file);
    expect(await readFile(file, "utf8")).to.equal(before);
  });

  it("never overwrites an answer, and never returns two answers for one commitment", async () => {
    const roundOf = (matchId: bigint) => ({ chainId: 31_337, arena, matchId, after: 1, commitment });
    const round = roundOf(1n);
    const answered = (to: Round, word: string, fresh: string) =>
      answerToSend(vault, {
        round: to,
        moveArgs: [word],
        games: [],
        make: (shown) => Promise.resolve(shown ?? fresh),
        dryRun: () => Promise.resolve(),
      });
    const [answer, refused] = await oneOf(answered(round, "heads", "0x01"), answered(round, "tails", "0x02"));
    expect(refused).to.match(/^Error: This commitment was answered with (heads|tails) before: send that again\./);
    const shown = await vault.shown(round);
    expect(shown?.answer).to.equal(answer);
    expect(await answered(round, shown!.moveArgs, "0x03")).to.equal(answer);
    expect(await vault.shown(round)).to.deep.equal(shown);
    const twice = await Promise.all([answered(roundOf(2n), "x", "0x04"), answered(roundOf(2n), "x", "0x05")]);
    expect(twice[0]).to.equal(twice[1]);
  });

  it("rejects a file of a newer or missing version, naming the file and both versions", async () => {
    const round: Round = { chainId: 31_337, arena, matchId: 1n, after: 1, commitment };
    const key = await vault.keepKey({ ...place, key: id("one") });
    const kept = await vault.keepSecret(secret);
    await vault.keepShown(round, { moveArgs: "heads", answer: "0x01" });
    for (const [file, read] of [
      [key, () => vault.key(place)],
      [kept, () => vault.secret(commitment)],
      [vault.placeOf(round), () => vault.shown(round)],
    ] as const) {
      const { version, ...content } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
      expect(version).to.equal(1);
      for (const [changed, problem] of [
        [{ version: 2, ...content }, "version 2 of the vault, and this program reads version 1: use the newer program"],
        [content, "no version of the vault, and this program reads version 1: it is damaged, or too old to be used"],
      ] as const) {
        await writeFile(file, JSON.stringify(changed));
        const refused = await read().catch((error: unknown) => (error as Error).message);
        expect(refused).to.match(new RegExp(`^${file}: it has ${problem}`));
      }
    }
    expect(await vault.keepKey({ ...place, key: id("one") }).catch(String)).to.match(
      / it has no version of the vault, /,
    );
  });
});
