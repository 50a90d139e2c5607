import type { Application } from '@lintel/application';
import { assertDatabase, type Database, type DatabaseOptions } from '@lintel/persistence';
import { describeTables, GROUPS_OF_LOGINS, migrationStatus, REPORT_READER } from '@lintel/schema';
import { messageOf, rootCauseOf } from '../message-of.ts';
import { withConnection } from '../with-connection.ts';
import { type Check, type Finding, failed, isAtLeast, ok, skipped, TIMEOUT_MS, warning } from './check.ts';
import { checkStoredValues } from './stored-values-check.ts';

const OLDEST = '14.0';
/** Tokens and sessions are compared between machines; more than this makes them wrong. */
const LARGEST_SKEW_MS = 5_000;
const GOOD_SKEW_MS = 1_000;

const NO_DATABASE = skipped('there is no database to ask');
const CONNECT = 'Check SVC_DATASOURCE_URL, and whether PostgreSQL runs and lets this machine in';

export interface DatabaseToCheck {
  /** Undefined while there is no database to ask. */
  readonly url: () => string | undefined;
  /** How the services connect; absent for the database of this folder. */
  readonly connection?: Pick<DatabaseOptions, 'url' | 'pooler' | 'preparedStatements'>;
  /** PostgreSQL URL of the login that reports run SQL with. */
  readonly reportUrl?: string | undefined;
  /** Undefined where it could not be loaded. */
  readonly application: () => Application | undefined;
  /** Whether steps that are missing come with the next start. */
  readonly migratesAtStart?: boolean;
}

/** What concerns PostgreSQL, in the order in which it makes sense. */
export const databaseChecks = (database: DatabaseToCheck): readonly Check[] => [
  serverCheck(database),
  ...(database.connection === undefined ? [] : [connectionCheck(database.connection)]),
  clockCheck(database),
  schemaCheck(database),
  searchIndexCheck(database),
  storedValuesCheck(database),
  rolesCheck(database),
  reportLoginCheck(database),
];

const serverCheck = ({ url }: Pick<DatabaseToCheck, 'url'>): Check => ({
  id: 'database',
  title: 'PostgreSQL',
  run: () =>
    on(url(), async (database) => {
      const [row] = await database.query<{ version: string; creates: boolean; user: string; name: string }>({
        text: `SELECT current_setting('server_version') AS version, current_user AS user, current_database() AS name,
          has_database_privilege(current_database(), 'CREATE') AS creates`,
        values: [],
      });
      if (row === undefined || !isAtLeast(row.version, OLDEST))
        return failed(`version ${row?.version}`, `Use PostgreSQL ${OLDEST} or newer`);
      return row.creates
        ? ok(`${row.version}, ${row.user} may create schemas`)
        : failed(
            `${row.user} may not create schemas in ${row.name}`,
            `GRANT CREATE ON DATABASE "${row.name}" TO "${row.user}"`,
          );
    }),
});

const clockCheck = ({ url }: Pick<DatabaseToCheck, 'url'>): Check => ({
  id: 'database.clock',
  title: 'Clock',
  run: () =>
    on(url(), async (database) => {
      const before = Date.now();
      const [row] = await database.query<{ ms: string }>({
        text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS ms',
        values: [],
      });
      const skewMs = Number(row?.ms) - (before + Date.now()) / 2;
      const detail = `${Math.abs(Math.round(skewMs))} ms ${skewMs < 0 ? 'ahead of' : 'behind'} the database`;
      if (Math.abs(skewMs) > LARGEST_SKEW_MS)
        return failed(detail, 'Let both machines take the time from a time server (NTP)');
      return Math.abs(skewMs) > GOOD_SKEW_MS ? warning(detail, 'Check the time servers of both machines') : ok(detail);
    }),
});

const schemaCheck = ({ url, application, migratesAtStart }: DatabaseToCheck): Check => ({
  id: 'database.schema',
  title: 'Migrations',
  async run() {
    const loaded = application();
    const address = url();
    if (loaded === undefined) return skipped('the application could not be loaded');
    if (address === undefined) return NO_DATABASE;
    try {
      const status = await migrationStatus({ url: address, migrations: loaded.migrations ?? [] });
      const count = (state: (typeof status)[number]['state']) => status.filter((one) => one.state === state).length;
      if (count('changed') > 0)
        return failed(`${count('changed')} have changed since they ran`, 'See "lintel migrate status"');
      if (count('pending') > 0 && migratesAtStart === true)
        return ok(`${count('pending')} will run with the next start`);
      if (count('pending') > 0)
        return failed(`${count('pending')} have not run`, 'Run "lintel migrate run", or start the data service');
      return ok(`${count('executed')} have run`);
    } catch (error) {
      return failed(messageOf(rootCauseOf(error)), CONNECT);
    }
  },
});

/** Migrations do not change tables of others, whose owners create the indexes of file references and searched texts. */
const searchIndexCheck = ({ url, application }: Pick<DatabaseToCheck, 'url' | 'application'>): Check => ({
  id: 'database.search-indexes',
  title: 'Search indexes of tables of others',
  run: async () => {
    const loaded = application();
    const wanted = (loaded === undefined ? [] : describeTables(loaded.model))
      .filter(({ external }) => external)
      .flatMap(({ schema, name, indexes }) =>
        indexes.flatMap(({ search, columns }) =>
          search ? [{ table: `"${schema}"."${name}"`, column: columns[0] }] : [],
        ),
      );
    if (wanted.length === 0) return skipped('no attribute of such a table needs one');
    return on(url(), async (database) => {
      const missing = await database.query<{ table: string; column: string }>({
        text: WITHOUT_SEARCH_INDEX,
        values: [wanted.map(({ table }) => table), wanted.map(({ column }) => column)],
      });
      const [first] = missing;
      if (first === undefined) return ok(`${wanted.length} found`);
      return warning(
        `missing: ${missing.map(({ table, column }) => `${table} (${column})`).join(', ')}`,
        `CREATE INDEX CONCURRENTLY ON ${first.table} (lower(("${first.column}")::text) text_pattern_ops)`,
      );
    });
  },
});

const storedValuesCheck = ({ url, application }: Pick<DatabaseToCheck, 'url' | 'application'>): Check => ({
  id: 'database.values',
  title: 'Codes of enums',
  run: async () => {
    const model = application()?.model;
    if (model === undefined) return skipped('the application could not be loaded');
    return on(url(), (open) => checkStoredValues(model, open));
  },
});

const WITHOUT_SEARCH_INDEX = `SELECT w."table", w."column"
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w ("table", "column", at) WHERE NOT EXISTS (
  SELECT FROM pg_index x JOIN pg_opclass o ON o.oid = x.indclass[0]
  WHERE x.indrelid = to_regclass(w."table") AND o.opcname = 'text_pattern_ops'
    AND translate(replace(pg_get_indexdef(x.indexrelid, 1, true), '::text', ''), '"', '') = 'lower(' || w."column" || ')')
ORDER BY w.at`;

const rolesCheck = ({ url, migratesAtStart }: Pick<DatabaseToCheck, 'url' | 'migratesAtStart'>): Check => ({
  id: 'database.roles',
  title: 'Roles of logins',
  run: () =>
    on(url(), async (database) => {
      const text = 'SELECT rolname FROM pg_roles WHERE rolname = ANY($1)';
      const rows = await database.query<{ rolname: string }>({ text, values: [GROUPS_OF_LOGINS] });
      return findingOfGroups(
        rows.map(({ rolname }) => rolname),
        migratesAtStart === true,
      );
    }),
});

/** The finding for the group roles that exist. */
export function findingOfGroups(existing: readonly string[], migratesAtStart: boolean): Finding {
  const missing = GROUPS_OF_LOGINS.filter((group) => !existing.includes(group));
  if (missing.length === 0) return ok(GROUPS_OF_LOGINS.join(', '));
  return migratesAtStart
    ? ok('made by the next start')
    : warning(
        `missing: ${missing.join(', ')}. Only services with a login for each need them`,
        'For such logins, run "lintel migrate run" as a user who may create roles',
      );
}

const reportLoginCheck = ({ reportUrl }: Pick<DatabaseToCheck, 'reportUrl'>): Check => ({
  id: 'database.reports',
  title: 'Login of SQL reports',
  run: async () =>
    reportUrl === undefined
      ? skipped('SVC_DATA_REPORT_DATASOURCE_URL is not set: reports run no SQL')
      : on(reportUrl, async (database) => {
          const [row] = await database.query<{ member: boolean; user: string }>({
            text: `SELECT current_user AS user, EXISTS (SELECT FROM pg_roles
              WHERE rolname = $1 AND pg_has_role(current_user, oid, 'MEMBER')) AS member`,
            values: [REPORT_READER],
          });
          return row?.member === true
            ? ok(`${row.user} is in ${REPORT_READER}`)
            : failed(`${row?.user} is not in ${REPORT_READER}`, `GRANT ${REPORT_READER} TO "${row?.user}"`);
        }),
});

/** What a service checks when it starts: certificates, the login, and a pooler in between. */
const connectionCheck = (connection: NonNullable<DatabaseToCheck['connection']>): Check => ({
  id: 'database.connection',
  title: 'Connection of the services',
  async run() {
    try {
      await assertDatabase({ ...connection, applicationName: 'lintel-doctor' });
    } catch (error) {
      return failed(messageOf(error), 'See "PostgreSQL" in the guide (docs/guide/postgresql.md)');
    }
    return ok(connection.pooler === 'transaction' ? 'through a pooler in transaction mode' : 'without a pooler');
  },
});

/** Checks one database; a failed connection is a finding, too. */
async function on(
  url: string | undefined,
  ask: (database: Database) => ReturnType<Check['run']>,
): ReturnType<Check['run']> {
  if (url === undefined) return NO_DATABASE;
  const connection = {
    url,
    statementTimeoutMs: TIMEOUT_MS,
    applicationName: 'lintel-doctor',
    level: 'silent',
  } as const;
  try {
    return await withConnection(connection, ask);
  } catch (error) {
    return failed(messageOf(rootCauseOf(error)), CONNECT);
  }
}
