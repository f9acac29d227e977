import { useState } from "preact/hooks";
import { AccountButton } from "../parts/account-button.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { roughAmount } from "../parts/fee.ts";
import { download, FileButton } from "../parts/file.tsx";
import { Operators } from "../parts/operators.tsx";
import { keyFileName } from "../parts/key-dialog.tsx";
import { oneLine, shortAddress, timeAt, timeFrom } from "../parts/text.ts";
import { useTitle } from "../parts/use.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import type { SessionState } from "../player/session-key.ts";
import { forgetEverything } from "../store/database.ts";
import { deployment, deployments } from "../store/deployments.ts";
import { account } from "../wallet/account.ts";
import { theme, THEMES, usesSession, wantsNotices, type Theme } from "../store/settings.ts";
import "../styles/settings.css";

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

/** Settings of this page in this browser. */
export default function Settings() {
  useTitle("Settings");
  const you = player.value;
  const isOnChain = deployment.value !== undefined;
  return (
    <div class="stack settings">
      <h1>Settings</h1>
      <Look />
      <Notices />
      {isOnChain && (you ? <OwnSettings key={you.address} you={you} /> : <NotConnected />)}
      {isOnChain && <Nodes />}
      <KeptData />
    </div>
  );
}

function NotConnected() {
  return (
    <section class="card stack">
      <h2>Playing</h2>
      <p>Connect a wallet to see its session, and the key to your moves.</p>
      <div>
        <AccountButton />
      </div>
    </section>
  );
}

function Look() {
  return (
    <section class="card stack">
      <fieldset>
        <legend>
          <h2>Look</h2>
        </legend>
        <div class="row">
          {THEMES.map((each) => (
            <label key={each} class="check">
              <input type="radio" name="theme" checked={theme.value === each} onChange={() => (theme.value = each)} />
              <span>{THEME_NAMES[each]}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </section>
  );
}

function Notices() {
  const [isDenied, setDenied] = useState(false);
  const isAble = "Notification" in window;
  const choose = async (isWanted: boolean) => {
    const isAllowed = isWanted && (await Notification.requestPermission()) === "granted";
    setDenied(isWanted && !isAllowed);
    wantsNotices.value = isAllowed;
  };
  return (
    <section class="card stack tight">
      <h2>Notices</h2>
      <label class="check">
        <input
          type="checkbox"
          disabled={!isAble}
          checked={wantsNotices.value}
          onChange={({ currentTarget }) => {
            // The browser's permission comes first: the box is checked only once the permission is granted.
            const { checked } = currentTarget;
            currentTarget.checked = wantsNotices.value;
            void choose(checked);
          }}
        />
        <span>Tell me when it is my turn, and when my clock runs short, while this page is open behind others</span>
      </label>
      <p class="small muted" aria-live="polite">
        {!isAble
          ? "This browser shows no notices."
          : isDenied
            ? "The browser does not allow it: change that in its settings for this site."
            : ""}
      </p>
    </section>
  );
}

function OwnSettings({ you }: { you: Player }) {
  return (
    <>
      <SessionSettings you={you} />
      <Operators you={you} />
      <KeySettings you={you} />
    </>
  );
}

/** Describes the session in which this browser takes turns, opens it and ends it. */
function SessionSettings({ you }: { you: Player }) {
  const session = you.session.value;
  return (
    <section class="card stack" aria-labelledby="session">
      <h2 id="session">Turns without questions</h2>
      <p>
        In a session this browser takes your turns with a key of its own, so that your wallet is not asked at every one
        of them. It lasts for 24 hours.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={usesSession.value}
          onChange={({ currentTarget }) => (usesSession.value = currentTarget.checked)}
        />
        <span>Open a session when I offer or join a match</span>
      </label>
      <SessionStatus you={you} session={session} />
      <div class="row session-actions">
        <ActionButton class={session.isOpen ? "" : "primary"} run={() => you.openSession()}>
          {session.address === undefined ? "Open a session" : "Renew for 24 hours"}
        </ActionButton>
        {session.address !== undefined && (
          <ActionButton class="danger" run={() => you.closeSession()}>
            End it, and take the coin back
          </ActionButton>
        )}
      </div>
      <details>
        <summary>What its key can do, and what not</summary>
        <div class="columns">
          <div>
            <h3>It can</h3>
            <ul class="dots">
              <li>make moves and reveal them in all your open matches, and so also lose them by bad moves</li>
              <li>spend the little coin that it was given, for gas</li>
            </ul>
          </div>
          <div>
            <h3>It cannot</h3>
            <ul class="dots">
              <li>offer, join, fund, cancel, decline or resign a match</li>
              <li>take anything out of your purse or your wallet</li>
              <li>read moves that you have committed to</li>
            </ul>
          </div>
        </div>
      </details>
    </section>
  );
}

function SessionStatus({ you, session }: { you: Player; session: SessionState }) {
  const { address, until, coin, problem } = session;
  const symbol = you.chain.deployment.coin ?? "COIN";
  if (address === undefined) return <p class="muted">There is no session in this browser.</p>;
  const left = `It has ${roughAmount(coin, 18)} ${symbol} left for gas.`;
  const texts = {
    expired: `The session ended ${timeFrom(until)}: your wallet is asked at every turn, until you renew it. ${left}`,
    empty: `The session has too little coin left for a turn: your wallet is asked, until you renew it. ${left}`,
    revoked: `The session was revoked: your wallet is asked at every turn, until you renew it. ${left}`,
  };
  return (
    <p class={problem ? "notice" : "notice good"} role="status">
      {problem ? texts[problem] : `The session is open until ${timeAt(until)}. ${left}`}{" "}
      <span class="mono small" title={address}>
        {shortAddress(address)}
      </span>
    </p>
  );
}

/** Describes where the key to the person's committed moves is, and saves and restores it. */
function KeySettings({ you }: { you: Player }) {
  const [told, setTold] = useState("");
  const [error, setError] = useState<unknown>();
  const { keyring } = you;
  const origin = you.keyState.value;
  const importKey = (backup: string) => {
    setError(undefined);
    const tell = (secrets: number) =>
      setTold(secrets === 0 ? "The key is in this browser." : "The secrets of the match are in this browser.");
    you.importKeys(backup).then(tell, setError);
  };
  return (
    <section class="card stack" aria-labelledby="keys">
      <h2 id="keys">The key to your moves</h2>
      <p>
        Moves that you commit to are kept secret by a key.{" "}
        {origin === "own"
          ? "Yours is in this browser, and in the file that you have saved: your wallet cannot bring it back."
          : "Your wallet gives it by a signature, here and on the command line: your wallet and the chain are all that you need to reveal."}
      </p>
      <p class="muted">
        {origin === undefined
          ? "This browser has not asked for it yet."
          : "This browser keeps it, encrypted, so that your wallet is not asked again."}
      </p>
      <ErrorNotice error={error} />
      <div class="row session-actions">
        <ActionButton
          run={async () => {
            download(keyFileName(you.address), await keyring.backup());
            setTold("The key is saved. Whoever has the file can read your committed moves.");
          }}
        >
          Save the key as a file
        </ActionButton>
        <FileButton label="Take the key of a file" onText={importKey} onError={setError} />
        {origin !== undefined && (
          <ActionButton
            class="danger"
            run={async () => {
              await keyring.forget();
              setTold(
                origin === "own"
                  ? "This browser has forgotten the key: take it of your file again."
                  : "This browser has forgotten the key: your wallet is asked again.",
              );
            }}
          >
            Forget it in this browser
          </ActionButton>
        )}
      </div>
      <p class="small" role="status">
        {told}
      </p>
    </section>
  );
}

/** Lists the chains and nodes of the page. */
function Nodes() {
  return (
    <section class="card stack" aria-labelledby="nodes">
      <h2 id="nodes">Chains and their nodes</h2>
      <ul class="stack tight">
        {(deployments.value ?? []).map(({ chainId, name, rpc }) => (
          <li key={chainId}>
            <strong>{oneLine(name ?? `Chain ${chainId}`, 60)}</strong>{" "}
            {chainId === deployment.value?.chainId ? (
              <span class="tag accent">shown</span>
            ) : (
              <a href={`#/?chain=${chainId}`}>Show</a>
            )}
            <ul class="muted small">
              {rpc.map((url) => (
                // A whole URL may contain an access key.
                <li key={url}>{new URL(url, location.href).host}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <p class="muted small">
        The page asks no other nodes: whoever serves it has listed these, and the browser refuses all others. Your
        wallet uses its own.
      </p>
    </section>
  );
}

/** Describes the browser's data of this page, and deletes it. */
function KeptData() {
  const [isAsked, setAsked] = useState(false);
  const isOwn = player.value?.keyState.value === "own";
  return (
    <section class="card stack" aria-labelledby="kept">
      <h2 id="kept">What this browser keeps</h2>
      <p>
        Events of the chain, so that they are read once; these settings; practice matches; the key to your moves and the
        answers that you have shown; transactions that are on their way. Nothing of it is sent to anybody.
      </p>
      <div>
        <button type="button" class="danger" onClick={() => setAsked(true)}>
          Forget everything
        </button>
      </div>
      {isAsked && (
        <Dialog title="Forget everything?" onClose={() => setAsked(false)}>
          <p>
            Your matches go on: they are on the chain, and your wallet still plays them. Coin of an open session stays
            with its key, which your wallet finds again.
          </p>
          {account.value?.kind === "guest" && (
            <p class="notice bad">
              You play as a guest: without its key, which is in this browser only and in the file that you have saved,
              the account is lost.
            </p>
          )}
          {isOwn && (
            <p class="notice bad">
              The key to your moves is in this browser only, and in the file that you have saved. Without it you cannot
              reveal.
            </p>
          )}
          <div class="row">
            <ActionButton
              class="danger"
              run={async () => {
                await forgetEverything();
                location.reload();
              }}
            >
              Forget everything
            </ActionButton>
            <button type="button" onClick={() => setAsked(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
