import { randomBytes } from 'node:crypto';
import type { Application, ApplicationData } from '@lintel/application';
import { createAdministration, createIdSource } from '@lintel/entities';
import { hashPassword } from '@lintel/passwords';
import { createDatabase, type Database } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';
import { type ApplicationContext, withDatabase } from '../application-context.ts';
import { assertUpToDate } from '../assert-up-to-date.ts';
import type { Terminal } from '../terminal.ts';

/** Reads and writes by the rules of the model, without a caller; the services get the changes through the outbox. */
export interface Administration {
  readonly application: Application;
  readonly data: ApplicationData;
  readonly database: Database;
}

/**
 * Works with the data of an application, in the configured database or that of this folder.
 *
 * @throws CommandError where migrations have not run
 */
export const withAdministration = <T>(
  context: ApplicationContext,
  terminal: Terminal,
  work: (administration: Administration) => Promise<T>,
): Promise<T> => withDatabase(context, terminal, (url) => within(context.application, url, work));

async function within<T>(
  application: Application,
  url: string,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  await assertUpToDate(application, url);
  const logger = createLogger({ service: 'lintel', level: 'error' });
  const database: Database = createDatabase({
    url,
    // Works with a pooler and without one.
    pooler: 'transaction',
    maxConnections: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'lintel',
    logger,
  });
  const clock = { now: () => Date.now() };
  const ids = createIdSource(clock, randomBytes);
  try {
    const data = createAdministration({ application, database, clock, ids, hashPassword, logger });
    return await work({ application, data, database });
  } finally {
    await database.close();
  }
}
