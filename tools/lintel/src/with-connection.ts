import { createDatabase, type Database } from '@lintel/persistence';
import { createLogger } from '@lintel/telemetry';

export interface ConnectionOptions {
  readonly url: string;
  readonly statementTimeoutMs: number;
  /** Pools have one connection without it. */
  readonly maxConnections?: number;
  readonly applicationName?: string;
  /** What is logged; errors without it. */
  readonly level?: 'error' | 'silent';
}

/** Works with a database by connections of its own, which go through a pooler or not. */
export async function withConnection<T>(
  { url, statementTimeoutMs, maxConnections = 1, applicationName = 'lintel', level = 'error' }: ConnectionOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const logger = createLogger({ service: 'lintel', level });
  const pool = { url, pooler: 'transaction', maxConnections, statementTimeoutMs, applicationName } as const;
  const database = createDatabase({ ...pool, logger });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
