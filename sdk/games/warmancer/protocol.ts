export { act } from "./act.js";
export { create, join } from "./create-join.js";
export { Kind, RIDING, stateHashIn, type Match, type Outcome, type State } from "./match.js";
