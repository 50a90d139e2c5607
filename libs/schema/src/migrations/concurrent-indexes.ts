import { quoteIdentifier } from '@lintel/metadata';
import type { Client } from 'pg';

const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|\w+)`;
const CREATE = new RegExp(
  String.raw`^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?(${IDENTIFIER}) ON (?:ONLY )?(${IDENTIFIER}(?:\.${IDENTIFIER})?)`,
  'i',
);
const DROP = new RegExp(
  String.raw`^DROP INDEX CONCURRENTLY (?:IF EXISTS )?(${IDENTIFIER}(?:\.${IDENTIFIER})?)(?: CASCADE| RESTRICT)?$`,
  'i',
);

const normal = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim();

/**
 * Whether a statement creates or drops an index concurrently with writes: such statements run outside a transaction.
 */
export const isConcurrent = (statement: string): boolean => /\bINDEX CONCURRENTLY\b/i.test(normal(statement));

/** Whether it has a form that can be carried out again after it was broken off. */
export const isRepeatable = (statement: string): boolean =>
  CREATE.test(normal(statement)) || DROP.test(normal(statement));

const FIND = `SELECT i.oid::regclass::text AS index, x.indisvalid AS valid
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indrelid = to_regclass($1) AND i.relname = $2`;

/**
 * Creates or drops one index without blocking writes. An invalid index of an interrupted attempt, which still checks
 * values, is dropped first; an existing valid index is not changed; a failed build leaves no index.
 */
export async function runConcurrently(client: Client, statement: string): Promise<void> {
  const [, name, table] = CREATE.exec(normal(statement)) ?? [];
  if (name === undefined || table === undefined) {
    await client.query(normal(statement).replace(/CONCURRENTLY (?!IF EXISTS)/i, 'CONCURRENTLY IF EXISTS '));
    return;
  }
  const found = await find(client, name, table);
  if (found?.valid === true) return;
  if (found !== undefined) await client.query(`DROP INDEX CONCURRENTLY ${found.index}`);
  try {
    await client.query(statement);
  } catch (error) {
    const left = await find(client, name, table).catch(() => undefined); // a lost connection is in `error`
    if (left?.valid === false) await client.query(`DROP INDEX CONCURRENTLY ${left.index}`);
    throw error;
  }
}

async function find(client: Client, name: string, table: string) {
  const { rows } = await client.query<{ index: string; valid: boolean }>(FIND, [table, unquote(name)]);
  return rows[0];
}

const unquote = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();

const PLAIN_CREATE = new RegExp(
  String.raw`^CREATE (UNIQUE )?INDEX (${IDENTIFIER}) ON ((${IDENTIFIER})\.${IDENTIFIER}) .*$`,
  's',
);

/** The parts of a statement that creates an index. */
export interface IndexStatement {
  readonly table: string;
  /** With its schema, quoted. */
  readonly index: string;
  readonly statement: string;
}

/** The parts of `CREATE INDEX "name" ON "schema"."table" (…)`; undefined for every other statement. */
export function indexStatement(statement: string): IndexStatement | undefined {
  const match = PLAIN_CREATE.exec(statement);
  if (match === null) return undefined;
  const [, , name = '', table = '', schema = ''] = match;
  return { table, index: `${quoteIdentifier(unquote(schema))}.${quoteIdentifier(unquote(name))}`, statement };
}
