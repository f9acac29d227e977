import { encodeRecord, type Practice } from "duello";
import { useState } from "preact/hooks";
import { absolute, linkTo } from "../router.ts";

/** Copies the link of a replay that holds the whole match, and needs no chain. */
export function ShareReplay({ practice }: { practice: Practice }) {
  return (
    <CopyLink
      label="Copy a link to this replay"
      makeLink={async () => linkTo("replay", [encodeRecord(await practice.record(), practice.archive)])}
    />
  );
}

/** Copies a link, or gives it to the device's own way of sharing. */
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
