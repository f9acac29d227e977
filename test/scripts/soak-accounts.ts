import { expect } from "chai";
import type { Interface } from "ethers";
import { Chain, phraseOf, type Sent } from "../../scripts/soak/chain.js";
import { dueActionOf } from "../../scripts/soak/due-action.js";
import { Accounts } from "../../scripts/soak/accounts.js";
import { Random } from "../../scripts/soak/random.js";
import { planFor } from "../../scripts/soak/plan.js";
import { expectRefusal } from "../../scripts/soak/expect-refusal.js";
import { soak } from "../../scripts/soak/run.js";
import { SoakMatch } from "../../scripts/soak/soak-match.js";
import { World } from "../../scripts/soak/world.js";
import { channelsAbi, channelsOf } from "../../sdk/chain/channels.js";
import { games } from "../../sdk/games/index.js";

const SEED = "planted";

describe("A soak's check of balances", () => {
  let world: World;
  let close: () => Promise<void>;

  before(async () => {
    const random = new Random(SEED);
    const chain = await Chain.inProcess(phraseOf(SEED), random);
    ({ close } = chain);
    ({ world } = await soak(chain, random, { matches: 20, channels: 1 }));
  });

  after(() => close());

  /** Checks the money with one event changed or omitted. @returns the error. */
  async function found(name: string, change: (args: unknown[]) => unknown[] | undefined): Promise<string> {
    const { arena, addresses } = world;
    const interfaces = new Map([
      [addresses.Arena, arena.interface as Interface],
      [channelsOf(addresses.Arena), channelsAbi],
    ]);
    let done = false;
    const changed = (log: Sent["logs"][0]): Sent["logs"] => {
      const used = interfaces.get(log.address);
      const event = used?.parseLog(log);
      // A payment of zero changes nothing, and a balance that does not close a channel pays nothing.
      if (done || event?.name !== name || event.args.amount === 0n || (name === "Balanced" && !event.args.closed)) {
        return [log];
      }
      done = true;
      const args = change([...event.args]);
      return args ? [{ ...log, ...used!.encodeEventLog(event.fragment, args) }] : [];
    };
    const sent = world.chain.sent.map((each) => ({ ...each, logs: each.logs.flatMap(changed) }));
    expect(done, `the soak has no ${name}`).to.equal(true);
    const chain = Object.create(world.chain, { sent: { value: sent } }) as Chain;
    return new Accounts(Object.create(world, { chain: { value: chain } }) as World)
      .count()
      .then(() => "nothing", String);
  }

  it("finds nothing if the events are unchanged", async () => {
    expect(await found("Deposited", (args) => args)).to.equal("nothing");
  });

  it("notices a missing deposit or withdrawal", async () => {
    expect(await found("Deposited", () => undefined)).to.match(/^Error: what was paid in of 0x\w+ is/);
    expect(await found("Withdrawn", () => undefined)).to.match(/^Error: what was paid in of 0x\w+ is/);
  });

  it("notices a missing settlement", async () => {
    expect(await found("Settled", () => undefined)).to.match(/^Error: what is in purses and open matches of 0x\w+ is/);
  });

  it("notices a missing or changed event of a channel", async () => {
    expect(await found("Opened", () => undefined)).to.match(/ is closed, and was never opened$/);
    expect(await found("Balanced", () => undefined)).to.match(/^Error: the purse of 0x/);
    const swapped = ([id, nonce, amount1, amount2, ...rest]: unknown[]) => [id, nonce, amount2, amount1, ...rest];
    expect(await found("Balanced", swapped)).to.match(/^Error: the purse of 0x/);
  });

  it("notices a payment to another player", async () => {
    const other = world.operator.address;
    expect(await found("Deposited", ([token, , amount]) => [token, other, amount])).to.match(/^Error: the purse of 0x/);
    expect(
      await found("Settled", ([id, status, paid1, paid2, ...rest]) => [id, status, paid2, paid1, ...rest]),
    ).to.match(/^Error: the purse of 0x/);
  });
});

describe("A soak's check of refused calls", () => {
  let table: SoakMatch;
  let close: () => Promise<void>;

  before(async () => {
    const random = new Random(SEED);
    const chain = await Chain.inProcess(phraseOf(SEED), random);
    ({ close } = chain);
    const world = await World.on(chain, random);
    const firm = { named: true, firmFor: 86_400, quick: true, broke: false, rated: true, clock: 86_400n };
    const plan = { ...planFor(games[0], world.addresses.FightToken, random), ...firm };
    table = new SoakMatch(world, games[0], [world.players[0], world.players[1]], plan);
    await table.offer();
  });

  after(() => close());

  it("fails if a call is refused for another reason than expected", async () => {
    const tried = expectRefusal(table, "too early", table.seats[0], "timeout", [table.matchId], "TooLate");
    expect(await tried.catch(String)).to.include("is refused by TooEarly instead of TooLate");
    await expectRefusal(table, "too early", table.seats[0], "timeout", [table.matchId], "TooEarly");
  });

  it("fails if a call is refused without a reason", async () => {
    const { by, method, args } = await dueActionOf(table);
    await by.deposit(table.terms.token, table.terms.stake2);
    const { provider } = table.world.chain;
    const code = await provider.getCode(table.terms.game);
    await provider.send("hardhat_setCode", [table.terms.game, "0xfe"]);
    const tried = expectRefusal(table, "no reason", by, method, args);
    expect(await tried.catch(String)).to.include("is refused without a reason");
    await provider.send("hardhat_setCode", [table.terms.game, code]);
  });

  it("fails if a refused call changes a balance", async () => {
    const [player] = table.seats;
    const { purseOf } = player;
    let purse = 0n;
    player.purseOf = async () => purse++;
    const tried = expectRefusal(table, "too early", player, "timeout", [table.matchId]);
    expect(await tried.catch(String)).to.include("is refused and changes something");
    player.purseOf = purseOf;
  });

  it("fails if a player who resigns does not lose immediately", async () => {
    const { world, plan } = table;
    const [one, two] = world.players.slice(2, 4);
    const resignations = [two.client, one.client].map((client) => client.resign.bind(client));
    const found = async (planted: (typeof resignations)[0][]): Promise<string> => {
      // A random jump in time can prevent the join.
      for (let tries = 0; tries < 5; tries++) {
        const resigning = new SoakMatch(world, games[1], [one, two], { ...plan, outcome: "resigned", after: 0 });
        await resigning.offer();
        [one.client.resign, two.client.resign] = planted;
        for (let n = 0; n < 50 && !resigning.over && !resigning.silent; n++) {
          const error = await resigning.next().catch(String);
          if (error !== undefined) return error;
        }
      }
      return "nothing";
    };
    expect(await found(resignations)).to.match(/match \d+ ended with status [67]$/);
    const nothing = async () => undefined as never;
    expect(await found([nothing, nothing])).to.match(/match \d+ goes on$/);
  });

  it("fails if an invalid action is accepted", async () => {
    const { by, method, args } = await dueActionOf(table);
    const tried = expectRefusal(table, "a right answer", by, method, args);
    expect(await tried.catch(String)).to.include("should be refused, and was taken");
  });
});
