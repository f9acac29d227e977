// Before all others: where it throws, none of them runs.
import "./framed.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme } from "./store/settings.ts";
import "./styles/base.css";

applyTheme();
render(<App />, document.getElementById("app")!);
