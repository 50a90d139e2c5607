import type { Database } from '../database.ts';

/** What a start reads at the same time. */
const CONNECTIONS = 2;

/**
 * Logs in before the first statements need it, so that the logins of a start overlap with the rest of its work. Resolves
 * when the pool has the connections, or cannot have them now: the statements that follow meet the same error.
 */
export async function connectEarly(database: Pick<Database, 'query'>): Promise<void> {
  const statements = Array.from({ length: CONNECTIONS }, () => database.query({ text: 'SELECT 1', values: [] }));
  await Promise.allSettled(statements);
}
