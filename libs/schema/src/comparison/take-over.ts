import { StartError } from '@lintel/errors';
import { type Model, quoteTable } from '@lintel/metadata';
import type { Client } from 'pg';
import { compareForBaseline } from '../drift/compare-for-baseline.ts';
import { expectedTables } from '../drift/expected-catalogue.ts';
import { unquote } from '../drift/is-generated.ts';
import { readCatalogue } from '../drift/read-catalogue.ts';
import { withReadingSession } from '../migrations/migration-session.ts';
import type { SchemaMigration } from '../migrations/schema-migration.ts';
import { describeTables } from '../tables/expected/describe-tables.ts';
import type { TableDescription } from '../tables/expected/table-description.ts';
import { readStructure, type StructurePart } from './read-structure.ts';
import type { SchemaChange } from './schema-difference.ts';

export interface TakeOverOptions {
  /** The database that has the tables. */
  readonly url: string;
  readonly model: Model;
  /** Whether tables of other owners are made, too: their structure, where they are missing. */
  readonly withReferences?: boolean;
}

/** The statements that make existing tables in an empty database, and one sentence for each that does not work. */
export interface TakeOver extends SchemaChange {
  readonly failures: readonly string[];
}

const nameOf = ({ schema, name }: Pick<TableDescription, 'schema' | 'name'>): string => `${schema}.${name}`;

const presenceOf = (table: string): string => {
  const at = table.indexOf('.');
  return `to_regclass('${quoteTable({ schema: table.slice(0, at), name: table.slice(at + 1) }).replaceAll("'", "''")}')`;
};

const guarded = (presence: string, statements: readonly string[]): string =>
  `DO $other$ BEGIN IF ${presence} IS NULL THEN\n${statements.join(';\n')};\nEND IF; END $other$`;

const CREATED =
  /CREATE (?:TABLE|(?:MATERIALIZED )?VIEW) (?:IF NOT EXISTS )?("(?:[^"]|"")+"|\w+)\.("(?:[^"]|"")+"|\w+)/g;

/** The tables and views that the statements of migrations make, as `schema.table`. */
export const madeBy = (migrations: readonly Pick<SchemaMigration, 'up'>[]): ReadonlySet<string> =>
  new Set(
    migrations
      .flatMap(({ up }) => up.flatMap((statement) => [...statement.matchAll(CREATED)]))
      .map((match) => match.slice(1).map(unquote).join('.')),
  );

/**
 * Makes the tables that the application has taken over (`owned: true`) and no migration has made so far, exactly as they
 * are in the database of `url`, with everything that the model does not express. Keys and indexes get the names that
 * migrations give.
 *
 * @param shadow connection to the database of the migrations so far, which gets the tables
 */
export async function takeOver(shadow: Client, options: TakeOverOptions): Promise<TakeOver> {
  const described = describeTables(options.model);
  const wanted = await missingIn(shadow, described.filter(({ takenOver }) => takenOver === true).map(nameOf));
  if (wanted.length === 0) return { up: [], down: [], failures: [] };
  const { parts, left } = await readParts(shadow, wanted, described, options);
  if (parts.length === 0) return { up: [], down: [], failures: [] };
  const { made, failed } = await inWorkingOrder(shadow, parts);
  const failures = failed.map(([, failure]) => failure);
  // Without the table, the model would make another one, which the existing database does not get.
  if (failed.some(([{ table, up }]) => wanted.includes(table ?? '') && up.startsWith('CREATE TABLE')))
    throw new StartError(`Tables of the application cannot be made in an empty database:\n${failures.join('\n')}`);
  const renames = await renamesOf(
    shadow,
    described.filter((table) => wanted.includes(nameOf(table))),
  );
  for (const rename of renames) await shadow.query(rename);
  const functions = made.some(({ up }) => up.startsWith('CREATE OR REPLACE'))
    ? ['SET LOCAL check_function_bodies = off']
    : [];
  const renamed = new Map(renames.map(droppedBeforeAndAfter));
  const down = made.flatMap(({ down: undo }) => (undo === null ? [] : [renamed.get(undo) ?? undo])).reverse();
  return {
    up: [...functions, ...made.map(({ up }) => up), ...renames],
    down,
    failures: [...left, ...failures, ...(await failuresOf(shadow, down))],
  };
}

/** What drops a constraint before and after it is renamed. */
function droppedBeforeAndAfter(rename: string): readonly [string, string] {
  const [before = '', after = ''] = rename.replace(' RENAME CONSTRAINT ', ' DROP CONSTRAINT ').split('" TO "');
  return [`${before}"`, `${before.slice(0, before.indexOf(' DROP CONSTRAINT '))} DROP CONSTRAINT "${after}`];
}

async function missingIn(client: Client, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) name WHERE NOT EXISTS (SELECT FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname || '.' || c.relname = name)`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** The parts of the tables; what other owners have is made only where it is missing, and stays when it is undone. */
async function readParts(
  shadow: Client,
  wanted: readonly string[],
  described: readonly TableDescription[],
  { url, withReferences = false }: TakeOverOptions,
): Promise<{ readonly parts: readonly StructurePart[]; readonly left: readonly string[] }> {
  const schemas = [...new Set(described.filter((table) => wanted.includes(nameOf(table))).map(({ schema }) => schema))];
  return withReadingSession(url, async (client) => {
    const own = await readStructure(client, wanted, schemas);
    if (!own.some(({ table }) => table !== null)) return { parts: [], left: [] };
    const targets = own.flatMap(({ target }) => target ?? []).filter((target) => !wanted.includes(target));
    const foreign = await missingIn(shadow, [
      ...new Set([...described.filter(({ external }) => external).map(nameOf), ...targets]),
    ]);
    const others = withReferences ? await readStructure(client, foreign, []) : [];
    const isAvailable = ({ target }: StructurePart): boolean =>
      target === undefined || withReferences || !foreign.includes(target);
    const hasOthers = others.some(({ table, isView }) => table !== null && isView !== true);
    const shared = [
      ...new Map([...own, ...others].filter(({ table }) => table === null).map((part) => [part.up, part])).values(),
    ];
    return {
      parts: [
        ...(hasOthers ? shared.map(onlyWhereMissing) : shared),
        ...own.filter((part) => part.table !== null && isAvailable(part)),
        ...wholeTables(others),
      ],
      left: own.flatMap((part) =>
        isAvailable(part)
          ? []
          : [
              `${part.table} refers to ${part.target}, a table of another owner: "${part.up}" is left out without --with-references`,
            ],
      ),
    };
  });
}

const onlyWhereMissing = (part: StructurePart): StructurePart => ({
  ...part,
  up: part.presence === 'NULL' ? part.up : guarded(part.presence ?? '', [part.up]),
  down: null,
});

/** A statement for each table and view of another owner: of a table its columns and keys, of a view all. */
const wholeTables = (parts: readonly StructurePart[]): readonly StructurePart[] =>
  [
    ...Map.groupBy(
      parts.filter(({ table }) => table !== null),
      ({ table }) => table ?? '',
    ),
  ].map(([table, all]) => {
    const [first, ...rest] = all as [StructurePart, ...StructurePart[]];
    const more = rest.filter(({ isView, up }) => isView === true || up.startsWith('ALTER SEQUENCE'));
    const up = guarded(
      presenceOf(table),
      [first, ...more].map((part) => part.up),
    );
    return { ...first, up, down: first.isView === true ? first.down : null };
  });

/** Tries the statements until none of the rest works: what depends on something follows it. */
async function inWorkingOrder(client: Client, parts: readonly StructurePart[]) {
  const made: StructurePart[] = [];
  let failed: (readonly [StructurePart, string])[] = [];
  await client.query('BEGIN; SET LOCAL check_function_bodies = off; SET LOCAL client_min_messages = warning');
  for (let left = parts; left.length > 0; ) {
    failed = [];
    for (const part of left) {
      const failure = await tryStatement(client, part.up);
      if (failure === undefined) made.push(part);
      else failed.push([part, failure]);
    }
    if (failed.length === left.length) break;
    left = failed.map(([part]) => part);
  }
  await client.query('COMMIT');
  return { made, failed };
}

async function tryStatement(client: Client, statement: string): Promise<string | undefined> {
  await client.query('SAVEPOINT statement');
  try {
    await client.query(statement);
    await client.query('RELEASE SAVEPOINT statement');
    return undefined;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT statement');
    return `the statement "${statement}" fails, and is left out: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function failuresOf(client: Client, down: readonly string[]): Promise<readonly string[]> {
  const failures: string[] = [];
  await client.query('BEGIN');
  for (const statement of down) failures.push(...[(await tryStatement(client, statement)) ?? []].flat());
  await client.query('ROLLBACK');
  return failures;
}

async function renamesOf(client: Client, tables: readonly TableDescription[]): Promise<readonly string[]> {
  await client.query('SET search_path = pg_catalog');
  const actual = await readCatalogue(client, [...new Set(tables.map(({ schema }) => schema))]);
  await client.query('RESET search_path');
  return compareForBaseline({ tables: expectedTables(tables) }, actual).renames;
}
