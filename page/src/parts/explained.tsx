import { explain, isShortOfCoin, WrongNetwork } from "duello";
import { useState } from "preact/hooks";
import { player } from "../player/current.ts";
import { chain } from "../store/current.ts";
import { switchNetwork } from "../wallet/network.ts";
import type { ErrorNoticeProps } from "./error-notice.tsx";
import { useLoaded } from "./use.ts";

/** Explains in a sentence what went wrong, and offers a remedy. */
export function Explained({ error, onFixed }: ErrorNoticeProps) {
  const { value: text } = useLoaded(async () => (player.value ? player.value.explain(error) : explain(error)), [error]);
  return (
    <div class="notice bad stack tight" role="alert">
      <p>{text ?? explain(error)}</p>
      {error instanceof WrongNetwork && <SwitchButton onSwitched={onFixed} />}
      {isShortOfCoin(error) && (
        <p class="small">
          Get some of the chain's coin into your wallet: it pays for stakes and for the gas of every call.
        </p>
      )}
    </div>
  );
}

/** Button that switches the wallet to the chain shown. */
export function SwitchButton({ onSwitched }: { onSwitched?: () => void }) {
  const [error, setError] = useState<unknown>();
  const deployment = chain.value?.deployment;
  if (!deployment) return null;
  const ask = () => {
    setError(undefined);
    switchNetwork(deployment).then(onSwitched, setError);
  };
  return (
    <div class="stack tight">
      <button type="button" class="primary" onClick={ask}>
        Switch to {deployment.name ?? `chain ${deployment.chainId}`}
      </button>
      {error !== undefined && <p role="alert">{explain(error)}</p>}
    </div>
  );
}
