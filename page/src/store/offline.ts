import { OFFLINE, scriptUrl } from "./scripts.ts";

/** Keeps the page in the browser, so that practice works without a network from the next visit on. */
export function keepForOffline(): void {
  // Not every browser keeps pages, and none does for a page without HTTPS; practice works without.
  navigator.serviceWorker?.register(scriptUrl(OFFLINE)).catch(() => undefined);
}
