import { render } from "preact";
import { App } from "./app.tsx";
import { readDeployments } from "./store/deployments.ts";
import { tellOfTurns } from "./store/notices.ts";
import { setEntry } from "./store/opponent.ts";
import { applyTheme } from "./store/settings.ts";
import "./styles/base.css";

// A Worker runs this very file as the computer player, so that the engines are built and loaded once.
if (typeof document === "undefined") {
  const { answerRequests } = await import("./store/opponent-worker.ts");
  answerRequests();
} else {
  setEntry(import.meta.url);
  applyTheme();
  void readDeployments();
  tellOfTurns();
  render(<App />, document.getElementById("app")!);
}
