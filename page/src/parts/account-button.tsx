import { useState } from "preact/hooks";
import { Crest } from "../people/crest.tsx";
import { Name } from "../people/person.tsx";
import { player } from "../player/current.ts";
import { loadPart } from "../store/missing-part.ts";
import { account } from "../wallet/account.ts";
import { useLoaded } from "./use.ts";
import "../styles/account.css";

const loadDialogs = () => import("./account-dialogs.tsx");

/** Loads the dialogs when the person is about to press the button. */
const prepare = () => void loadDialogs().catch(() => undefined);

/** Shows the connected account, or lets the person connect one. */
export function AccountButton() {
  const [isOpen, setOpen] = useState(false);
  const connected = account.value;
  const close = () => setOpen(false);
  const { value: dialogs } = useLoaded(isOpen ? () => loadPart(loadDialogs) : undefined, [isOpen]);
  const isElsewhere = player.value?.isOnChain.value === false;
  return (
    <>
      <button
        type="button"
        class="account-button"
        aria-haspopup="dialog"
        aria-busy={isOpen && !dialogs}
        title={connected?.address}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        {connected ? (
          <>
            {isElsewhere && (
              <span class="account-warning" role="img" aria-label="Wrong network:">
                !
              </span>
            )}
            <Crest address={connected.address} size={24} />
            <span class="account-name">
              <Name address={connected.address} />
            </span>
          </>
        ) : (
          "Connect"
        )}
      </button>
      {isOpen &&
        dialogs &&
        (connected ? <dialogs.AccountDialog onClose={close} /> : <dialogs.ConnectDialog onClose={close} />)}
    </>
  );
}
