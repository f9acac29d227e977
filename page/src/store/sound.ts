import type { SoundName } from "./sounds.ts";
import { wantsSound } from "./settings.ts";

/** Made in the first click or key press after sound is wanted: browsers let no page sound before that. */
let context: AudioContext | undefined;

/** Lets the page sound from the next click or key press on, if the person wants sound. */
export function listenForClicks(): void {
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, wake);
}

function wake(): void {
  if (wantsSound.value) context ??= new AudioContext();
}

/** Switches sound on or off, in a click. */
export function toggleSound(): void {
  wantsSound.value = !wantsSound.value;
  wake();
  play("tap");
}

/**
 * Makes a sound, if sound is wanted. While the page is hidden, only "your turn" sounds.
 * @param options.after Milliseconds until it sounds.
 * @param options.force Part of the health that a hit costs, 0 to 1.
 */
export function play(name: SoundName, { after = 0, force }: { after?: number; force?: number } = {}): void {
  const now = context;
  if (!wantsSound.value || !now || (document.hidden && name !== "turn")) return;
  const at = now.currentTime + after / 1000;
  void import("./sounds.ts").then(
    ({ makeSound }) => makeSound(now, name, Math.max(at, now.currentTime), force),
    // A sound that cannot be loaded is not missed.
    () => undefined,
  );
}
