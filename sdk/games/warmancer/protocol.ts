export { act } from "./act.js";
export { create, join } from "./begin.js";
export { Kind, RIDING, wordOfState, type Match, type Outcome, type State } from "./match.js";
