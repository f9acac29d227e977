import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformerStyleToClass } from "@shikijs/transformers";
import { renderMermaidSVG } from "beautiful-mermaid";
import { defineConfig, type MarkdownOptions } from "vitepress";
import type { SiteFacts } from "../../scripts/manual/source.js";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Facts that the build writes beside this file. */
const facts = JSON.parse(readFileSync(new URL("facts.json", import.meta.url), "utf8")) as SiteFacts;

/** Collects the colours of code as classes, since the policy of the site refuses style attributes. */
const colours = transformerStyleToClass();

/** File with the colours of code. */
const CODE_STYLES = "code.css";

export default defineConfig({
  title: "Duello",
  description: "The manual of Duello, a referee for duels on any EVM chain",
  lang: "en-GB",
  base: facts.base,
  // Otherwise the switch of the theme inserts an inline style, which the policy of the site refuses.
  appearance: { disableTransition: false },
  // Without this, each page contains the list of all pages in an inline script.
  metaChunk: true,
  // The default is a style attribute, which the policy refuses too.
  contentProps: { class: "page-content" },
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${facts.base}icon.svg` }],
    ["link", { rel: "stylesheet", href: `${facts.base}${CODE_STYLES}` }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    attrs: { disable: true },
    codeTransformers: [colours],
    config: extend,
  },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "All pages", link: "/docs/" },
      facts.others.length === 0
        ? { text: facts.version, link: "/CHANGELOG" }
        : {
            text: facts.version,
            items: [{ text: `${facts.version} (this one)`, link: "/CHANGELOG" }, ...facts.others],
          },
    ],
    notFound: { quote: "This version of the manual has no such page. Search for it, or begin at the start." },
    outline: [2, 3],
    search: { provider: "local" },
    sidebar: facts.sidebar,
  },
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, CODE_STYLES), colours.getCSS()),
});

/** Returns the anchor of a heading as GitHub forms it, so that links work in both places. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replace(/ /g, "-");
}

/** Draws diagrams, and replaces style attributes of table cells by classes. */
function extend(markdown: Markdown): void {
  markdown.disable("emoji");
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, i, ...rest) =>
    tokens[i].info === "mermaid" ? drawingOf(tokens[i].content) : fence!(tokens, i, ...rest);
  markdown.core.ruler.push("aligned-cells", ({ tokens }) => {
    for (const token of tokens) {
      const style = token.attrGet("style");
      if (style === null) continue;
      token.attrs = token.attrs!.filter(([name]) => name !== "style");
      token.attrJoin("class", style.replace("text-align:", "align-"));
    }
  });
}

/** Draws a diagram. The theme contains its styles. */
function drawingOf(text: string): string {
  const drawing = renderMermaidSVG(text)
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/ style="--bg[^"]*"/, "");
  return `<div class="drawing" v-pre>${drawing}</div>`;
}
