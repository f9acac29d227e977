import { acquireLock } from "../../shared/files/lock.js";
import type { OpenStore } from "../store.js";
import { Archive } from "./archive.js";
import { Lobby } from "./lobby.js";

/**
 * Returns the store of one relay: messages in a folder, and searches in memory.
 * @param folder Folder of this deployment only.
 */
export function folderStore(folder: string): OpenStore {
  return async (options) => {
    // Each of two relays would append to files without having read the lines of the other relay.
    const unlock = acquireLock(`${folder}.lock`, `A relay keeps its messages in ${folder}`);
    try {
      const messages = new Archive(folder, options);
      const seeks = new Lobby(options.at, options.limits, () => Math.floor(options.now() / 1000));
      const close = async () => {
        await messages.close();
        unlock();
      };
      return { messages, seeks, close };
    } catch (error) {
      unlock();
      throw error;
    }
  };
}
