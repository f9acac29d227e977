/** Files of this build, and their common name; both are filled in by the build. */
const FILES = JSON.parse("__FILES__") as readonly string[];
const CACHE = "duello __VERSION__";

/** File that a page for practice alone does not have. */
const DEPLOYMENTS = "deployment.json";

/** Events of a service worker, of which TypeScript's types of a document know nothing. */
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(promise: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const listen = (type: string, listener: (event: WorkerEvent) => void) =>
  addEventListener(type, listener as (event: Event) => void);

listen("install", (event) => event.waitUntil(keepAll()));
listen("activate", (event) => event.waitUntil(dropOthers()));
listen("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const folder = new URL(".", location.href).href;
  // Nodes, indexes and relays are asked as without this.
  if (request.method !== "GET" || !url.href.startsWith(folder)) return;
  const name = `${url.origin}${url.pathname}`.slice(folder.length);
  if (name.startsWith("assets/")) event.respondWith(kept(request));
  else if (FILES.includes(name || "./") || name === DEPLOYMENTS) event.respondWith(newest(request));
});

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.add(DEPLOYMENTS).catch(() => undefined);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** Returns a file whose name changes with its content. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** Returns a file as the host has it now, or as it was when the host last answered. */
async function newest(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const before = await cache.match(request);
    if (before) return before;
    throw error;
  }
}
