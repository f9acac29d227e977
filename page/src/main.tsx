import { render } from "preact";
import { App } from "./app.tsx";
import { startPlayer } from "./session/player.ts";
import { findDeployments } from "./store/deployments.ts";
import { tellOfTurns } from "./store/notices.ts";
import { setEntry, type OpponentRequest } from "./store/opponent.ts";
import { applyTheme } from "./store/settings.ts";
import { startAccount } from "./wallet/account.ts";
import "./styles/base.css";

// A Worker runs this very file as the computer player, so that the engines are built and loaded once.
if (typeof document === "undefined") {
  const answering = import("./store/opponent-worker.ts");
  // At once: a request that came before anybody listened would be lost.
  addEventListener("message", ({ data }: MessageEvent<OpponentRequest>) => {
    void answering.then(({ answerRequest }) => answerRequest(data));
  });
} else {
  setEntry(import.meta.url);
  applyTheme();
  startAccount();
  startPlayer();
  void findDeployments();
  tellOfTurns();
  render(<App />, document.getElementById("app")!);
}
