import { randomUUID } from 'node:crypto';
import { runMigrations } from '@lintel/schema';
import { Client } from 'pg';
import { takeBenchFolder } from '../database/bench-folder.ts';
import { startPostgres } from '../database/start-postgres.ts';
import application from './bench-application.ts';
import { compileServers } from './compile-servers.ts';
import { POOL_SIZE, type ServerSettings } from './server-settings.ts';
import { startTokenIssuer, startTraceSink } from './stand-ins.ts';
import { type StartedServer, startServer } from './start-server.ts';

/** A data service of the sales example with an empty database. */
export interface SalesService {
  readonly server: StartedServer;
  /** A connection to its database. */
  readonly client: Client;
  /** The value of `Authorization`. */
  readonly authorization: string;
}

/**
 * Starts a data service for one measurement.
 *
 * @param stack ends what was started
 * @param prepare fills the database before the service runs
 */
export async function startSalesService(
  stack: AsyncDisposableStack,
  measured: string,
  own: Partial<ServerSettings>,
  prepare?: (databaseUrl: string, client: Client) => Promise<void>,
): Promise<SalesService> {
  const name = `lintel_bench_${measured}`;
  const folder = stack.adopt(takeBenchFolder(process.env['LINTEL_BENCH_FOLDER']), (taken) => taken.release());
  const postgres = await startPostgres(folder.path, process.env, console.error);
  stack.defer(() => postgres.stop());
  const administration = stack.adopt(new Client(postgres.url), (client) => client.end());
  await administration.connect();
  await administration.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await administration.query(`CREATE DATABASE ${name}`);
  stack.defer(async () => {
    await administration.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
  const databaseUrl = Object.assign(new URL(postgres.url), { pathname: name }).href;
  await runMigrations({ url: databaseUrl, migrations: application.migrations ?? [] });
  const client = stack.adopt(new Client(databaseUrl), (connected) => connected.end());
  await client.connect();
  await prepare?.(databaseUrl, client);
  compileServers();
  const sessionId = randomUUID();
  const issuer = stack.adopt(await startTokenIssuer(sessionId), (started) => started.close());
  const traces = stack.adopt(await startTraceSink(), (started) => started.close());
  const settings: ServerSettings = {
    ...{ databaseUrl, tokens: [], issuerUrl: issuer.url, sessionId, internalSecret: randomUUID() },
    ...{ listeners: false, poolSize: POOL_SIZE },
    ...own,
  };
  const start = {
    name: measured,
    program: 'data-service',
    settings,
    folder: folder.path,
    collectorUrl: traces.url,
  } as const;
  const server = stack.adopt(await startServer(start), (started) => started.stop());
  return { server, client, authorization: `Bearer ${issuer.jwt}` };
}
