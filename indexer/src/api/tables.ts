/**
 * Has a query read tables of a schema, whatever else has their names.
 * @param sql Query that only reads.
 * @param tables Names of tables in camel case.
 */
export function withTables(sql: string, schema: string, tables: readonly string[]): string {
  const names = tables.map((table) => table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const own = names.map((name) => `"${name}" as (select * from "${schema}"."${name}")`).join(", ");
  const [begin, recursive = ""] = /^\s*with\s+(recursive\s+)?/i.exec(sql) ?? [""];
  return begin === "" ? `with ${own} ${sql}` : `with ${recursive}${own}, ${sql.slice(begin.length)}`;
}
