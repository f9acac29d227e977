import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Node of a syntax tree in the compact form of solc. */
export interface SyntaxNode {
  id: number;
  nodeType: string;
  /** `start:length:file`, in bytes. */
  src: string;
  [field: string]: unknown;
}

/** Error of the compiler, with the place in bytes. */
export interface CompilerError {
  severity: string;
  formattedMessage: string;
  sourceLocation?: { file: string; start: number; end: number };
}

interface Output {
  errors?: CompilerError[];
  sources: Record<string, { ast: SyntaxNode }>;
}

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
}

/** Returns the sources of the contracts by their paths. */
export function contractSources(): Map<string, string> {
  const files = globSync("contracts/**/*.sol").sort();
  return new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
}

/** Parses and checks sources, without making code. */
export function analyse(sources: ReadonlyMap<string, string>): Output {
  const { compile } = createRequire(import.meta.url)("solc") as Compiler;
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...sources].map(([file, content]) => [file, { content }])),
    settings: { outputSelection: { "*": { "": ["ast"] } } },
  };
  const find = (path: string) => {
    const file = `node_modules/${path}`;
    return existsSync(file) ? { contents: readFileSync(file, "utf8") } : { error: `${path} is missing` };
  };
  return JSON.parse(compile(JSON.stringify(input), { import: find })) as Output;
}

/** Returns the children of a node. */
export function childrenOf<N extends { nodeType: string }>(node: N): N[] {
  return (Object.values(node) as unknown[])
    .flat()
    .filter((value): value is N => typeof value === "object" && value !== null && "nodeType" in value);
}

/** Returns the first byte of a node and the one after its last. */
export function spanOf({ src }: SyntaxNode): [number, number] {
  const [start, length] = src.split(":").map(Number);
  return [start, start + length];
}
