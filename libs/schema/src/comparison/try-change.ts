import type { Client } from 'pg';
import type { TablePart } from '../drift/table-part.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import { findChanges, readSchemaState, type SchemaState } from './find-changes.ts';
import type { SchemaChange } from './schema-difference.ts';

/**
 * Runs a change and its undo in a transaction that is rolled back: the change must lead to the described tables, and the
 * undo to the former state.
 *
 * @returns one sentence if a statement fails, or if the result is another one; a person has to complete the migration
 */
export async function tryChange(
  client: Client,
  change: SchemaChange,
  tables: readonly TableDescription[],
  before: SchemaState,
): Promise<readonly string[]> {
  if (change.up.length === 0) return [];
  const read = (): Promise<SchemaState> => readSchemaState(client, [...tables, ...before.tables]);
  await client.query('BEGIN');
  try {
    const failure = await firstFailure(client, change.up);
    if (failure !== undefined) return [failure];
    const rest = findChanges(tables, tables, await read()).change.up;
    if (rest.length > 0) return [`the step does not lead to the model; this would be left: ${rest.join('; ')}`];
    const undone = await firstFailure(client, change.down);
    if (undone !== undefined) return [undone];
    const lost = difference(before, await read());
    return lost.length === 0 ? [] : [`"down" does not restore ${lost.join(', ')}`];
  } finally {
    await client.query('ROLLBACK');
  }
}

async function firstFailure(client: Client, statements: readonly string[]): Promise<string | undefined> {
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      return `the statement "${statement}" fails: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

/** The same for equal parts: columns that come back are the last ones of their table. */
const keyOf = ({ table, kind, name, columns, definition }: TablePart): string =>
  JSON.stringify([
    table,
    kind,
    name,
    columns.toSorted(),
    kind === 'statistics' ? definition.split(/[\s,]+/).toSorted() : definition,
  ]);

/** The parts that only one of the states has. */
function difference(before: SchemaState, after: SchemaState): readonly string[] {
  const [old, now] = [before, after].map(({ parts }) => new Set(parts.map(keyOf)));
  const only = [...before.parts, ...after.parts].filter(
    (part) => old?.has(keyOf(part)) !== true || now?.has(keyOf(part)) !== true,
  );
  return [...new Set(only.map(({ table, kind, name }) => `${kind} ${name} of ${table}`))];
}
