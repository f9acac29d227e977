import { childrenOf, spanOf, type SyntaxNode } from "../contract-syntax.js";

/** A replacement of a piece of source. */
export interface Change {
  node: SyntaxNode;
  operator: string;
  /** Source in place of the node's. */
  after: string;
  /** Name of the function or modifier with the node; empty outside. */
  scope: string;
  /** Code before and after a function whose modifier is dropped, and the end of the contract, in bytes. */
  modifier?: Modifier & { contractEnd: number };
}

/** What a modifier runs before and after the body of a function. */
interface Modifier {
  before: string;
  after: string;
}

/** A change before its function and contract are known. */
type Made = Omit<Change, "scope" | "modifier"> & { modifier?: Modifier };

/** What the operators need to know about a file. */
interface Context {
  textOf(node: SyntaxNode): string;
  /** Names of variables and fields that are declared together with one, by its id. */
  siblings: ReadonlyMap<number, ReadonlySet<string>>;
  /** Ids of constants whose value is 0. */
  zeros: ReadonlySet<number>;
  /** Modifiers by their name. */
  modifiers: ReadonlyMap<string, Modifier>;
}

/** Modifiers of OpenZeppelin. Those against re-entrancy call private functions. */
const MODIFIERS: Readonly<Record<string, Modifier>> = {
  onlyOwner: { before: "_checkOwner();", after: "" },
  nonReentrant: {
    before: `if (_reentrancyGuardEntered()) revert ReentrancyGuardReentrantCall();
      bytes32 slot = _reentrancyGuardStorageSlot();
      assembly ("memory-safe") { tstore(slot, 1) }`,
    after: `bytes32 slot = _reentrancyGuardStorageSlot();
      assembly ("memory-safe") { tstore(slot, 0) }`,
  },
};

const BINARY: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
};
const ARITHMETIC_WITH_ZERO = new Set(["<<", ">>", "+", "-"]);
const COMPARISONS = new Set(["<", "<=", ">", ">=", "==", "!="]);
const ASSIGNMENTS: Readonly<Record<string, string>> = {
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "/=": "*=",
  "|=": "&=",
  "&=": "|=",
  "^=": "|=",
  "<<=": ">>=",
  ">>=": "<<=",
};
const STEPS: Readonly<Record<string, string>> = { "++": "--", "--": "++" };
const SWAPPED = new Map([
  ["One", "Two"],
  ["Two", "One"],
  ["1", "2"],
  ["2", "1"],
]);
/** Statements that consist of one call. */
const STATEMENTS = new Set(["EmitStatement", "ExpressionStatement", "RevertStatement"]);
/** Nodes without code that a mutant could change: declarations, names of types, and Yul, which has another tree. */
const WITHOUT_CODE = new Set([
  "ElementaryTypeName",
  "InlineAssembly",
  "Mapping",
  "UserDefinedTypeName",
  "ArrayTypeName",
]);

/** Returns all changes that the operators make, by file. */
export function changesIn(
  files: ReadonlyMap<string, { tree: SyntaxNode; textOf: (node: SyntaxNode) => string }>,
): Map<string, Change[]> {
  const siblings = siblingsIn([...files.values()].map(({ tree }) => tree));
  const own = [...files.values()].flatMap(({ tree, textOf }) => modifiersIn(tree, textOf));
  const modifiers = new Map([...Object.entries(MODIFIERS), ...own]);
  const zeros = new Set([...files.values()].flatMap(({ tree }) => zerosIn(tree)));
  return new Map(
    [...files].map(([file, { tree, textOf }]) => [file, changesOf(tree, { textOf, siblings, zeros, modifiers })]),
  );
}

/** Returns the ids of constants whose value is 0. */
function zerosIn(node: SyntaxNode): number[] {
  const isZero = node.constant === true && (node.value as SyntaxNode | undefined)?.value === "0";
  return [...(isZero ? [node.id] : []), ...childrenOf(node).flatMap(zerosIn)];
}

/** Returns the modifiers without parameters that a file defines, by their names. */
function modifiersIn(node: SyntaxNode, textOf: Context["textOf"]): [string, Modifier][] {
  if (node.nodeType !== "ModifierDefinition") return childrenOf(node).flatMap((child) => modifiersIn(child, textOf));
  const statements = (node.body as SyntaxNode).statements as SyntaxNode[];
  const at = statements.findIndex(({ nodeType }) => nodeType === "PlaceholderStatement");
  const [before, after] = [statements.slice(0, at), statements.slice(at + 1)].map((each) =>
    each.map((statement) => `${textOf(statement)};`).join(" "),
  );
  return [[node.name as string, { before, after }]];
}

function changesOf(file: SyntaxNode, context: Context): Change[] {
  const changes: Change[] = [];
  let contractEnd = 0;
  const visit = (node: SyntaxNode, parent: SyntaxNode, isTarget: boolean, outer: string) => {
    if (node.nodeType === "ContractDefinition") contractEnd = spanOf(node)[1] - 1;
    if (WITHOUT_CODE.has(node.nodeType)) return;
    // The values of constants are computed by the compiler.
    if (node.nodeType === "VariableDeclaration" && node.constant === true) return;
    // The expressions in the head of a loop are no statements of their own.
    const isHead =
      parent.nodeType === "ForStatement" && node.nodeType === "ExpressionStatement" && node !== parent.body;
    const isFunction = /^(Function|Modifier)Definition$/.test(node.nodeType);
    const scope = isFunction ? String(node.name || node.kind) : outer;
    if (!isTarget && !isHead) {
      for (const { modifier, ...change } of changesAt(node, parent, context)) {
        changes.push({ ...change, scope, ...(modifier && { modifier: { ...modifier, contractEnd } }) });
      }
    }
    for (const child of childrenOf(node)) visit(child, node, isAssigned(child, node, isTarget), scope);
  };
  visit(file, file, false, "");
  return changes;
}

/** True for a variable that an expression changes. */
function isAssigned(node: SyntaxNode, parent: SyntaxNode, isTarget: boolean): boolean {
  if (parent.nodeType === "Assignment") return node === parent.leftHandSide;
  if (parent.nodeType === "UnaryOperation") return ["++", "--", "delete"].includes(parent.operator as string);
  return parent.nodeType === "TupleExpression" && isTarget;
}

function changesAt(node: SyntaxNode, parent: SyntaxNode, { textOf, siblings, zeros, modifiers }: Context): Made[] {
  const text = textOf(node);
  const change = (operator: string, after: string, at = node): Made => ({ node: at, operator, after });
  switch (node.nodeType) {
    case "BinaryOperation":
      return binaryChanges(node, textOf, zeros);
    case "UnaryOperation": {
      const inner = textOf(node.subExpression as SyntaxNode);
      if (node.operator === "!") return [change("negation dropped", `(${inner})`)];
      if (node.operator === "-" && !isLiteral(node)) return [change("sign dropped", inner)];
      const other = STEPS[node.operator as string];
      return other ? [change("arithmetic", node.prefix === true ? other + inner : inner + other)] : [];
    }
    case "IfStatement":
      return ["true", "false"].map((value) => change("condition", value, node.condition as SyntaxNode));
    case "WhileStatement":
    case "ForStatement":
      return node.condition ? [change("condition", "false", node.condition as SyntaxNode)] : [];
    case "Conditional": {
      const condition = node.condition as SyntaxNode;
      return [change("condition", `!(${textOf(condition)})`, condition)];
    }
    case "Return": {
      const value = node.expression as SyntaxNode | undefined;
      if (!value) return [];
      if (typeOf(value) === "bool") return [change("returned value", `!(${textOf(value)})`, value)];
      return /^u?int\d+$/.test(typeOf(value)) ? [change("returned value", "0", value)] : [];
    }
    case "ExpressionStatement": {
      const expression = node.expression as SyntaxNode;
      const isAssignment = expression.nodeType === "Assignment";
      // The compiler refuses such a pointer if it may be unset.
      if (isAssignment && / calldata$| pointer$/.test(typeOf(expression.leftHandSide as SyntaxNode))) return [];
      const other = isAssignment && ASSIGNMENTS[expression.operator as string];
      if (!other) return [change("line dropped", "")];
      const [left, right] = [expression.leftHandSide, expression.rightHandSide].map((side) =>
        textOf(side as SyntaxNode),
      );
      return [change("line dropped", ""), change("arithmetic", `${left} ${other} ${right};`)];
    }
    case "EmitStatement":
      return [change("line dropped", "")];
    case "Block":
    case "UncheckedBlock":
      return orderChanges(node, textOf);
    case "ModifierInvocation": {
      const modifier = node.arguments ? undefined : modifiers.get(text);
      return modifier ? [{ ...change("modifier dropped", ""), modifier }] : [];
    }
    case "FunctionCall":
      return argumentChanges(node, parent, textOf);
    case "MemberAccess": {
      const name = node.memberName as string;
      const isSeat = /^type\(enum .*Seat\)$/.test(typeOf(node.expression as SyntaxNode));
      const other = isSeat ? SWAPPED.get(name) : swappedName(name, node, siblings);
      return other ? [change("seat swapped", `${text.slice(0, -name.length)}${other}`)] : [];
    }
    case "Identifier": {
      const other = swappedName(node.name as string, node, siblings);
      return other ? [change("seat swapped", other)] : [];
    }
    default:
      return [];
  }
}

function binaryChanges(node: SyntaxNode, textOf: Context["textOf"], zeros: Context["zeros"]): Made[] {
  if (isLiteral(node)) return [];
  const operator = node.operator as string;
  // A shift by 0, and the sum and difference with 0, are all the same.
  if (ARITHMETIC_WITH_ZERO.has(operator) && zeros.has(referenced(node.rightExpression as SyntaxNode))) return [];
  const [left, right] = [node.leftExpression as SyntaxNode, node.rightExpression as SyntaxNode];
  const kind = COMPARISONS.has(operator)
    ? "bound"
    : operator === "&&" || operator === "||"
      ? "condition"
      : "arithmetic";
  const changes = (BINARY[operator] ?? []).map((other) => ({
    node,
    operator: kind,
    after: `${textOf(left)} ${other} ${textOf(right)}`,
  }));
  const texts = [textOf(left), textOf(right)];
  for (const [i, side] of [left, right].entries()) {
    if (side.nodeType !== "Literal" || !/^\d+$/.test(texts[i])) continue;
    const others = texts.with(i, String(BigInt(texts[i]) + 1n));
    changes.push({ node, operator: "number", after: others.join(` ${operator} `) });
  }
  return changes;
}

/** Swaps neighbouring statements that call something or emit an event. */
function orderChanges(block: SyntaxNode, textOf: Context["textOf"]): Made[] {
  const changes: Made[] = [];
  const isCall = ({ nodeType, expression }: SyntaxNode) =>
    nodeType === "EmitStatement" ||
    (nodeType === "ExpressionStatement" && (expression as SyntaxNode).nodeType === "FunctionCall");
  const statements = block.statements as SyntaxNode[];
  for (let i = 1; i < statements.length; i++) {
    const [first, second] = [statements[i - 1], statements[i]];
    if (!isCall(first) || !isCall(second)) continue;
    const pair = { ...first, nodeType: "Pair", src: joined(first, second) };
    changes.push({ node: pair, operator: "order of effects", after: `${textOf(second)}; ${textOf(first)};` });
    // Changes may contain each other, but not overlap.
    i++;
  }
  return changes;
}

function joined(first: SyntaxNode, second: SyntaxNode): string {
  const [start] = spanOf(first);
  const [, end] = spanOf(second);
  return `${start}:${end - start}:0`;
}

/** Swaps the first two neighbouring arguments of the same type. */
function argumentChanges(node: SyntaxNode, parent: SyntaxNode, textOf: Context["textOf"]): Made[] {
  // The call of a try statement cannot be part of another expression.
  if (parent.nodeType === "TryStatement") return [];
  if (node.kind === "typeConversion" || (node.names as string[]).length > 0) return [];
  const callee = textOf(node.expression as SyntaxNode);
  // The order of their arguments does not matter.
  if (callee === "Math.min" || callee === "Math.max") return [];
  const given = node.arguments as SyntaxNode[];
  const at = given.findIndex((each, i) => i > 0 && typeOf(each) === typeOf(given[i - 1]) && !isLiteral(each));
  if (at < 0 || textOf(given[at - 1]) === textOf(given[at])) return [];
  const texts = given.map(textOf);
  [texts[at - 1], texts[at]] = [texts[at], texts[at - 1]];
  const call = `${callee}(${texts.join(", ")})`;
  const operator = "arguments swapped";
  if (!STATEMENTS.has(parent.nodeType)) return [{ node, operator, after: call }];
  // A call without a result is no expression.
  return [{ node: parent, operator, after: `${textOf(parent).replace(textOf(node), () => call)};` }];
}

/** Returns the name of the same thing of the other player, if it is declared beside the named one. */
function swappedName(name: string, node: SyntaxNode, siblings: Context["siblings"]): string | undefined {
  const other = SWAPPED.get(name.at(-1)!);
  const swapped = other && name.slice(0, -1) + other;
  return swapped && siblings.get(node.referencedDeclaration as number)?.has(swapped) ? swapped : undefined;
}

/** Returns the names that are declared together: parameters and results of a function, and fields of a struct. */
function siblingsIn(files: readonly SyntaxNode[]): Map<number, ReadonlySet<string>> {
  const siblings = new Map<number, ReadonlySet<string>>();
  const byScope = new Map<unknown, SyntaxNode[]>();
  const visit = (node: SyntaxNode) => {
    if (node.nodeType === "VariableDeclaration") {
      byScope.set(node.scope, [...(byScope.get(node.scope) ?? []), node]);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  files.forEach(visit);
  for (const declared of byScope.values()) {
    const names = new Set(declared.map(({ name }) => name as string));
    for (const { id } of declared) siblings.set(id, names);
  }
  return siblings;
}

/** Returns the id of the declaration that a name refers to; 0 for other nodes. */
function referenced({ referencedDeclaration }: SyntaxNode): number {
  return (referencedDeclaration as number | undefined) ?? 0;
}

function typeOf(node: SyntaxNode): string {
  return (node.typeDescriptions as { typeString?: string } | undefined)?.typeString ?? "";
}

/** True for a value that the compiler computes. */
function isLiteral(node: SyntaxNode): boolean {
  return /^(int|rational)_const /.test(typeOf(node)) || node.nodeType === "Literal";
}
