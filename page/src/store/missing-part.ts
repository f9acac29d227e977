import { signal } from "@preact/signals";

/** True once a part of the page could not be loaded that something shown depends on. */
export const isPartMissing = signal(false);

/** Loads a part of the page. If that fails, the page says so above its view. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    isPartMissing.value = true;
    throw error;
  }
}
