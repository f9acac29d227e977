import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { MaxUint256 } from "ethers";
import type { RelayedMatch } from "../../cli/relay/facts-cache.js";
import { Relay, type RelayLimits, type RelayOptions } from "../../cli/relay/relay.js";
import { messageText, type AwayMessage } from "../../sdk/protocol/away/messages.js";
import { firstTable, tableHash } from "../../sdk/protocol/away/table.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { awayBase, awayMatch, movesBy } from "./away.js";

/** Request to a relay in a test. */
export interface Asked {
  method?: string;
  body?: string;
  headers?: OutgoingHttpHeaders;
  /** Address of this machine from which it comes; all of 127.0.0.0/8 are. */
  from?: string;
}

/** Facts of a match in play, whose seat 2 moves first. */
export const matchInPlay: RelayedMatch = {
  ...awayMatch,
  status: Status.AllJoined,
  turn: Seat.Either,
  position: tableHash(firstTable(awayBase, Seat.Two)),
};

/** A relay in this process with an archive of its own, and clients at several addresses. */
export class RelayWorld {
  relay!: Relay;
  /** Facts of matches by number, as on chain. */
  readonly matches = new Map<bigint, RelayedMatch>();
  readonly troubles: string[] = [];
  /** Milliseconds of the relay's clock; undefined for the machine's. */
  time?: number;
  /** Number of requests to the chain. */
  reads = 0;
  /** Called for each request to the chain. */
  onRead: (matchId: bigint) => Promise<unknown> = async () => undefined;
  /** Called to check that the chain answers. */
  onCheck: () => Promise<undefined> = async () => undefined;
  private readonly sockets: Socket[] = [];

  private constructor(readonly folder: string) {}

  static async open(limits: Partial<RelayLimits> = {}, options: Partial<RelayOptions> = {}): Promise<RelayWorld> {
    const world = new RelayWorld(await mkdtemp(join(tmpdir(), "duello-relay-")));
    await world.start(limits, options);
    return world;
  }

  async start(limits: Partial<RelayLimits> = {}, options: Partial<RelayOptions> = {}): Promise<void> {
    this.relay = await Relay.start({
      chainId: awayMatch.chainId,
      arena: awayMatch.arena,
      folder: this.folder,
      port: 0,
      metrics: { port: 0, host: "127.0.0.1" },
      limits,
      now: () => this.time ?? performance.now(),
      onTrouble: (line) => this.troubles.push(line),
      readMatch: async (matchId) => {
        if (matchId === MaxUint256) return this.onCheck();
        this.reads++;
        await this.onRead(matchId);
        return this.matches.get(matchId);
      },
      ...options,
    });
  }

  async restart(limits: Partial<RelayLimits> = {}, options: Partial<RelayOptions> = {}): Promise<void> {
    await this.relay.stop();
    await this.start(limits, options);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await this.relay.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Reads the counts, by name and labels. */
  async counts(): Promise<Record<string, number>> {
    const text = await (await fetch(this.relay.metricsUrl)).text();
    const samples = text.matchAll(/^duello_relay_(\S+) (\d+)$/gm);
    return Object.fromEntries([...samples].map(([, name, value]) => [name, Number(value)]));
  }

  /** Waits until a count has a value. */
  async until(name: string, value: number): Promise<void> {
    while ((await this.counts())[name] !== value) await pause(5);
  }

  get port(): number {
    return Number(new URL(this.relay.url).port);
  }

  path(matchId: bigint | number, rest: string | number = ""): string {
    return `/${awayMatch.chainId}/${awayMatch.arena}/${matchId}/${rest}`;
  }

  /** Sends a request on a connection of its own; its status is 0 if the relay closes that. */
  async ask(path: string, { method = "GET", body = "", headers = {}, from }: Asked = {}) {
    const sent = request({
      port: this.port,
      path,
      method,
      headers: { "Content-Length": Buffer.byteLength(body), ...headers },
      localAddress: from,
      agent: false,
    });
    const answer = once(sent, "response");
    sent.end(body);
    try {
      const [response] = (await answer) as [IncomingMessage];
      return { status: response.statusCode!, text: await text(response), headers: response.headers };
    } catch {
      return { status: 0, text: "", headers: {} };
    }
  }

  async put(matchId: bigint | number, message: AwayMessage, asked: Asked = {}) {
    const place = message.type === "move" ? message.nonce : "notes";
    return this.ask(this.path(matchId, place), { ...asked, method: "PUT", body: messageText(message) });
  }

  /** Opens a connection, and sends some text. */
  async open(sent = "", from = "127.0.0.1"): Promise<Socket> {
    const socket = connect({ port: this.port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => undefined).resume();
    this.sockets.push(socket);
    await once(socket, "connect");
    if (sent !== "") socket.write(sent);
    return socket;
  }

  /** Lets two players join matches. @returns the first move of each. */
  async join(...matchIds: number[]) {
    return Promise.all(
      matchIds.map(async (number) => {
        const matchId = BigInt(number);
        this.matches.set(matchId, { ...matchInPlay, matchId });
        const [move] = await movesBy([Seat.Two], { match: { ...awayMatch, matchId } });
        return { matchId, move };
      }),
    );
  }
}
