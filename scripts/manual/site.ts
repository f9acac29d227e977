import { filesOf, type Site } from "../page/site.js";
import { MANUAL } from "./build.js";
import { manualPolicy } from "./policy.js";

/** Reads the built manual. */
export async function manualSite(folder = MANUAL): Promise<Site> {
  const files = await filesOf(folder);
  const pages = [...files].filter(([name]) => name.endsWith(".html")).map(([, content]) => content.toString());
  // The `frame-ancestors` directive works only in a header.
  return { header: `${manualPolicy(pages)}; frame-ancestors 'none'`, files };
}
