import { games } from "../../sdk/games/index.js";
import { analyse, childrenOf, contractSources } from "../contract-syntax.js";
import { sentences } from "../../sdk/player/errors.js";
import type { Sentences } from "../../sdk/protocol/sentences.js";

/** Node of the compiler's syntax tree, with the fields that are read here. */
interface Node {
  id: number;
  nodeType: string;
  name: string;
  src: string;
  abstract?: boolean;
  contractKind?: "contract" | "interface" | "library";
  documentation?: { text: string };
  nodes?: Node[];
  members?: Node[];
  linearizedBaseContracts?: number[];
  kind?: string;
  visibility?: string;
  stateMutability?: string;
  constant?: boolean;
  parameters?: { parameters: Node[] };
  returnParameters?: { parameters: Node[] };
  baseFunctions?: number[];
  scope?: number;
  indexed?: boolean;
  storageLocation?: string;
  typeDescriptions?: { typeString: string };
  referencedDeclaration?: number;
  expression?: Node;
  errorCall?: Node;
  modifierName?: Node;
}

/** Parts of a documentation comment. */
interface Doc {
  title?: string;
  text: string;
  params: ReadonlyMap<string, string>;
  returns: readonly string[];
}

/** A page of the reference. */
export interface ReferencePage {
  /** Path without folder, e.g. `arena.md`. */
  name: string;
  markdown: string;
}

/** Abstract contracts from which developers derive their games. */
const BASES = ["Game", "CommitReveal", "OneRound"];

/** Kinds of declarations, in the order of a page, with their headings. */
const SECTIONS = {
  StructDefinition: "Structs",
  EnumDefinition: "Enums",
  FunctionDefinition: "Functions",
  EventDefinition: "Events",
  ErrorDefinition: "Errors",
} as const;
type Section = keyof typeof SECTIONS;

/** Reference of the contracts, made from their syntax trees and documentation comments. */
export class ContractsReference {
  private readonly nodes = new Map<number, Node>();
  private readonly files: { path: string; tree: Node; bytes: Buffer }[] = [];
  private readonly undocumented = new Set<string>();

  /** Parses the contracts. */
  constructor() {
    const sources = contractSources();
    for (const [path, { ast }] of Object.entries(analyse(sources).sources)) {
      const tree = ast as unknown as Node;
      this.add(tree);
      const text = sources.get(path);
      if (text !== undefined) this.files.push({ path, tree, bytes: Buffer.from(text) });
    }
    this.files.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * Returns a page for each contract that is deployed, and for the bases of games.
   * @throws Error that lists declarations without documentation
   */
  pages(): ReferencePage[] {
    const pages = this.files.flatMap(({ path, tree }) => {
      const contract = tree.nodes!.find(isContract);
      if (contract?.contractKind !== "contract") return [];
      return contract.abstract && !BASES.includes(contract.name) ? [] : [this.pageOf(contract, path)];
    });
    if (this.undocumented.size > 0) throw new Error(`No documentation: ${[...this.undocumented].sort().join(", ")}`);
    return pages;
  }

  private pageOf(contract: Node, path: string): ReferencePage {
    const { name } = contract;
    const parts = this.outward(contract);
    const doc = this.docOf(contract);
    if (doc.title === undefined) this.undocumented.add(name);
    const sections = (Object.keys(SECTIONS) as Section[]).flatMap((type) => {
      const those = parts.filter(({ nodeType }) => nodeType === type);
      const functions = type === "FunctionDefinition" ? parts.filter(isGetter) : [];
      const all = [...those, ...functions].map((part) => this.partText(part, contract));
      return all.length > 0 ? [`## ${SECTIONS[type]}`, ...all] : [];
    });
    const foreign = contract
      .linearizedBaseContracts!.map((id) => this.nodes.get(id)!)
      .filter((each) => !this.isOurs(each))
      .flatMap((each) => each.nodes!.filter((node) => node.nodeType === "FunctionDefinition" && isOutward(node)));
    const own = new Set(parts.map(signatureOf));
    const inherited = new Set(foreign.filter((each) => !own.has(signatureOf(each))).map((each) => `\`${each.name}\``));
    const others = inherited.size > 0 && `From its libraries it also has ${[...inherited].sort().join(", ")}.`;
    const markdown = [`# ${name}`, `${doc.title}.`, doc.text, `Source: \`${path}\``, others, ...sections].filter(
      Boolean,
    );
    return { name: `${name}.md`, markdown: `${markdown.join("\n\n")}\n` };
  }

  /** Returns the declarations that callers of a contract see, the inherited ones included, but not those of OpenZeppelin. */
  private outward(contract: Node): Node[] {
    const lineage = contract.linearizedBaseContracts!.map((id) => this.nodes.get(id)!);
    const own = lineage.filter((each) => this.isOurs(each));
    const replaced = new Set(own.flatMap((each) => each.nodes!.flatMap(({ baseFunctions = [] }) => baseFunctions)));
    const inContracts = own.flatMap((each) =>
      each.nodes!.filter((node) => {
        if (node.nodeType === "FunctionDefinition") {
          const isForGames = contract.abstract && node.kind === "function" && node.visibility === "internal";
          return (isOutward(node) || isForGames) && !replaced.has(node.id);
        }
        if (node.nodeType === "StructDefinition") return each.contractKind === "interface";
        return node.nodeType in SECTIONS || isGetter(node);
      }),
    );
    // Types and errors beside the contracts, in the files of the contract and of its bases.
    const homes = new Set(own.map(({ scope }) => scope));
    const beside = [...homes].flatMap((id) =>
      this.nodes.get(id!)!.nodes!.filter(({ nodeType }) => nodeType in SECTIONS && nodeType !== "FunctionDefinition"),
    );
    const used = this.errorsOf(
      inContracts.filter(({ nodeType }) => nodeType === "FunctionDefinition"),
      contract,
    );
    const all = [...inContracts, ...beside, ...used];
    return [...new Map(all.map((node) => [`${node.nodeType} ${signatureOf(node)}`, node])).values()];
  }

  private partText(part: Node, contract: Node): string {
    const doc = this.docOf(part);
    const home = this.nodes.get(part.scope ?? 0)?.name ?? "";
    const label = isContract(this.nodes.get(part.scope ?? 0)) ? `${home}.${part.name}` : part.name;
    if (doc.text === "" && doc.returns.length === 0) this.undocumented.add(label);
    const lines = [`### ${part.name}`, fenced(declarationOf(part)), doc.text];
    const values = [...(part.parameters?.parameters ?? []), ...(part.members ?? [])];
    const described = values.flatMap(({ name, src }) => {
      const text = doc.params.get(name) ?? (part.members ? this.lineDocOf(src) : undefined);
      return text === undefined ? [] : [`- \`${name}\`: ${text}`];
    });
    lines.push(described.join("\n"));
    const names = part.returnParameters?.parameters.map(({ name }) => name) ?? [];
    const returned = doc.returns.map((text, i) => {
      const named = names[i] !== "" && text.startsWith(`${names[i]} `);
      return named ? `Returns \`${names[i]}\`: ${text.slice(names[i].length + 1)}` : `Returns: ${text}`;
    });
    lines.push(returned.join("\n\n"));
    if (part.nodeType === "ErrorDefinition") {
      const sentence = sentenceOf(part.name);
      if (sentence !== undefined) lines.push(`Shown as: “${sentence}”`);
    }
    if (part.nodeType === "FunctionDefinition") {
      const errors = this.errorsOf([part], contract).map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`);
      if (errors.length > 0) lines.push(`Errors: ${errors.join(", ")}.`);
    }
    return lines.filter(Boolean).join("\n\n");
  }

  /** Returns the errors with which functions of a contract can revert by themselves, in the order of the code. */
  private errorsOf(functions: readonly Node[], contract: Node): Node[] {
    const lineage = contract.linearizedBaseContracts!.map((id) => this.nodes.get(id)!);
    const errors = new Set<Node>();
    const seen = new Set<Node>();
    const visit = (node: Node) => {
      if (seen.has(node)) return;
      seen.add(node);
      for (const each of descendantsOf(node)) {
        if (each.nodeType === "RevertStatement") {
          const error = this.nodes.get(each.errorCall!.expression!.referencedDeclaration!);
          if (error) errors.add(error);
        }
        const called = each.nodeType === "ModifierInvocation" ? each.modifierName : each.expression;
        const target = CALLS.includes(each.nodeType) && this.nodes.get(called?.referencedDeclaration ?? -1);
        if (!target || !isInside(target)) continue;
        if (called!.nodeType !== "MemberAccess") visit(this.overriding(target, lineage));
        else if (this.isInLibrary(target)) visit(target);
      }
    };
    for (const each of functions) visit(each);
    return [...errors];
  }

  private isInLibrary({ scope }: Node): boolean {
    return this.nodes.get(scope!)?.contractKind === "library";
  }

  /** Returns the function of a contract that overrides another one of its bases. */
  private overriding(target: Node, lineage: readonly Node[]): Node {
    const names = lineage.flatMap((each) => each.nodes!.filter(({ nodeType }) => nodeType === target.nodeType));
    const replaces = ({ baseFunctions = [] }: Node): boolean =>
      baseFunctions.some((id) => id === target.id || replaces(this.nodes.get(id)!));
    return names.find(replaces) ?? target;
  }

  private add(node: Node): void {
    if (node.id !== undefined) this.nodes.set(node.id, node);
    for (const each of childrenOf(node)) this.add(each);
  }

  private isOurs(contract: Node): boolean {
    return this.files.some(({ tree }) => tree.id === contract.scope);
  }

  /** Returns the documentation of a node; that of its base if it has none of its own, or refers to it. */
  private docOf(node: Node): Doc {
    const text = node.documentation?.text ?? "";
    const base = this.nodes.get(node.baseFunctions?.[0] ?? -1);
    if (base && (text === "" || text.includes("@inheritdoc"))) return this.docOf(base);
    return parsed(text);
  }

  /** Returns the lines of documentation before a place: the tree has no comments of a struct's fields. */
  private lineDocOf(src: string): string | undefined {
    const [start, , index] = src.split(":").map(Number);
    const file = this.files.find(({ tree }) => tree.src.endsWith(`:${index}`));
    if (!file) return undefined;
    const before = file.bytes.subarray(0, start).toString().trimEnd().split("\n");
    const lines: string[] = [];
    while (before.at(-1)?.trim().startsWith("///")) lines.unshift(before.pop()!.trim().slice(3).trim());
    return lines.length > 0 ? lines.join(" ") : undefined;
  }
}

/** Nodes that call a function or a modifier. */
const CALLS = ["FunctionCall", "ModifierInvocation"];

/** Returns whether a call of a node stays in the contract. */
function isInside({ nodeType, visibility = "" }: Node): boolean {
  return nodeType === "ModifierDefinition" || ["internal", "private", "public"].includes(visibility);
}

const isContract = (node?: Node) => node?.nodeType === "ContractDefinition";

function isOutward({ kind, visibility }: Node): boolean {
  return kind === "function" && (visibility === "external" || visibility === "public");
}

/** Returns whether a node is a variable with a function that reads it. */
function isGetter({ nodeType, visibility }: Node): boolean {
  return nodeType === "VariableDeclaration" && visibility === "public";
}

function* descendantsOf(node: Node): Generator<Node> {
  for (const each of childrenOf(node)) {
    yield each;
    yield* descendantsOf(each);
  }
}

const typeOf = ({ typeDescriptions }: Node) =>
  typeDescriptions!.typeString
    .replaceAll(/\b(?:struct|enum|contract) (?:\w+\.)?/g, "")
    .replaceAll(/ (?:calldata|memory|storage ref|storage pointer)/g, "");

const listOf = (nodes: readonly Node[] = []) =>
  nodes
    .map((node) => {
      const location =
        node.storageLocation === "calldata" || node.storageLocation === "memory" ? node.storageLocation : "";
      return [typeOf(node), node.indexed ? "indexed" : "", location, node.name].filter(Boolean).join(" ");
    })
    .join(", ");

const signatureOf = ({ name, parameters }: Node) => `${name}(${parameters?.parameters.map(typeOf).join()})`;

/** Writes a declaration as in the source, without its body. */
function declarationOf(node: Node): string {
  const { nodeType, name, parameters, returnParameters, visibility, stateMutability, members, kind } = node;
  const list = listOf(parameters?.parameters);
  switch (nodeType) {
    case "EventDefinition":
      return `event ${name}(${list});`;
    case "ErrorDefinition":
      return `error ${name}(${list});`;
    case "StructDefinition":
      return `struct ${name} {\n${members!.map((each) => `    ${typeOf(each)} ${each.name};`).join("\n")}\n}`;
    case "EnumDefinition":
      return `enum ${name} { ${members!.map((each) => each.name).join(", ")} }`;
    case "VariableDeclaration":
      return `${typeOf(node)} public ${name};`;
    default: {
      const returned = listOf(returnParameters?.parameters);
      const words = [visibility, stateMutability === "nonpayable" ? "" : stateMutability];
      const head = [`${kind} ${name}(${list})`, ...words, returned && `returns (${returned})`];
      return `${head.filter(Boolean).join(" ")};`;
    }
  }
}

const fenced = (code: string) => `\`\`\`solidity\n${code}\n\`\`\``;

/** Indented lines of a comment. */
const TABLE = /(?:\n {4}.*)+/g;

/** Splits a documentation comment into its tags. */
function parsed(comment: string): Doc {
  const [params, returns, texts] = [new Map<string, string>(), [] as string[], [] as string[]];
  let title: string | undefined;
  for (const [, tag, body] of comment.matchAll(/@(\w+)\s+([^]*?)(?=\n\s*@\w+\s|$)/g)) {
    const text = body.replaceAll(/\n ?/g, "\n").trim();
    const joined = text.replaceAll(/\s+/g, " ");
    if (tag === "title") title = joined;
    else if (tag === "notice" || tag === "dev") texts.push(text.replaceAll(TABLE, "\n\n```text$&\n```\n"));
    else if (tag === "return") returns.push(joined);
    else if (tag === "param") params.set(joined.split(" ")[0], joined.slice(joined.indexOf(" ") + 1));
  }
  return { title, text: texts.join("\n\n"), params, returns };
}

/** Returns the sentence that programs show for an error. */
function sentenceOf(error: string): string | undefined {
  const all: readonly Sentences[] = [sentences, ...games.flatMap((game) => (game.errors ? [game.errors] : []))];
  return all.map((each) => each[error]).find((each) => typeof each === "string");
}
