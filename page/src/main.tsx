// Imported first: if this module throws, no other module runs.
import "./framed.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme } from "./store/settings.ts";
import { listenForClicks } from "./store/sound.ts";
import "./styles/base.css";

applyTheme();
listenForClicks();
render(<App />, document.getElementById("app")!);
