import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@lintel/embedded-database';
import { createDatabase, createReceivedEvents, type Database } from '@lintel/persistence';
import { keepSecrets, removeHome, resolveStatePaths } from '@lintel/standalone';
import type { Logger } from '@lintel/telemetry';

const NAME = 'lintel';
const TIMEOUT_MS = 60_000;

/** Data does not outlive the tests, so nothing waits for the disk. */
const VOLATILE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * `now()` of the platform's statements, in a schema that comes before `pg_catalog`: the time that the tests have moved.
 */
const CLOCK = [
  'CREATE SCHEMA lintel_test',
  `CREATE TABLE lintel_test.clock AS SELECT interval '0' AS moved_by`,
  `CREATE FUNCTION lintel_test.now() RETURNS timestamptz LANGUAGE sql STABLE
   AS 'SELECT pg_catalog.now() + moved_by FROM lintel_test.clock'`,
  // Jobs are due by this time, too.
  `CREATE OR REPLACE FUNCTION job.job_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT lintel_test.now()'`,
  'GRANT USAGE ON SCHEMA lintel_test TO PUBLIC',
  'GRANT SELECT ON lintel_test.clock TO PUBLIC',
];

/** A PostgreSQL server of this process, in a temporary folder, and its databases. */
export interface TestDatabases {
  /** Folder of files and secrets. */
  readonly home: string;
  /** The secrets of an installation. */
  readonly secrets: Readonly<Record<string, string>>;
  urlOf(database: string): string;
  /** Creates a database, with what another one contains, to which no other connection may be open. */
  create(database: string, template?: string): Promise<void>;
  drop(database: string): Promise<void>;
  /** Adds a clock to a database; those that are created from it have a clock of their own. */
  addClock(database: string): Promise<void>;
  /** Moves the clock of a database. */
  setClock(database: string, movedMs: number): Promise<void>;
  /** Adds an event of another application, as JSON, to the published ones. */
  receive(database: string, envelope: string): Promise<void>;
  /** Resolves when all events of a database have been published. */
  eventsPublished(database: string): Promise<void>;
  /** Stops the server and removes the folder. */
  stop(): Promise<void>;
}

/** @throws EmbeddedDatabaseError if the server does not start */
export async function startTestDatabases(logger: Logger): Promise<TestDatabases> {
  const home = mkdtempSync(join(tmpdir(), `lintel-application-${process.pid}-`));
  // As root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(home, 0o755);
  const remove = (): void => removeHome(home);
  process.once('exit', remove);
  const secrets = keepSecrets(home, false);
  const { database: folder, binaries } = await resolveStatePaths(home, (step) => process.stderr.write(`${step}\n`));
  const server = await startEmbeddedDatabase({
    folder,
    binaries,
    user: NAME,
    password: secrets.databasePassword,
    database: NAME,
    settings: VOLATILE,
    durable: false,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const urlOf = (database: string): string => server.url.replace(/\/[^/]*$/, `/${database}`);
  const using = async <T>(database: string, work: (connection: Database) => Promise<T>): Promise<T> => {
    const connection: Database = createDatabase({
      url: urlOf(database),
      maxConnections: 1,
      statementTimeoutMs: TIMEOUT_MS,
      applicationName: 'lintel-test',
      logger,
    });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const run = (database: string, statements: readonly string[]): Promise<readonly unknown[]> =>
    using(database, async (connection) => {
      let rows: readonly unknown[] = [];
      for (const text of statements) rows = await connection.query({ text, values: [] });
      return rows;
    });
  return {
    home,
    secrets: secrets.properties,
    urlOf,
    async create(database, template) {
      const from = template === undefined ? '' : ` TEMPLATE "${template}"`;
      await run(NAME, [`CREATE DATABASE "${database}"${from}`]);
      // Settings of a database are not among what a template contains.
      if (template !== undefined)
        await run(NAME, [`ALTER DATABASE "${database}" SET search_path = lintel_test, "$user", public, pg_catalog`]);
    },
    drop: async (database) => void (await run(NAME, [`DROP DATABASE "${database}" WITH (FORCE)`])),
    addClock: async (database) => void (await run(database, CLOCK)),
    setClock: async (database, movedMs) =>
      void (await run(database, [`UPDATE lintel_test.clock SET moved_by = interval '${movedMs} milliseconds'`])),
    receive: (database, envelope) =>
      using(database, (connection) => createReceivedEvents(connection).receive([envelope])),
    async eventsPublished(database) {
      const deadline = performance.now() + TIMEOUT_MS;
      const open = 'SELECT FROM events.outbox WHERE published_at IS NULL LIMIT 1';
      while ((await run(database, [open])).length > 0)
        if (performance.now() > deadline) throw new Error('The events of the demo data are not published in time');
    },
    async stop() {
      await server.stop();
      process.off('exit', remove);
      remove();
    },
  };
}
