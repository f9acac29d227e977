import { mkdtemp } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { ApiServer, tokenScopeOf, type ApiServerOptions } from "../../cli/api/api-server.js";
import { signedToken } from "../../cli/api/token.js";
import type { Game, GameFull, GameState } from "../../cli/api/wire.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { machineClock } from "../../sdk/chain/waiting.js";
import { urlOf } from "../../scripts/local-chain.js";
import type { PlayWorld } from "./play-support.js";

/** Answer to a request. */
export interface Answered<T = Record<string, unknown>> {
  status: number;
  body: T;
}

/** Program that uses an API. */
export class ApiClient {
  /** @param token Token of all requests; undefined for none. */
  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  /** Sends a request. @param body Value to send as JSON. @param headers Headers that replace the usual ones. */
  async ask<T = Record<string, unknown>>(
    method: "GET" | "POST",
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered<T>> {
    const answer = await this.open(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
    return { status: answer.statusCode!, body: JSON.parse(await text(answer)) as T };
  }

  /** Opens a request, and returns its answer as soon as it begins. */
  async open(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    const sent = request(this.url + path, { method, headers: { ...authorization, ...headers } });
    return new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve).once("error", reject).end(body);
    });
  }

  /** Reads the lines of a stream, without the empty ones, until it ends or the caller stops. */
  async *lines<T>(path: string): AsyncGenerator<T> {
    const answer = await this.open("GET", path);
    if (answer.statusCode !== 200) throw new Error(await text(answer));
    try {
      for await (const line of createInterface(answer)) if (line !== "") yield JSON.parse(line) as T;
    } finally {
      answer.destroy();
    }
  }

  /** Waits for an item of a stream. */
  async first<T>(path: string, isMeant: (line: T) => boolean): Promise<T> {
    for await (const line of this.lines<T>(path)) if (isMeant(line)) return line;
    throw new Error(`The stream ${path} has ended.`);
  }

  /** Waits for a state of a game. */
  async state({ id }: Pick<Game, "id">, isMeant: (state: GameState) => boolean): Promise<GameState> {
    const path = `/api/board/game/stream/${id}`;
    const line = await this.first<GameFull | GameState>(path, (each) => isMeant("state" in each ? each.state : each));
    return "state" in line ? line.state : line;
  }

  /** Makes a move. */
  move({ id }: Pick<Game, "id">, move: string): Promise<Answered> {
    return this.ask("POST", `/api/board/game/${id}/move/${encodeURIComponent(move)}`);
  }
}

/** API server in this process, with a client that has its token. */
export interface OpenApi {
  server: ApiServer;
  context: CommandContext;
  client: ApiClient;
  address: string;
  home: string;
  close(): Promise<void>;
}

/** Opens an API server of an account in this process. */
export async function openApi(
  world: PlayWorld,
  account: number,
  options: Partial<ApiServerOptions> = {},
  home?: string,
): Promise<OpenApi> {
  const folder = home ?? (await mkdtemp(join(world.folder, "api-")));
  process.env.DUELLO_DEPLOYMENTS = world.folder;
  const context = await CommandContext.open(
    { rpc: urlOf(world.port), account: String(account) },
    new Vault(folder),
  ).finally(() => delete process.env.DUELLO_DEPLOYMENTS);
  const onTrouble = (error: unknown) => console.error(error);
  const server = await ApiServer.start(context, { port: 0, onTrouble, ...options });
  const until = Math.floor(machineClock.now() / 1000) + 86_400;
  const token = await signedToken(await context.signer(), await tokenScopeOf(context), until);
  return {
    server,
    context,
    client: new ApiClient(server.url, token),
    address: await context.address(),
    home: folder,
    close: async () => {
      await server.stop();
      context.close();
    },
  };
}
