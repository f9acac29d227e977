import { effect, signal } from "@preact/signals";
import { keepLocalText, localText } from "./local.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Reads a small setting of this browser; defaults to `fallback`. */
function kept<T extends string>(name: string, values: readonly T[], fallback: T): T {
  return values.find((value) => value === localText(`duello.${name}`)) ?? fallback;
}

function keep(name: string, value: string): void {
  keepLocalText(`duello.${name}`, value);
}

/** Theme that the person has chosen. */
export const theme = signal<Theme>(kept("theme", THEMES, "system"));

/** True if the person wants notifications of its turns while the page is in the background. */
export const wantsNotices = signal(kept("notices", ["on", "off"], "off") === "on");

/** True to open a session with the first match, so that this browser takes turns without asking the wallet. */
export const usesSession = signal(kept("session", ["on", "off"], "on") === "on");

/** True if the person has had a match: the lobby needs no introduction then. */
export const hasMatches = signal(kept("matches", ["yes", "no"], "no") === "yes");

/** True if the page makes sounds. */
export const wantsSound = signal(kept("sound", ["on", "off"], "off") === "on");

/** Applies the settings: shows the theme, and saves choices. */
export function applyTheme(): void {
  effect(() => {
    const { documentElement } = document;
    if (theme.value === "system") delete documentElement.dataset.theme;
    else documentElement.dataset.theme = theme.value;
    keep("theme", theme.value);
  });
  effect(() => keep("notices", wantsNotices.value ? "on" : "off"));
  effect(() => keep("matches", hasMatches.value ? "yes" : "no"));
  effect(() => keep("sound", wantsSound.value ? "on" : "off"));
  effect(() => keep("session", usesSession.value ? "on" : "off"));
}
