import { useState } from "preact/hooks";
import { freshBackup, type UnsteadyQuestion } from "../player/keys.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { download, FileButton } from "./file.tsx";
import { shortAddress } from "./text.ts";

/** Asks a person whose wallet signs differently each time for a separate key: a fresh one, or one from a backup. */
export function KeyDialog({ question }: { question: UnsteadyQuestion }) {
  const [fresh, setFresh] = useState<string>();
  const [error, setError] = useState<unknown>();
  const answer = (backup: string) => void question.answer(backup).catch(setError);
  const save = () => {
    const backup = fresh ?? freshBackup(question.scope);
    setFresh(backup);
    download(keyFileName(question.scope.player), backup);
  };
  return (
    <Dialog title="Your moves need a key of their own" onClose={question.cancel}>
      <p>
        Your wallet signs differently each time, so it cannot bring back the key that keeps your committed moves secret.
        The page makes one of its own, and keeps it in this browser.
      </p>
      <p class="notice">
        Without this key you cannot reveal your moves, and lose the matches: save it as a file before you go on, and
        show it to nobody.
      </p>
      <ErrorNotice error={error} />
      <div class="row">
        <button type="button" class={fresh === undefined ? "primary" : ""} onClick={save}>
          {fresh === undefined ? "Save a new key" : "Save it again"}
        </button>
        <button
          type="button"
          class={fresh === undefined ? "" : "primary"}
          disabled={fresh === undefined}
          onClick={() => answer(fresh!)}
        >
          I have the file: go on
        </button>
        <FileButton label="I have a key already" onText={answer} onError={setError} />
      </div>
    </Dialog>
  );
}

/** Names the file of a player's key. */
export function keyFileName(player: string): string {
  return `duello-key-${shortAddress(player).replace("…", "-")}.json`;
}
