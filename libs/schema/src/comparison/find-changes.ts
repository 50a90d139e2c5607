import { quoteIdentifier } from '@lintel/metadata';
import type { Client } from 'pg';
import type { CatalogueTable } from '../drift/catalogue.ts';
import { compareCatalogues, type DriftFinding } from '../drift/compare-catalogues.ts';
import { expectedTables } from '../drift/expected-catalogue.ts';
import { isGenerated } from '../drift/is-generated.ts';
import { isPlatformSchema, keptParts } from '../drift/kept-parts.ts';
import { readCatalogue } from '../drift/read-catalogue.ts';
import { readTableParts } from '../drift/read-table-parts.ts';
import type { TablePart } from '../drift/table-part.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import { planSteps } from './plan-steps.ts';
import { joinChanges, type SchemaChange } from './schema-difference.ts';

/** The schemas of a database with their tables, as the catalogue describes them. */
export interface SchemaState {
  readonly schemas: readonly string[];
  readonly extensions: readonly string[];
  readonly tables: readonly CatalogueTable[];
  readonly parts: readonly TablePart[];
}

const SCHEMAS = 'SELECT nspname AS name FROM pg_namespace WHERE nspname = ANY ($1) ORDER BY 1';

/** Reads the schemas of the tables, with everything in them. */
export async function readSchemaState(
  client: Client,
  described: readonly { readonly schema: string }[],
): Promise<SchemaState> {
  const names = [...new Set(described.map(({ schema }) => schema))];
  await client.query('SET search_path = pg_catalog');
  const { rows } = await client.query<{ name: string }>(SCHEMAS, [names]);
  const schemas = rows.map(({ name }) => name);
  const extensions = await client.query<{ name: string }>('SELECT extname AS name FROM pg_extension');
  const { tables } = await readCatalogue(client, schemas);
  const parts = await readTableParts(client, schemas);
  await client.query('RESET search_path');
  return { schemas, extensions: extensions.rows.map(({ name }) => name), tables, parts };
}

export interface FoundChanges {
  readonly change: SchemaChange;
  /** What the model does not contain and no generated migration created. */
  readonly kept: readonly DriftFinding[];
}

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;

/**
 * The statements that create or change the tables to their descriptions, and drop tables that a generated migration
 * created and that are no longer described. Pure.
 *
 * @param tables tables that the statements may change
 * @param known all tables of the model, also those of other owners
 */
export function findChanges(
  tables: readonly TableDescription[],
  known: readonly TableDescription[],
  state: SchemaState,
): FoundChanges {
  const expected = expectedTables(tables);
  const described = new Map(tables.map((table) => [nameOf(table), table]));
  const others = new Set(known.map(nameOf));
  const actual = state.tables.filter(
    (table) => described.has(nameOf(table)) || !(others.has(nameOf(table)) || isPlatformSchema(table.schema)),
  );
  const none = { views: [], functions: [] };
  const findings = compareCatalogues({ ...none, tables: expected }, { ...none, tables: actual }).map((finding) =>
    finding.object === 'table' && finding.kind === 'extra' && !isGeneratedTable(finding.table, state.parts)
      ? { ...finding, kind: 'kept' as const }
      : finding,
  );
  return {
    change: [
      missingExtensions(tables, state),
      missingSchemas(tables, state),
      planSteps(findings, { described, parts: state.parts }),
    ].reduce(joinChanges),
    kept: [...findings.filter(({ kind }) => kind === 'kept'), ...keptParts(expected, state.parts)],
  };
}

/** Whether the primary key of a table has the name that generated migrations give to it. */
export const isGeneratedTable = (table: string, parts: readonly TablePart[]): boolean =>
  parts.some(
    (part) =>
      part.table === table &&
      part.kind === 'primary key' &&
      isGenerated(table.slice(table.indexOf('.') + 1), { ...part, object: part.kind }),
  );

/** Extensions of PostgreSQL for operators of exclusions and for operator classes of indexes. The undo keeps them. */
function missingExtensions(tables: readonly TableDescription[], state: SchemaState): SchemaChange {
  const texts = tables.flatMap(({ indexes, constraints = [] }) =>
    [...indexes, ...constraints].map(({ definition = '' }) => definition),
  );
  const needed = EXTENSIONS.filter(
    ([name, pattern]) => !state.extensions.includes(name) && texts.some((text) => pattern.test(text)),
  );
  return { up: needed.map(([name]) => `CREATE EXTENSION IF NOT EXISTS ${quoteIdentifier(name)}`), down: [] };
}

const EXTENSIONS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['btree_gist', /^EXCLUDE USING gist .* WITH =/],
  ['pg_trgm', /_trgm_ops\b/],
];

function missingSchemas(tables: readonly TableDescription[], state: SchemaState): SchemaChange {
  const missing = [...new Set(tables.map(({ schema }) => schema))].filter((schema) => !state.schemas.includes(schema));
  return {
    up: missing.map((schema) => `CREATE SCHEMA ${quoteIdentifier(schema)}`),
    down: missing.map((schema) => `DROP SCHEMA ${quoteIdentifier(schema)}`).reverse(),
  };
}
