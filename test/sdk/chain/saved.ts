import { expect } from "chai";
import type { Provider } from "ethers";
import { Archive } from "../../../sdk/chain/archive.js";
import type { SavedArchive } from "../../../sdk/chain/saved.js";
import { Bench } from "../../../sdk/laws/bench.js";
import { Random } from "../../../sdk/laws/random.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { ethers, loadFixture } from "../../support/index.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { lawOptions } from "../../support/laws/options.js";

const provider = ethers.provider as unknown as Provider;

async function played() {
  const bench = await Bench.open(autoBattlerLaws, lawOptions);
  await bench.play(await bench.draft(new Random("saved")));
  const addresses = { ...bench.history.addresses, AutoBattler: bench.address };
  const archive = await Archive.read(provider, addresses);
  await archive.readTimes([3, archive.last.number]);
  return { addresses, archive, json: JSON.stringify(archive.save()) };
}

describe("A saved archive", () => {
  let world: Awaited<ReturnType<typeof played>>;
  let saved: SavedArchive;

  beforeEach(async () => {
    world = await loadFixture(played);
    saved = JSON.parse(world.json) as SavedArchive;
  });

  const load = (addresses = world.addresses) => Archive.load(provider, addresses, saved);
  const refusal = async (addresses = world.addresses) => {
    const error: unknown = await load(addresses).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(InputError);
    return (error as InputError).message;
  };

  it("is unchanged after loading, including the times of blocks", async () => {
    const { archive } = world;
    const loaded = await load();
    expect([loaded.all, loaded.last, loaded.chainId]).to.deep.equal([archive.all, archive.last, archive.chainId]);
    expect([3, 4, archive.last.number].map((block) => loaded.timeOf(block))).to.deep.equal(
      [3, 4, archive.last.number].map((block) => archive.timeOf(block)),
    );
    expect(await loaded.match(1n)).to.deep.equal(await archive.match(1n));
    expect(JSON.stringify(loaded.save())).to.equal(world.json);
  });

  it("is rejected, and the error names the field, if its version, chain or deployment differs", async () => {
    const cases: [(other: SavedArchive) => unknown, RegExp][] = [
      [
        (other) => (other.version = 2),
        /^archive: it has version 2 of a saved archive, and this program reads version 1: use the newer program/,
      ],
      [(other) => (other.chainId = "1"), /^archive\.chainId: 1 is not that of the node, 31337$/],
      [(other) => (other.genesis = `0x${"07".repeat(32)}`), /^archive\.genesis: .* restarted$/],
      [(other) => (other.arena = saved.emitters[0].replace("0x", "0y")), /^archive\.arena: .* is not the arena/],
      [(other) => other.emitters.pop(), /^archive\.emitters: \d+ items instead of \d+$/],
    ];
    for (const [change, message] of cases) {
      saved = JSON.parse(world.json) as SavedArchive;
      change(saved);
      expect(await refusal()).to.match(message);
    }
    saved = JSON.parse(world.json) as SavedArchive;
    const { AutoBattler: _, ...fewer } = world.addresses;
    expect(await refusal(fewer as never)).to.match(/^archive\.emitters/);
  });

  it("is rejected, and the error names the entry, if its events are invalid or out of order", async () => {
    const at = () => saved.blocks.find(({ events }) => events.length > 1)!;
    const cases: [() => unknown, RegExp][] = [
      [() => saved.blocks.reverse(), /number: \d+ is not between/],
      [() => (saved.last.number = 2), /number: \d+ is not between -?\d+ and 3$/],
      [() => at().events.reverse(), /events\[1\]\[2\]: \d+ is not above \d+$/],
      [() => (at().events[0][0] = "ApprovalForAll"), /"ApprovalForAll" is not one of/],
      [() => (at().events[0][1] = 99), /\[1\]: 99 is above/],
      [() => at().events[0][4].pop(), /\[4\]: \d items instead of \d$/],
      [() => (at().events[0][4][0] = "-1"), /\[4\]\[0\]: "-1" is no/],
      [() => (saved.times[0][1] = "1e9"), /times\[0\]\[1\]: "1e9" is no number of 64 bits$/],
    ];
    for (const [change, message] of cases) {
      saved = JSON.parse(world.json) as SavedArchive;
      change();
      expect(await refusal()).to.match(message);
    }
  });

  it("can be made only from an archive that was read from a chain", () => {
    const { addresses } = world;
    const made = new Archive(provider, addresses, { chainId: 1n, events: [], last: { number: 0, hash: "" } });
    expect(() => made.save()).to.throw("Only an archive that was read from a chain can be saved.");
  });
});
