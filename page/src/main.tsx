import { render } from "preact";
import { App } from "./app.tsx";
import { readDeployments } from "./store/deployments.ts";
import { applyTheme } from "./store/settings.ts";
import "./styles/base.css";

applyTheme();
void readDeployments();
render(<App />, document.getElementById("app")!);
