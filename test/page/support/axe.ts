import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules about colours, which are the only difference between themes. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
const HEIGHT = 800;
const isThorough = Boolean(process.env.THOROUGH);

/** Widths, and the themes whose colours are checked at each width: one theme, or both in thorough runs. */
const LOOKS: readonly { width: number; themes: readonly ("light" | "dark")[] }[] = [
  { width: 1280, themes: isThorough ? ["light", "dark"] : ["light"] },
  { width: 360, themes: isThorough ? ["dark", "light"] : ["dark"] },
  // At this width, check only that everything fits.
  { width: 320, themes: [] },
];

/**
 * Returns violations of the rules in the current view, one line each.
 * @param onlyColours True if everything else has been checked.
 */
async function violations(page: Page, onlyColours: boolean): Promise<string[]> {
  // Runs through the debugger, which the page's policy cannot block.
  const isThere = await page.evaluate(() => "axe" in globalThis);
  if (!isThere) await page.evaluate(AXE);
  const runOnly = onlyColours ? { type: "rule", values: OF_COLOURS } : { type: "tag", values: TAGS };
  const found = await page.evaluate(async (only) => {
    // After scrolling, fixed elements may cover half a target.
    scrollTo(0, 0);
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    return (await axe.run({ runOnly: only, resultTypes: ["violations"] })).violations;
  }, runOnly);
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ""}`).join("\n    ")}`,
  );
}

/** Returns the element that extends beyond the right edge of the page; undefined if none does. */
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

/** Checks the current view in all widths and both themes. @returns the problems, one line each */
export async function look(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { width, themes } of LOOKS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const wide = await overflow(page);
    if (wide !== undefined) wrong.push(`${name} at ${width}: ${wide}`);
    for (const [i, colorScheme] of themes.entries()) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = await violations(page, i > 0);
      wrong.push(...found.map((each) => `${name} at ${width}, ${colorScheme}: ${each}`));
    }
  }
  return wrong;
}
