import { useId } from "preact/hooks";

/** Maximum bytes of a file that are read. */
const MAX_BYTES = 100_000;

/** Saves text as a file for the person. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  // The browser reads the URL's content after the click.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Button that reads a text file of the person's choice. */
export function FileButton({
  label,
  onText,
  onError,
}: {
  label: string;
  onText: (text: string) => void;
  onError: (error: unknown) => void;
}) {
  const id = useId();
  const read = async ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const [file] = currentTarget.files ?? [];
    // The same file may be chosen again.
    currentTarget.value = "";
    if (!file) return;
    if (file.size > MAX_BYTES) onError(new Error(`${file.name} is too large for the file of a key.`));
    else onText(await file.text());
  };
  return (
    <span class="file-button">
      <input
        id={id}
        class="hidden"
        type="file"
        accept="application/json,.json"
        onChange={(event) => void read(event)}
      />
      <label class="button" for={id}>
        {label}
      </label>
    </span>
  );
}
