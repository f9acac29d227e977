import { render } from "preact";
import { App } from "./app.tsx";
import { startPlayer } from "./session/player.ts";
import { readDeployments } from "./store/deployments.ts";
import { applyTheme } from "./store/settings.ts";
import { startAccount } from "./wallet/account.ts";
import "./styles/base.css";

applyTheme();
startAccount();
startPlayer();
void readDeployments();
render(<App />, document.getElementById("app")!);
