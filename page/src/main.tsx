// Imported first: if it throws, no other module runs.
import "./framed.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme } from "./store/settings.ts";
import "./styles/base.css";

applyTheme();
render(<App />, document.getElementById("app")!);
