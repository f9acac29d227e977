import { encodeRecord, type Practice } from "duello/practice";
import { useState } from "preact/hooks";
import { absolute, linkTo } from "../router.ts";
import { useLoaded } from "./use.ts";

/** Copies a link that contains the whole match, so that the replay needs no chain. */
export function ShareReplay({ practice }: { practice: Practice }) {
  const makeLink = async () =>
    linkTo("replay", [await encodeRecord(await practice.record(), practice.archive, practice.game)]);
  return <CopyLink label="Copy a link to this replay" makeLink={makeLink} />;
}

/** Copies a link; if the browser forbids that, shows the link for manual copying. */
export function CopyLink({ label, makeLink }: { label: string; makeLink: () => Promise<string> | string }) {
  const [state, setState] = useState<{ link: string; isCopied: boolean }>();
  const copy = async () => {
    const link = absolute(await makeLink());
    const isCopied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    setState({ link, isCopied });
  };
  return (
    <div class="stack tight">
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <p class="small" role="status">
        {state?.isCopied && "Copied."}
      </p>
      {state && !state.isCopied && (
        <label>
          <span>Copy this link</span>
          <input readOnly value={state.link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </label>
      )}
    </div>
  );
}

/** Shares a link: by copying it, with the device's share dialog, and as a QR code for another device. */
export function ShareLink({ link, title }: { link: string; title: string }) {
  const share = () => {
    // If the person closes the device's dialog, the promise rejects.
    void navigator.share({ title, url: link }).catch(() => undefined);
  };
  return (
    <div class="stack tight">
      <div class="row">
        <CopyLink label="Copy the link" makeLink={() => link} />
        {"share" in navigator && (
          <button type="button" onClick={share}>
            Share …
          </button>
        )}
      </div>
      <details>
        <summary>QR code</summary>
        <QrCode text={link} />
      </details>
    </div>
  );
}

/** Modules around a QR code that stay light. */
const BORDER = 2;

function QrCode({ text }: { text: string }) {
  const { value } = useLoaded(async () => (await import("lean-qr/nano")).generate(text), [text]);
  if (!value) return null;
  const { size } = value;
  const all = [...Array(size).keys()];
  const path = all.flatMap((y) => all.filter((x) => value.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`)).join("");
  const box = `${-BORDER} ${-BORDER} ${size + 2 * BORDER} ${size + 2 * BORDER}`;
  return (
    <svg class="qr" viewBox={box} width="220" height="220" role="img" aria-label="QR code of the link">
      <rect x={-BORDER} y={-BORDER} width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
