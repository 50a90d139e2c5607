import { createHash } from 'node:crypto';
import type { Application } from '@lintel/application';
import { runMigrations } from '@lintel/schema';
import { Client } from 'pg';
import { DATA_SET, SCALE } from './data-set.ts';

const TEMPLATE = SCALE === 1 ? 'lintel_bench_template' : `lintel_bench_template_x${SCALE}`;
const RUN = 'lintel_bench_run';

/** The database of one run: a fresh copy, so that the writes of earlier runs do not show. */
export interface BenchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Fills the template database once (it is kept until the model or the data set changes) and copies it for this run. A
 * larger data set is filled for one run only.
 */
export async function prepareDatabase(
  serverUrl: string,
  application: Application,
  onProgress: (step: string) => void,
): Promise<BenchDatabase> {
  const stamp = stampOf(application);
  await using server = await connect(serverUrl);
  if ((await stampInDatabase(server.client)) !== stamp)
    await fillTemplate(server.client, serverUrl, application, onProgress, stamp);
  // The tables of the platform may have changed since it was filled.
  else await runMigrations({ url: urlOf(serverUrl, TEMPLATE), migrations: application.migrations ?? [] });
  if (SCALE > 1) {
    await server.client.query(`DROP DATABASE IF EXISTS ${RUN} WITH (FORCE)`);
    // Many times the data set are not worth the disk until the next time.
    await server.client.query(`ALTER DATABASE ${TEMPLATE} RENAME TO ${RUN}`);
    await server.client.query('CHECKPOINT');
  } else {
    onProgress('Copying the data set for this run');
    await copyTemplate(server.client, RUN);
  }
  return {
    url: urlOf(serverUrl, RUN),
    async drop() {
      await using again = await connect(serverUrl);
      await again.client.query(`DROP DATABASE IF EXISTS ${RUN} WITH (FORCE)`);
    },
  };
}

/** A further copy of the data set, on the server of another one. Returns its address; the next copy replaces it. */
export async function copyDataSet(serverUrl: string, name: string): Promise<string> {
  await using server = await connect(urlOf(serverUrl, 'postgres'));
  await copyTemplate(server.client, name);
  return urlOf(serverUrl, name);
}

async function copyTemplate(server: Client, name: string): Promise<void> {
  await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  // All of it is on the disk before anything is measured.
  await server.query('CHECKPOINT');
}

/** Changes with everything that the filled template depends on. */
function stampOf({ migrations = [] }: Application): string {
  const parts = [migrations.map(({ name, up }) => [name, up]), DATA_SET];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

async function stampInDatabase(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ stamp: string | null }>(
    `SELECT shobj_description(oid, 'pg_database') AS stamp FROM pg_database WHERE datname = '${TEMPLATE}'`,
  );
  return rows[0]?.stamp ?? undefined;
}

async function fillTemplate(
  server: Client,
  serverUrl: string,
  application: Application,
  onProgress: (step: string) => void,
  stamp: string,
): Promise<void> {
  await server.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0`);
  const url = urlOf(serverUrl, TEMPLATE);
  onProgress('Creating the tables');
  await runMigrations({ url, migrations: application.migrations ?? [] });
  {
    await using template = await connect(url);
    const { client } = template;
    // The rows are known to satisfy the foreign keys, and an index of all rows is made faster than row by row.
    await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'");
    const indexes = await dropIndexes(client);
    for (const { what, statement } of DATA_SET) {
      onProgress(`Filling the tables: ${what}`);
      await client.query(statement);
    }
    onProgress('Creating the indexes');
    for (const index of indexes) await client.query(index);
    onProgress('Collecting the statistics');
    await client.query('VACUUM (ANALYZE)');
  }
  // Written last: a template without it is incomplete and made anew.
  await server.query(`COMMENT ON DATABASE ${TEMPLATE} IS '${stamp}'`);
}

/** Drops the indexes of the application's tables that are not those of constraints; returns the statements that create them. */
async function dropIndexes(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly name: string; readonly definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
WHERE relnamespace IN ('sales'::regnamespace, 'bench'::regnamespace)
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

async function connect(url: string): Promise<{ readonly client: Client; [Symbol.asyncDispose](): Promise<void> }> {
  const client = new Client({ connectionString: url, application_name: 'lintel-bench' });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
