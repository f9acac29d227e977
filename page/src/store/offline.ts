import { OFFLINE, scriptUrl } from "./scripts.ts";

/** Stores the page in the browser, so that practice works offline from the next visit on. */
export function keepForOffline(): void {
  // Not every browser supports service workers, and none does without HTTPS. Online, practice works without them.
  navigator.serviceWorker?.register(scriptUrl(OFFLINE)).catch(() => undefined);
}
