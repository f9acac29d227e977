import { useEffect, useRef } from "preact/hooks";
import { ConnectionNotice } from "./parts/connection-notice.tsx";
import { Loaded, type Load } from "./parts/loaded.tsx";
import { Problem } from "./parts/problem.tsx";
import { useLoaded } from "./parts/use.ts";
import { linkTo, route } from "./router.ts";
import { deployment } from "./store/deployments.ts";
import { LAST_WALLET, localText } from "./store/local.ts";
import { isPartMissing, loadPart } from "./store/missing-part.ts";
import { wantsSound } from "./store/settings.ts";
import { toggleSound } from "./store/sound.ts";
import Lobby from "./views/lobby.tsx";
import "./styles/app.css";

/** Views by the first part of their address; all but the lobby are loaded when they are opened. */
const views: Readonly<Record<string, Load<object>>> = {
  try: () => import("./views/practice.tsx"),
  play: () => import("./views/challenge.tsx"),
  match: () => import("./views/match.tsx"),
  sit: () => import("./channels/sit.tsx"),
  channel: () => import("./channels/channel.tsx"),
  replay: () => import("./views/shared-replay.tsx"),
  player: () => import("./views/player.tsx"),
  ranking: () => import("./views/ranking.tsx"),
  purse: () => import("./views/purse.tsx"),
  settings: () => import("./views/settings.tsx"),
  playground: () => import("./views/playground.tsx"),
};

const links = [
  ["lobby", "Lobby"],
  ["try", "Practice"],
  ["ranking", "Ranking"],
  ["purse", "Purse"],
] as const;

/** The page: its frame, and the view that the address names. */
export function App() {
  const { name } = route.value;
  const isOnChain = deployment.value !== undefined;
  const { value: live } = useLoaded(loadLive, []);
  const isFirst = useRef(true);
  useEffect(() => {
    // After following a link, the reader continues at the start of the new page.
    if (!isFirst.current) document.getElementById("main")!.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [name]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={linkTo("lobby")} aria-label="Duello, lobby">
          <Logo />
          <span>Duello</span>
        </a>
        <nav aria-label="Pages">
          {links
            .filter(([link]) => isOnChain || link === "lobby" || link === "try")
            .map(([link, title]) => (
              <a key={link} href={linkTo(link)} aria-current={name === link ? "page" : undefined}>
                {title}
              </a>
            ))}
        </nav>
        <div class="account">
          <SoundButton />
          <a class="button quiet icon" href={linkTo("settings")} aria-label="Settings" title="Settings">
            <Gear />
          </a>
          {live && isOnChain && <live.AccountButton />}
        </div>
      </header>
      {isPartMissing.value ? (
        <p class="notice bad banner" role="alert">
          A part of the page could not be loaded: the site does not answer, or has a newer version. Load the page again.
        </p>
      ) : (
        <ConnectionNotice />
      )}
      {live && <live.DataNotice />}
      <main id="main" tabIndex={-1}>
        {name === "lobby" ? <Lobby /> : <View key={name} name={name} />}
      </main>
      <footer class="muted small">
        <p>
          Every match here is played by contracts, and replayed in this page from its events. Nothing is sent to anybody
          but the chain's nodes, index and relay, and your wallet.{" "}
          <a href={linkTo("playground")}>See the contracts at work</a>.
        </p>
      </footer>
      {live && <live.AddressTip />}
      {live && <live.Transactions />}
    </>
  );
}

async function loadLive() {
  // The last account will probably reconnect: its code is loaded in parallel.
  if (localText(LAST_WALLET) !== undefined) void import("./player/playing.ts").catch(() => undefined);
  const live = await loadPart(() => import("./live.ts"));
  live.start();
  return live;
}

function View({ name }: { name: string }) {
  const load = views[name];
  if (!load) return <Problem title="There is no such page">The address names none of this site's pages.</Problem>;
  return <Loaded load={load} props={{}} />;
}

function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")!.focus();
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <circle cx="11" cy="16" r="8" fill="var(--one)" />
      <rect x="15.5" y="10.5" width="11" height="11" rx="1.5" fill="var(--two)" transform="rotate(45 21 16)" />
    </svg>
  );
}

function SoundButton() {
  const isOn = wantsSound.value;
  return (
    <button
      type="button"
      class="quiet icon sound"
      aria-label="Sound"
      title={isOn ? "Sound: on" : "Sound: off"}
      aria-pressed={isOn}
      onClick={toggleSound}
    >
      <svg
        viewBox="0 0 24 24"
        width="22"
        height="22"
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-linecap="round"
        aria-hidden="true"
      >
        <path d="M4 9.5v5h3.5L12 19V5L7.5 9.5z" fill="currentColor" stroke-linejoin="round" />
        <path d={isOn ? "M15.5 9q2.5 3 0 6M18 6.5q5 5.5 0 11" : "M16 9.5l5 5M21 9.5l-5 5"} />
      </svg>
    </button>
  );
}

function Gear() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="22"
      height="22"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="3.2" />
      <path d="M12 2.8v3M12 18.2v3M2.8 12h3M18.2 12h3M5.5 5.5l2.1 2.1M16.4 16.4l2.1 2.1M18.5 5.5l-2.1 2.1M7.6 16.4l-2.1 2.1" />
    </svg>
  );
}
