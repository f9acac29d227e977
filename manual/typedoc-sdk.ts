// Plugin of TypeDoc for the SDK's reference.
import { CommentTag, Converter, ReflectionKind, SignatureReflection } from "typedoc";
import type { Application, CommentDisplayPart, DeclarationReflection, Reflection, SomeType } from "typedoc";

/** First version, since which an export exists unless a tag states another version. */
const FIRST = "0.1.0";
/** Name that TypeDoc gives to a parameter that is a pattern. */
const PATTERN = "__namedParameters";

/** Adds the plugin to TypeDoc. */
export function load(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const modules = project.getReflectionsByKind(ReflectionKind.Module) as DeclarationReflection[];
    const exported = modules.flatMap(({ children = [] }) => children);
    const linked = new Map(exported.filter(isLinked).map((each) => [each.name, each]));
    for (const { comment } of exported.flatMap(describedIn)) {
      if (comment && !comment.getTag("@since")) comment.blockTags.push(textTag("@since", FIRST));
    }
    for (const reflection of Object.values(project.reflections)) {
      if (reflection instanceof SignatureReflection) namePatterns(reflection);
      linkNames(reflection, linked);
    }
  });
}

/** Returns the reflections that have the comment of an export: its signatures, or the export itself. */
function describedIn(exported: DeclarationReflection): Reflection[] {
  return exported.signatures ?? [exported];
}

/** Returns whether mentions of an export become links. A common word, e.g. `text`, is more often a parameter. */
function isLinked({ name }: Reflection): boolean {
  return /[a-z][A-Z]|^[A-Z]/.test(name);
}

function textTag(tag: `@${string}`, text: string): CommentTag {
  return new CommentTag(tag, [{ kind: "text", text }]);
}

/** Names the parameters of a signature that are patterns: after their tags, otherwise after their types. */
function namePatterns({ comment, parameters = [] }: SignatureReflection): void {
  const names = parameters.map(({ name }) => name);
  const tags = comment?.getTags("@param").filter(({ name = "" }) => !names.includes(name)) ?? [];
  for (const parameter of parameters.filter(({ name }) => name === PATTERN)) {
    parameter.name = tags.shift()?.name ?? nameFor(parameter.type);
  }
}

/** Names a parameter after its type, e.g. `offer` for an `Offer`, or for a `Pick` of its fields. */
function nameFor(type?: SomeType): string {
  if (type?.type !== "reference") return "fields";
  const { name, typeArguments: [picked] = [] } = type;
  if (/^(Pick|Omit|Partial|Readonly)$/.test(name)) return nameFor(picked);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Turns the names of other exports in a comment into links. */
function linkNames({ comment, name }: Reflection, linked: ReadonlyMap<string, Reflection>): void {
  if (!comment) return;
  for (const content of [comment.summary, ...comment.blockTags.map((tag) => tag.content)]) {
    for (const [i, { kind, text }] of content.entries()) {
      const target = kind === "code" ? linked.get(text.replaceAll("`", "")) : undefined;
      if (target && target.name !== name) content[i] = linkTo(target);
    }
  }
}

function linkTo(target: Reflection): CommentDisplayPart {
  return { kind: "inline-tag", tag: "@linkcode", text: target.name, target };
}
