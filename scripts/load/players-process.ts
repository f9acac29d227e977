import { useFastCrypto } from "../../cli/shared/fast-crypto.js";
import { Players, type Request } from "./players.js";

/** Number of addresses from which the requests come, according to their headers. */
const CLIENTS = 10_000;

/** Sends each request from the next of many addresses, as if the players were at different places. */
function spreadClients(): void {
  const { fetch } = globalThis;
  let sent = 0;
  globalThis.fetch = (address, init) => {
    const client = sent++ % CLIENTS;
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", `10.0.${client >> 8}.${client & 255}`);
    return fetch(address, { ...init, headers });
  };
}

let players: Players | undefined;

async function answer(request: Request): Promise<unknown> {
  if (request.type === "enter") {
    players = new Players(request.setup);
    return players.enter();
  }
  if (!players) throw new Error("The players have not entered.");
  if (request.type === "play") return players.play();
  if (request.type === "measure") return players.measure();
  if (request.type === "killed") return players.onKill(request.kind);
  if (request.type === "count") return players.count;
  if (request.type === "leave") return players.leave();
  return players.finish(request.acknowledged);
}

await useFastCrypto();
spreadClients();
process.on("message", (request: Request) => void answer(request).then((value) => process.send!(value ?? null)));
process.on("disconnect", () => process.exit());
