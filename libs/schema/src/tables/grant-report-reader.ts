import { StartError } from '@lintel/errors';
import { type Model, quoteIdentifier, quoteTable, tableOf } from '@lintel/metadata';
import type { Database, Transaction } from '@lintel/persistence';
import { createRole, REPORT_READER } from '../migrations/platform/fragments.ts';
import { describeTables } from './expected/describe-tables.ts';
import { storedAttributesOf } from './expected/stored-attributes.ts';

/** One process at a time: two grants on one table would meet. */
const LOCK_KEY = 0x6c69_7270;

/**
 * Grants the role `lintel_report_reader` read access to the data of the model except secret attributes, and to nothing
 * else. Creates the role if there is none.
 *
 * @throws StartError if there is none and the user may not create it
 */
export async function grantReportReader(database: Database, model: Model): Promise<void> {
  const secrets = secretColumns(model);
  const tables = describeTables(model).map(({ schema, name, columns }) => {
    const open = columns.map((column) => column.name).filter((column) => !secrets.has(`${schema}.${name}.${column}`));
    return { table: quoteTable({ schema, name }), schema, columns: open.map(quoteIdentifier).join(', ') };
  });
  const schemas = [...new Set(tables.map(({ schema }) => schema))].map(quoteIdentifier).join(', ');
  await database.transaction(async (transaction) => {
    const run = (text: string) => transaction.query({ text, values: [] });
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] });
    await ensureRole(transaction);
    await run(`GRANT USAGE ON SCHEMA ${schemas} TO ${REPORT_READER}`);
    for (const { table, columns } of tables) {
      await run(`REVOKE ALL ON ${table} FROM ${REPORT_READER}`);
      await run(`GRANT SELECT (${columns}) ON ${table} TO ${REPORT_READER}`);
    }
  });
}

/**
 * Creates a login of that role, with a password that only the caller knows: for an installation whose single process
 * owns the database server.
 *
 * @returns URL of the login
 */
export async function createReportLogin(
  database: Database,
  url: string,
  password: string,
  login = 'lintel_report',
): Promise<string> {
  await database.transaction(async (transaction) => {
    const run = (text: string) => transaction.query({ text, values: [] });
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] });
    await ensureRole(transaction);
    if (!(await hasRole(transaction, login))) await run(`CREATE ROLE ${login} LOGIN`);
    await run(`ALTER ROLE ${login} PASSWORD '${password.replaceAll("'", "''")}'`);
    await run(`GRANT ${REPORT_READER} TO ${login}`);
  });
  const own = new URL(url);
  own.username = login;
  own.password = password;
  return own.href;
}

async function ensureRole(transaction: Transaction): Promise<void> {
  if (await hasRole(transaction, REPORT_READER)) return;
  await transaction.query({ text: createRole(REPORT_READER), values: [] });
  if (await hasRole(transaction, REPORT_READER)) return;
  throw new StartError(
    `svc.data.report-datasource-url needs the role ${REPORT_READER}, which the data service may not make: as the administrator of the database, CREATE ROLE ${REPORT_READER}`,
  );
}

async function hasRole(transaction: Transaction, role: string): Promise<boolean> {
  const found = await transaction.query({ text: 'SELECT FROM pg_roles WHERE rolname = $1', values: [role] });
  return found.length > 0;
}

/** `<schema>.<table>.<column>` of secret attributes. */
function secretColumns(model: Model): ReadonlySet<string> {
  const columns = [...model.entities.values()].flatMap((entity) => {
    if (entity.kind !== 'entity') return [];
    const { schema, name: table } = tableOf(entity);
    return storedAttributesOf(model, entity)
      .filter(({ attribute }) => attribute.secret)
      .flatMap((stored) => stored.columns.map(({ name }) => `${schema}.${table}.${name}`));
  });
  return new Set(columns);
}
