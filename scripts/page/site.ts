import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { PageDeployment } from "../../sdk/chain/deployment.js";
import { buildPage, buildPageIfChanged, DIST } from "./build.js";
import type { OwnGames } from "./own-games.js";
import { contentPolicy, withPolicy } from "./policy.js";

/** A site with all its files, such as the page for the given deployments. */
export interface Site {
  /** Content security policy, for the header of every file. */
  header: string;
  /** Contents by path. */
  files: ReadonlyMap<string, Buffer>;
}

/** Reads all files of a folder. */
export async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const names = globSync("**/*.*", { cwd: folder }).map((name) => name.split(sep).join("/"));
  const files = new Map<string, Buffer>();
  for (const name of names.sort()) files.set(name, await readFile(join(folder, name)));
  return files;
}

/** Reads the built page, and adds its deployments. The page may query only their nodes, indexes and relays. */
export async function siteOf(deployments: readonly PageDeployment[], folder = DIST): Promise<Site> {
  const policy = contentPolicy(
    deployments.flatMap(({ rpc }) => rpc),
    deployments.flatMap(({ index }) => index ?? []),
    deployments.flatMap(({ relay }) => relay ?? []),
  );
  const files = await filesOf(folder);
  const html = withPolicy(files.get("index.html")!.toString(), policy);
  files.set("index.html", Buffer.from(html));
  files.set("deployment.json", Buffer.from(`${JSON.stringify({ deployments }, undefined, 2)}\n`));
  // The `frame-ancestors` directive works only in a header.
  return { header: `${policy}; frame-ancestors 'none'`, files };
}

/** Builds the page if needed, and adds its deployments. @param own Games that the page shows after the stock games. */
export async function builtSite(deployments: readonly PageDeployment[], own?: OwnGames): Promise<Site> {
  if (!own) {
    await buildPageIfChanged();
    return siteOf(deployments);
  }
  const folder = join("cache", `page-own.${randomUUID()}`);
  try {
    await buildPage(folder, own);
    return await siteOf(deployments, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the two files that depend on the deployments next to the site's other files, for any static host. */
export async function writeSite({ files }: Site, folder: string): Promise<void> {
  for (const name of ["index.html", "deployment.json"]) await writeFile(join(folder, name), files.get(name)!);
}
