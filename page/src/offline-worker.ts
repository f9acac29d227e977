/** Files of this build, and their common name; both are filled in by the build. */
const FILES = JSON.parse("__FILES__") as readonly string[];
/** Folder of the page: other pages of the same host may have caches of their own. */
const FOLDER = new URL(".", location.href).href;
const OWN = `duello ${FOLDER} `;
const CACHE = `${OWN}__VERSION__`;

/** File that changes without a new build, and that a page for practice only does not have. */
const DEPLOYMENTS = "deployment.json";

/** Events of a service worker, which TypeScript's types for documents lack. */
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
  // Requests to nodes, indexes and relays pass through unchanged.
  if (request.method !== "GET" || !url.href.startsWith(FOLDER)) return;
  const name = `${url.origin}${url.pathname}`.slice(FOLDER.length) || "./";
  if (name.startsWith("assets/")) event.respondWith(kept(request, name));
  else if (FILES.includes(name) || name === DEPLOYMENTS) event.respondWith(newest(event, name));
});

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Names of assets change with their contents; the other files must not come from the browser's own cache.
  const requests = FILES.map((name) => new Request(name, name.startsWith("assets/") ? {} : { cache: "reload" }));
  await cache.addAll(requests);
  await cache.add(DEPLOYMENTS).catch(() => undefined);
}

async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OWN) && name !== CACHE).map((name) => caches.delete(name)));
}

/** Returns a file that this worker has stored; undefined if the file is not stored, or the browser cannot read it. */
async function before(name: string): Promise<Response | undefined> {
  try {
    return await (await caches.open(CACHE)).match(name);
  } catch {
    return undefined;
  }
}

/** Returns a file whose name changes with its content. */
async function kept(request: Request, name: string): Promise<Response> {
  return (await before(name)) ?? fetch(request);
}

/** Returns the host's current file or, if the host is unreachable, the stored file, which fits the stored assets. */
async function newest(event: WorkerEvent, name: string): Promise<Response> {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && name === DEPLOYMENTS) event.waitUntil(keep(name, answer.clone()));
    return answer;
  } catch (error) {
    const known = await before(name);
    if (known) return known;
    throw error;
  }
}

async function keep(name: string, answer: Response): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(name, answer);
  } catch {
    // If the browser's storage is full, the previous file stays.
  }
}
