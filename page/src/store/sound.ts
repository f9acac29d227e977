import type { SoundName } from "./sounds.ts";
import { wantsSound } from "./settings.ts";

/** Created at the first click or key press after sound is enabled, since browsers allow no sound earlier. */
let context: AudioContext | undefined;

/** Enables sound from the next click or key press on, if the person wants sound. */
export function listenForClicks(): void {
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, wake);
}

function wake(): void {
  if (wantsSound.value) context ??= new AudioContext();
}

/** Switches sound on or off; to be called during a click. */
export function toggleSound(): void {
  wantsSound.value = !wantsSound.value;
  wake();
  play("tap");
}

/**
 * Plays a sound, if sound is enabled. While the page is hidden, plays only "your turn".
 * @param options.after Milliseconds until the sound plays.
 * @param options.force Fraction of the health that a hit costs, 0 to 1.
 */
export function play(name: SoundName, { after = 0, force }: { after?: number; force?: number } = {}): void {
  const now = context;
  if (!wantsSound.value || !now || (document.hidden && name !== "turn")) return;
  const at = now.currentTime + after / 1000;
  void import("./sounds.ts").then(
    ({ makeSound }) => makeSound(now, name, Math.max(at, now.currentTime), force),
    // A sound that cannot be loaded is skipped.
    () => undefined,
  );
}
