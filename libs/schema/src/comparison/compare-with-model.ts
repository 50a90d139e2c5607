import { type Model, quoteTable } from '@lintel/metadata';
import type { Client } from 'pg';
import { withMigrationSession } from '../migrations/migration-session.ts';
import { runMigrations } from '../migrations/run-migrations.ts';
import type { SchemaMigration } from '../migrations/schema-migration.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import { fillNewColumns } from './fill-new-columns.ts';
import { findChanges, readSchemaState, type SchemaState } from './find-changes.ts';
import { assertPossible, declaredRenames, possibleRenames, renameColumns } from './rename-columns.ts';
import { formerTables, neededIn, possibleTables, renamedRows } from './rename-tables.ts';
import {
  createdTables,
  isOfColumn,
  joinChanges,
  type Rename,
  type SchemaChange,
  type SchemaDifference,
  warningsOf,
} from './schema-difference.ts';
import { withShadowDatabase } from './shadow-database.ts';
import { madeBy, takeOver } from './take-over.ts';
import { tryChange } from './try-change.ts';

export interface CompareOptions {
  /** Any database of the server; the comparison creates and removes a separate one on the same server. */
  readonly url: string;
  readonly model: Model;
  /** The application's migrations so far. */
  readonly migrations: readonly SchemaMigration[];
  /** Tables and columns that become others, in addition to those whose entities and attributes name a former one. */
  readonly renames?: readonly Rename[];
  /** Whether tables of other owners are made with those that are taken over: their structure, where they are missing. */
  readonly withReferences?: boolean;
}

/**
 * The difference between a database created by all migrations so far and the model: the content of the next migration.
 * Empty if they agree.
 */
export async function compareWithModel(options: CompareOptions): Promise<SchemaDifference> {
  return withShadowDatabase(options.url, async (url) => {
    await runMigrations({ url, migrations: [], lock: false });
    if (options.migrations.length > 0) await createExternalTables(url, options.model, options.migrations);
    await runMigrations({ url, migrations: options.migrations, lock: false });
    const taken = await withMigrationSession({ url, lock: false }, (client) => takeOver(client, options));
    const steps = [...options.migrations, taken];
    if (options.migrations.length === 0) await createExternalTables(url, options.model, steps);
    const difference = await withMigrationSession({ url, lock: false }, (client) => differenceIn(client, options));
    const warnings = [...taken.failures, ...difference.warnings];
    return { ...difference, taken, warnings, notMade: notMade(options.model, steps) };
  });
}

/** Tables of other owners without which an application that has taken over tables does not start on an empty database. */
function notMade(model: Model, steps: readonly Pick<SchemaMigration, 'up'>[]): readonly string[] {
  const tables = describeTables(model);
  if (!tables.some(({ takenOver }) => takenOver === true)) return [];
  const made = madeBy(steps);
  return tables
    .filter(({ external }) => external)
    .map(({ schema, name }) => `${schema}.${name}`)
    .filter((name) => !made.has(name));
}

const nameOf = ({ schema, name }: TableDescription): string => `${schema}.${name}`;

async function differenceIn(
  client: Client,
  { model, migrations, renames = [] }: CompareOptions,
): Promise<Omit<SchemaDifference, 'taken' | 'notMade'>> {
  const known = describeTables(model);
  const owned = known.filter(({ external }) => !external);
  const former = formerTables(
    model,
    renames.filter((each) => !isOfColumn(each)),
  );
  const state = await readSchemaState(client, [...owned, ...former.map(({ from }) => from)]);
  const needed = neededIn(state, former);
  const renamedTables = renameColumns(
    needed.flatMap(({ columns }) => columns),
    owned,
    state,
    new Map(needed.map(({ from, table }) => [nameOf(table), from])),
  );
  const steps = migrations.flatMap(({ up }) => up);
  const moved = joinChanges(renamedTables, renamedRows(model, steps));
  const base = moved.up.length === 0 ? state : await stateAfter(client, moved, owned);
  const given = renames.filter(isOfColumn);
  assertPossible(given, possibleRenames(owned, base, given));
  const renamed = joinChanges(moved, renameColumns([...declaredRenames(model, base), ...given], owned, base));
  const between = renamed.up.length === 0 ? state : await stateAfter(client, renamed, owned);
  const { change, kept } = findChanges(owned, known, between);
  const { up: all, down, losses = [] } = joinChanges(renamed, change);
  const up = fillNewColumns(model, all);
  const failures = await tryChange(client, { up, down }, owned, state);
  return {
    up,
    down,
    losses,
    possibleRenames: [...possibleTables(known, between), ...possibleRenames(owned, between)],
    partitioned: state.tables.filter(({ isPartitioned }) => isPartitioned === true).map(quoteTable),
    warnings: [...warningsOf(up, createdTables(up)), ...failures],
    kept,
  };
}

/** The state after a change, which is rolled back. */
async function stateAfter(
  client: Client,
  change: SchemaChange,
  tables: readonly TableDescription[],
): Promise<SchemaState> {
  await client.query('BEGIN');
  try {
    for (const statement of change.up) await client.query(statement);
    return await readSchemaState(client, tables);
  } finally {
    await client.query('ROLLBACK');
  }
}

/**
 * External tables as the application would create them, without references; types that a new database does not have are
 * texts.
 */
export const placeholdersOf = (tables: readonly TableDescription[]): readonly TableDescription[] =>
  tables
    .filter(({ external, primaryKey }) => external && primaryKey !== undefined)
    .map((table) => ({
      ...table,
      external: false,
      foreignKeys: [],
      columns: table.columns.map((column) => ({
        ...column,
        type: column.isCheckedByDatabase === true || column.type.includes('.') ? 'text' : column.type,
      })),
    }));

/**
 * Creates the external tables of the model that no migration makes, with their columns and keys, in a shadow database
 * with the tables of the platform: the foreign keys of migrations may refer to them.
 */
export async function createExternalTables(
  url: string,
  model: Model,
  migrations: readonly Pick<SchemaMigration, 'up'>[],
): Promise<void> {
  const made = madeBy(migrations);
  const others = placeholdersOf(describeTables(model)).filter(({ schema, name }) => !made.has(`${schema}.${name}`));
  if (others.length === 0) return;
  await withMigrationSession({ url, lock: false }, (client) => createTables(client, others));
}

/** Creates and changes the tables to their descriptions, and drops nothing else. */
export async function createTables(client: Client, tables: readonly TableDescription[]): Promise<void> {
  const { change } = findChanges(tables, tables, await readSchemaState(client, tables));
  for (const statement of change.up) if (!statement.startsWith('DROP TABLE')) await client.query(statement);
}
