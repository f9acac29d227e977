import { expect } from "chai";
import type { AnyEvent, ChainEvent, EventName, Events } from "../../../sdk/chain/events.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import { games } from "../../../sdk/games/index.js";
import { decodeActions, encodeActions } from "../../../sdk/protocol/channels/actions.js";
import type { ChannelMessage } from "../../../sdk/protocol/channels/wire.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { Reading } from "../../../sdk/verify/reading.js";
import { askChain } from "../../../sdk/verify/state.js";
import { verify, type VerifyOptions } from "../../../sdk/verify/verify.js";
import { livedChannel, type ChannelLife } from "../../support/channel-life.js";
import { ethers, loadFixture } from "../../support/index.js";

const ELSEWHERE = `0x${"12".repeat(32)}`;

describe("Verifying games in channels", () => {
  let life: ChannelLife;
  let based: bigint;

  before(async () => {
    life = await loadFixture(livedChannel);
    based = life.matchId("from a base");
  });

  /** Verifies the chain, optionally with changed events. */
  async function verdictOf(options: VerifyOptions = {}, change: (event: AnyEvent) => AnyEvent | undefined = (e) => e) {
    const source = await Reading.open(ethers.provider, life.addresses);
    const parts = source.parts.bind(source);
    source.parts = async function* () {
      for await (const part of parts()) yield part.flatMap((event) => change(event) ?? []);
    };
    const { mismatch, ...verdict } = await verify(source, games, {
      ask: askChain(ethers.provider, source.last.number),
      ...options,
    });
    return { ...verdict, ...(mismatch && { mismatch: locatedMismatchText(mismatch) }) };
  }

  /** Verifies the chain with changed values in a match's first event with this name. */
  async function found<N extends EventName>(
    life: string,
    name: N,
    changed: (args: Events[N]) => Partial<Events[N]>,
  ): Promise<string | undefined> {
    const matchId = lifeOf(life);
    let done = false;
    const change = (event: AnyEvent): AnyEvent => {
      if (done || event.name !== name || !("matchId" in event.args) || event.args.matchId !== matchId) return event;
      done = true;
      return { ...event, args: { ...event.args, ...changed(event.args as Events[N]) } } as AnyEvent;
    };
    const { mismatch } = await verdictOf({ matches: [matchId] }, change);
    expect(done).to.equal(true);
    return mismatch;
  }
  const lifeOf = (name: string) => life.matchId(name);

  it("finds no mismatch in any match of any game, nor in honour or fighters", async () => {
    const { mismatch, matches, fromChannels, foreign } = await verdictOf();
    expect({ mismatch, matches, fromChannels, foreign }).to.deep.equal({
      mismatch: undefined,
      matches: 15,
      fromChannels: life.nonces.size,
      foreign: 0,
    });
  });

  const flip = (code: bigint, ...bits: bigint[]) => ({ code: bits.reduce((all, bit) => all ^ (1n << bit), code) });
  /** Changes the last byte of an action. */
  const touched = (i: number) => (args: { actions: string }) => {
    const actions = decodeActions(args.actions);
    const at = i < 0 ? actions.length + i : i;
    const last = Number.parseInt(actions[at].slice(-2), 16) ^ 1;
    const action = actions[at].slice(0, -2) + last.toString(16).padStart(2, "0");
    return { actions: encodeActions(actions.with(at, action)) };
  };
  const otherWinner = ({ code }: { code: bigint }) => flip(code, 0n, 1n, 2n, 3n);
  for (const { name } of games) {
    it(`notices another winner and another action of ${name}`, async () => {
      expect(await found(`played ${name}`, "Played", otherWinner)).to.match(/Played.*: winner: expected/);
      expect(await found(`played ${name}`, "Played", touched(-1))).to.match(/what was sent|winner/);
      expect(await found(`played ${name}`, "Played", () => ({ position: ELSEWHERE }))).to.match(/offer/);
    });
  }

  for (const [what, its, name, changed, expected] of [
    ["a rating", "played pistols", "Played", ({ code }: Events["Played"]) => flip(code, 32n), /rating of seat One/],
    ["a log", "played pistols", "Log", () => ({ logEntries: [] }), /log entry 1/],
    [
      "a base of the other seat",
      "from a base",
      "Played",
      ({ code }: Events["Played"]) => flip(code, 6n, 7n),
      /setup|turn|fit/,
    ],
    ["another base", "from a base", "Played", () => ({ position: ELSEWHERE }), /does not fit what was committed/],
    [
      "a base in place of the offer",
      "played warmancer",
      "Played",
      ({ code }: Events["Played"]) => flip(code, 7n),
      /what was sent: action 1/,
    ],
    ["another action after a base", "from a base", "Played", touched(-1), /what was sent: action/],
    ["another winner after a base", "from a base", "Played", otherWinner, /winner/],
    [
      "a forfeit in a match that went on",
      "played mini-games",
      "Played",
      ({ code }: Events["Played"]) => flip(code, 4n),
      /logged rounds/,
    ],
    ["a legal action in place of a refused one", "refused", "Played", legal, /forfeit/],
    ["a missing forfeit", "refused", "Played", ({ code }: Events["Played"]) => flip(code, 4n), /is marked already/],
    ["another position in the arena", "gone on", "Started", () => ({ position: ELSEWHERE }), /Started.*position/],
    ["another turn in the arena", "gone on", "Started", () => ({ turn: Seat.Two }), /turn/],
    ["another seat in the arena", "gone on", "Acted", () => ({ seat: Seat.Two }), /seat|round/],
    [
      "another end in the arena",
      "over and timed out",
      "Settled",
      ({ paid1, paid2 }: Events["Settled"]) => ({ paid1: paid2, paid2: paid1 }),
      /paid1/,
    ],
    ["a result before the end", "gone on", "Challenged", ({ code }: Events["Challenged"]) => flip(code, 0n), /winner/],
  ] as const) {
    it(`notices ${what}`, async () => {
      expect(await found(its, name as "Played", changed as () => object)).to.match(expected);
    });
  }

  /** Replaces the refused mark with a mark on a free cell. */
  function legal({ actions }: { actions: string }) {
    const [answer] = decodeActions(actions);
    const marked = [answer.slice(2, 4), answer.slice(4, 6)];
    const free = ["00", "01", "02"].find((cell) => !marked.includes(cell))!;
    return { actions: encodeActions([answer, `0x03${free}`]) };
  }

  it("notices that the chain had no reason to reject an answer", async () => {
    const { fighters } = life.world;
    const token = await fighters.getAddress();
    const { bob, carol } = life.world;
    // Without the sale, the fighter still belongs to bob.
    const change = (event: AnyEvent) => {
      const { name, args, address } = event;
      const isSale = name === "Transfer" && address === token && [bob.address, carol.address].includes(args.from);
      return isSale && [bob.address, carol.address].includes(args.to) ? undefined : event;
    };
    const { mismatch } = await verdictOf({}, change);
    expect(mismatch).to.match(/Played.*: forfeit: expected false, found true/);
  });

  it("reports the base and the balance to which both players agreed, and whether messages prove them", async () => {
    const { signed } = await verdictOf();
    const { id } = life.pair;
    const nonce = life.nonces.size + 2 ** 14 + 1;
    const none = { verdict: "agreed, not shown" };
    expect(signed).to.deep.equal([
      { matchId: based, ...none },
      { channelId: id, nonce, ...none },
    ]);
    const shown = { verdict: "agreed and shown" };
    const all = await verdictOf({ messages: () => life.messages });
    expect(all.mismatch).to.equal(undefined);
    expect(all.signed).to.deep.equal([
      { matchId: based, ...shown },
      { channelId: id, nonce, ...shown },
    ]);
  });

  it("explains why messages do not prove a base or a balance, for example because a signature is wrong", async () => {
    const forged = life.messages.map((message): ChannelMessage =>
      message.type === "move" && message.count === 3 ? { ...message, action: "0x00" } : message,
    );
    const { mismatch, signed = [] } = await verdictOf({ messages: () => forged });
    expect(mismatch).to.equal(undefined);
    expect(signed[0])
      .to.include({ verdict: "agreed, not shown" })
      .and.to.have.property("problem")
      .that.matches(/signature/);
    const gift = await verdictOf({ messages: () => life.messages }, (event) => {
      if (event.name !== "Balanced") return event;
      const { amount1, amount2 } = event.args;
      return { ...event, args: { ...event.args, amount1: amount1 + 1n, amount2: amount2 - 1n } };
    });
    expect(gift.signed?.[1])
      .to.have.property("problem")
      .that.matches(/the matches before it give/);
  });

  it("notices a log that belongs to no match", async () => {
    let log: ChainEvent<"Log"> | undefined;
    const { mismatch } = await verdictOf({}, (event) => {
      if (event.name === "Log" && event.args.matchId === lifeOf("played pistols")) log = event;
      const stray = event.name === "Opened" || !log ? undefined : { ...log, transaction: event.transaction };
      return event.name === "Balanced" && stray ? stray : event;
    });
    expect(mismatch).to.match(/the match: expected one that a channel brings/);
  });
});
