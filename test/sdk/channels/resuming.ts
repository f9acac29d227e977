import { expect } from "chai";
import { games } from "../../../sdk/games/index.js";
import { LogConflict } from "../../../sdk/player/log-place.js";
import { channelMessageText, parseChannelMessage } from "../../../sdk/protocol/channels/wire.js";
import { channelEntryText } from "../../../sdk/player/channels/log.js";
import { channelTerms, channelWorld } from "../../support/channel-games.js";
import { openedBy, peopleAt, transportWith, type Person, type PortChanges } from "../../support/channel-seats.js";
import type { MemoryChannelTransport } from "../../../sdk/player/channels/transport.js";
import { DAY, HOUR, inPassing, loadFixture, now, time, UNIT } from "../../support/index.js";

const AMOUNT = 50n * UNIT;

/** Thrown instead of ending the process. */
class Killed extends Error {}

describe("Channels: a player that was killed", () => {
  for (const side of [0, 1]) {
    it(`resumes from its log, no matter during which call it was killed: player ${side + 1}`, async () => {
      const world = await loadFixture(channelWorld);
      let killed = 0;
      for (let n = 1; ; n++) {
        const executioner = new Executioner(n);
        await inPassing(async () => {
          const people = await peopleAt(world);
          await people[side].start(executioner.ports(people[side]));
          await playedThrough(world, people);
          expectNothingTwice(people[0].transport as MemoryChannelTransport);
        });
        if (!executioner.hasKilled) break;
        killed++;
      }
      expect(killed).to.be.greaterThan(15);
    });
  }

  it("sends the action that it composed for the chain before it was killed, unchanged", async () => {
    const world = await loadFixture(channelWorld);
    const [alice, bob] = await openedBy(world, AMOUNT);
    await alice.player.offer(channelTerms(world, games[2], world.modes["mini-games"][0]));
    await bob.step();
    await time.increase(HOUR);
    await bob.step();
    const calls: string[] = [];
    let asked = 0;
    const ports: PortChanges = {
      async choose() {
        asked++;
        return { move: undefined };
      },
      async send({ data }) {
        calls.push(data);
        throw new Killed();
      },
    };
    await alice.start(ports);
    await alice.step();
    await alice.start(ports);
    await alice.step();
    expect(asked).to.equal(1);
    expect(calls).to.have.length(2);
    expect(calls[0]).to.equal(calls[1]);
  });

  it("stops if another process has written to its log", async () => {
    const world = await loadFixture(channelWorld);
    const [alice, bob] = await peopleAt(world);
    const first = alice.player;
    await alice.start();
    await alice.player.propose(AMOUNT, AMOUNT, Number((await now()) + 30n * DAY));
    await bob.step();
    const lines = [...(alice.transport as MemoryChannelTransport).lines];
    const error = await first.step().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(LogConflict);
    expect((alice.transport as MemoryChannelTransport).lines).to.deep.equal(lines);
  });
});

/** Kills a program right after one of its port calls. */
class Executioner {
  hasKilled = false;
  private calls = 0;

  /** @param n Number of the call, from 1. */
  constructor(private readonly n: number) {}

  /** Returns a person's ports that kill the program once. */
  ports(person: Person): PortChanges {
    const wrap = async (run: () => Promise<void>) => {
      // The process is gone.
      if (this.hasKilled) throw new Killed();
      await run();
      if (++this.calls < this.n) return;
      this.hasKilled = true;
      throw new Killed();
    };
    const { log, transport } = person;
    const isKept = async (line: string) => {
      const kept = (await log.read()).map(channelEntryText);
      expect(kept.includes(line), `${line} is sent before it is kept`).to.equal(true);
    };
    return {
      send: (call) => wrap(() => person.send(call)),
      log: { read: () => log.read(), append: (entry, place) => wrap(() => log.append(entry, place)) },
      transport: transportWith(transport, { put: (line) => wrap(() => isKept(line).then(() => transport.put(line))) }),
    };
  }
}

/** Opens a channel, plays two matches, and closes it; restarts a killed player. */
async function playedThrough(world: Awaited<ReturnType<typeof channelWorld>>, people: readonly [Person, Person]) {
  const rps = channelTerms(world, games[2], world.modes["mini-games"][0]);
  const rated = { ...rps, rated: true };
  const end = Number((await now()) + 30n * DAY);
  const revive = async (person: Person, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      await person.start();
    }
  };
  let isOver = false;
  for (let round = 0; round < 60 && !isOver; round++) {
    for (const person of people) {
      await revive(person, async () => {
        const status = await person.step();
        for (const trouble of status.troubles) throw trouble;
        const { chain, held, current } = status;
        const began = held && held.nonce - 2 ** 14;
        isOver = !chain.open && round > 2;
        if (isOver) return;
        if (!chain.open && round === 0 && person.number === 1) await person.player.propose(AMOUNT, AMOUNT, end);
        if (began === person.number - 1 && !current && chain.open) await person.player.offer(began === 0 ? rps : rated);
        if (began === 2 && person.number === 1) person.player.getUp();
      });
    }
  }
  expect(isOver, "the channel is closed").to.equal(true);
  const { channels } = world;
  expect((await channels.queryFilter(channels.filters.Played())).length).to.equal(1);
  expect((await channels.queryFilter(channels.filters.Opened())).length).to.equal(1);
}

/** Expects that nobody has signed two different messages with the same number. */
function expectNothingTwice({ lines }: MemoryChannelTransport): void {
  const known = new Map<string, string>();
  for (const line of lines) {
    const message = parseChannelMessage(line, "line");
    const { type, nonce } = message;
    const who = "player" in message ? message.player : type === "move" ? message.count : "";
    const key = [type, nonce, who, type === "balance" && message.close].join(" ");
    expect(known.get(key) ?? line, key).to.equal(channelMessageText(message));
    known.set(key, line);
  }
}
