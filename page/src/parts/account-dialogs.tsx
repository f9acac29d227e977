import { useState } from "preact/hooks";
import { Crest } from "../people/crest.tsx";
import { Name } from "../people/person.tsx";
import { linkTo } from "../router.ts";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { isTestChain } from "../store/deployments.ts";
import { account, connect, connectGuest, connectTest, disconnect, testAccounts } from "../wallet/account.ts";
import { wallets, type FoundWallet } from "../wallet/discovery.ts";
import { guestFile, guestKey, importGuest } from "../wallet/guest.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { SwitchButton } from "./explained.tsx";
import { download, FileButton } from "./file.tsx";
import { keyFileName } from "./key-dialog.tsx";
import { useLoaded } from "./use.ts";

/**
 * Lets the person choose a wallet, or an account of a test chain. @param props.onClose Called on closing, and once an
 * account is connected.
 */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<string>();
  const current = chain.value;
  const choose = (id: string, connecting: () => Promise<void>) => {
    setError(undefined);
    setAsked(id);
    connecting()
      .then(onClose, setError)
      .finally(() => setAsked(undefined));
  };
  return (
    <Dialog title="Connect a wallet" onClose={onClose}>
      {wallets.value.length === 0 ? (
        <p>
          No wallet has announced itself in this browser. Install one, or open this page in the browser of a wallet on
          your phone.
        </p>
      ) : (
        <ul class="stack tight" aria-label="Wallets">
          {wallets.value.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                class="wallet-choice"
                disabled={asked !== undefined}
                onClick={() => choose(each.id, () => connect(each))}
              >
                <WalletIcon wallet={each} />
                <span class="grow">{each.name}</span>
                {asked === each.id && <span class="muted small">Look into the wallet</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ErrorNotice error={error} />
      {current?.deployment.relay !== undefined && (
        <section class="stack tight" aria-labelledby="guest">
          <h3 id="guest">Play as a guest</h3>
          <p class="muted small">
            Without a wallet: this browser makes a key, keeps it encrypted, and signs with it. A guest has no coin, and
            plays for nothing in channels.
          </p>
          <div class="row">
            <button type="button" disabled={asked !== undefined} onClick={() => choose("guest", connectGuest)}>
              Play as a guest
            </button>
            <FileButton
              label="I have a guest's key"
              onText={(text) => choose("guest", async () => importGuest(text).then(connectGuest))}
              onError={setError}
            />
          </div>
        </section>
      )}
      {current && isTestChain(current.deployment) && (
        <TestAccounts
          chain={current}
          isBusy={asked !== undefined}
          onChoose={(index) => choose(`test ${index}`, () => connectTest(current, index))}
        />
      )}
      <p class="muted small">
        The page sees the account's address. It asks before anything is signed or sent, and it needs no account for
        practice and replays.
      </p>
    </Dialog>
  );
}

function WalletIcon({ wallet: { icon } }: { wallet: FoundWallet }) {
  if (icon !== undefined) return <img class="wallet-icon" src={icon} alt="" width="28" height="28" />;
  return <span class="wallet-icon" aria-hidden="true" />;
}

/** Lists the accounts of a local chain, whose node signs for anybody. */
function TestAccounts({
  chain: current,
  isBusy,
  onChoose,
}: {
  chain: Chain;
  isBusy: boolean;
  onChoose: (index: number) => void;
}) {
  const { value = [], error } = useLoaded(() => testAccounts(current), [current]);
  const agents = current.deployment.agents ?? [];
  return (
    <section class="stack tight" aria-labelledby="test-accounts">
      <h3 id="test-accounts">Play as a test account</h3>
      <p class="muted small">
        This chain is for tests: its node signs for these accounts, and its coins are worth nothing.
      </p>
      <ErrorNotice error={error} />
      <ul class="test-accounts">
        {value.map((address, index) =>
          agents.includes(address) ? null : (
            <li key={address}>
              <button type="button" disabled={isBusy} title={address} onClick={() => onChoose(index)}>
                <Crest address={address} />
                <span class="grow">
                  <Name address={address} />
                  <span class="muted small"> Test account {index}</span>
                </span>
              </button>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** Shows the connected account, and lets the person disconnect it. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const connected = account.value!;
  const copy = () => {
    navigator.clipboard.writeText(connected.address).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Dialog title="Your account" onClose={onClose}>
      <p>
        <span class="muted small">{connected.name}</span>
        <br />
        <span class="row">
          <Crest address={connected.address} size={32} />
          <strong>
            <Name address={connected.address} />
          </strong>
        </span>
        <span class="mono small">{connected.address}</span>
      </p>
      {connected.kind === "guest" && <GuestNotice address={connected.address} />}
      {player.value?.isOnChain.value === false && (
        <div class="notice stack tight">
          <p>Your wallet is on another network: it can send nothing here.</p>
          <SwitchButton />
        </div>
      )}
      <div class="row">
        <button type="button" onClick={copy}>
          {isCopied ? "Copied" : "Copy address"}
        </button>
        <a class="button" href={linkTo("player", [connected.address])} onClick={onClose}>
          Profile
        </a>
        <a class="button" href={linkTo("purse")} onClick={onClose}>
          Purse
        </a>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            onClose();
            void disconnect();
          }}
        >
          Disconnect
        </button>
      </div>
      <p aria-live="polite" class="hidden">
        {isCopied ? "The address is copied." : ""}
      </p>
    </Dialog>
  );
}

/** Explains where a guest's key is stored, what is lost with the key, and how to keep it. */
function GuestNotice({ address }: { address: string }) {
  const [error, setError] = useState<unknown>();
  const save = async () => {
    const key = await guestKey();
    if (key === undefined) throw new Error("This browser does not have the guest's key any more.");
    download(keyFileName(address), guestFile(key));
  };
  return (
    <div class="notice stack tight">
      <p>
        You play as a guest. The key of this account is kept in this browser only: with the browser's data you lose the
        account, its ratings and what it owns. To keep it, save the key as a file. A wallet that imports the private key
        in it is this account from then on.
      </p>
      <ErrorNotice error={error} />
      <div>
        <button type="button" onClick={() => void save().catch(setError)}>
          Save the key
        </button>
      </div>
    </div>
  );
}
