import { signal } from "@preact/signals";

/** True once a part that the page needs for its current view could not be loaded. */
export const isPartMissing = signal(false);

/** Loads a part of the page. If that fails, the page shows a notice above its view. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    isPartMissing.value = true;
    throw error;
  }
}
