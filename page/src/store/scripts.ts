import worker from "virtual:opponent-worker";

/** Script of the computer player, and the script that stores the page for offline use. */
export const OPPONENT = worker;
export const OFFLINE = "./offline.js";

/** Under Trusted Types a script's address must come from a policy; this one allows only these two scripts. */
const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
  }
).trustedTypes?.createPolicy("duello", {
  createScriptURL(url: string) {
    if (url !== OPPONENT && url !== OFFLINE) throw new TypeError("The page runs no such script.");
    return url;
  },
});

/** Returns the address of one of the page's scripts, in the form that a browser accepts. */
export function scriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
