import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const WIDTHS = [1280, 360, 320];
const HEIGHT = 800;
const THEMES = ["light", "dark"] as const;

/** Returns what breaks a rule in what is shown now, a line each. */
async function violations(page: Page): Promise<string[]> {
  // By the debugger, which no policy of the page stops.
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(AXE);
  const found = await page.evaluate(async (values) => {
    // Where the page was scrolled to, what stays in place may lie over half a target.
    scrollTo(0, 0);
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    return (await axe.run({ runOnly: { type: "tag", values }, resultTypes: ["violations"] })).violations;
  }, TAGS);
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join("\n    ")}`,
  );
}

/** Returns what sticks out of the page to the side, undefined if nothing does. */
function overflow(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return undefined;
    const out = Array.from(document.querySelectorAll("main *, header *")).filter(
      (each) => each.getBoundingClientRect().right > clientWidth + 1,
    );
    return `${scrollWidth} of ${clientWidth} px: ${out
      .slice(0, 3)
      .map((each) => each.outerHTML.slice(0, 120))
      .join(" ")}`;
  });
}

/** Looks at what is shown in both themes and all widths. @returns what is wrong, a line each */
export async function look(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wide = await overflow(page);
    if (wide !== undefined) wrong.push(`${name} at ${width}: ${wide}`);
    if (width === 320) continue;
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = await violations(page);
      wrong.push(...found.map((each) => `${name} at ${width}, ${colorScheme}: ${each}`));
    }
  }
  return wrong;
}
