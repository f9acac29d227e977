import { Kind, parse, type DocumentNode } from "graphql";
import type { MiddlewareHandler } from "hono";

/** Maximum number of top-level fields of a query: the SDK requests a list, the deployment and the status. */
const MAX_FIELDS = 3;

/** Rejects GraphQL queries with too many fields at top level. */
export const limitFields: MiddlewareHandler = async (c, next) => {
  const reason = c.req.method === "POST" ? reasonOf(await c.req.raw.clone().text()) : undefined;
  return reason === undefined ? next() : c.json({ errors: [{ message: reason }] }, 400);
};

/** Returns why a query is rejected. The GraphQL server handles a query that cannot be parsed. */
function reasonOf(body: string): string | undefined {
  let document: DocumentNode;
  try {
    document = parse((JSON.parse(body) as { query: string }).query);
  } catch {
    return undefined;
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { selections } = definition.selectionSet;
    if (selections.some(({ kind }) => kind !== Kind.FIELD)) return "The top of a question has no fragments.";
    if (selections.length > MAX_FIELDS)
      return `The question has ${selections.length} fields at its top, and ${MAX_FIELDS} is the most.`;
  }
  return undefined;
}
