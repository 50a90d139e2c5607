import { type Model, quoteIdentifier, quoteTable, tableOf } from '@lintel/metadata';
import type { Database } from '../database.ts';
import { describeTables } from './describe-tables.ts';
import { storedAttributesOf } from './stored-attributes.ts';

/** The group role of logins that run the SQL data sets of reports. */
export const REPORT_READER = 'lintel_report_reader';

/** One process at a time: two grants on one table would meet. */
const LOCK_KEY = 0x6c69_7270;

/**
 * Lets the role `lintel_report_reader` read what the model stores, but no secret attribute, and nothing else.
 * Makes the role where there is none.
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
    const [known] = await transaction.query({
      text: 'SELECT FROM pg_roles WHERE rolname = $1',
      values: [REPORT_READER],
    });
    if (known === undefined) await run(`CREATE ROLE ${REPORT_READER} NOLOGIN`);
    await run(`GRANT USAGE ON SCHEMA ${schemas} TO ${REPORT_READER}`);
    for (const { table, columns } of tables) {
      await run(`REVOKE ALL ON ${table} FROM ${REPORT_READER}`);
      await run(`GRANT SELECT (${columns}) ON ${table} TO ${REPORT_READER}`);
    }
  });
}

/**
 * Gives a login of that role, with a password that is known to nobody else: for an installation whose one
 * process owns the database server.
 *
 * @returns URL of the login
 */
export async function createReportLogin(database: Database, url: string, password: string): Promise<string> {
  const login = 'lintel_report';
  await database.transaction(async (transaction) => {
    const run = (text: string) => transaction.query({ text, values: [] });
    await transaction.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [LOCK_KEY] });
    for (const [role, options] of [
      [REPORT_READER, 'NOLOGIN'],
      [login, 'LOGIN'],
    ] as const) {
      const [known] = await transaction.query({ text: 'SELECT FROM pg_roles WHERE rolname = $1', values: [role] });
      if (known === undefined) await run(`CREATE ROLE ${role} ${options}`);
    }
    await run(`ALTER ROLE ${login} PASSWORD '${password.replaceAll("'", "''")}'`);
    await run(`GRANT ${REPORT_READER} TO ${login}`);
  });
  const own = new URL(url);
  own.username = login;
  own.password = password;
  return own.href;
}

/** `<schema>.<table>.<column>` of attributes that nobody is shown. */
function secretColumns(model: Model): ReadonlySet<string> {
  const columns = [...model.entities.values()].flatMap((entity) => {
    if (entity.kind !== 'entity') return [];
    const { schema, name: table } = tableOf(entity.name);
    return storedAttributesOf(model, entity)
      .filter(({ attribute }) => attribute.secret)
      .flatMap((stored) => stored.columns.map(({ name }) => `${schema}.${table}.${name}`));
  });
  return new Set(columns);
}
