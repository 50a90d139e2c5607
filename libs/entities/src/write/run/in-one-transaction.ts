import type { Statement, Transaction } from '@lintel/persistence';
import type { WriteDependencies } from '../write-dependencies.ts';

const control = (text: string): Statement => ({ text, values: [] });
const SAVEPOINT = control('SAVEPOINT lintel_write');
const ROLLBACK = control('ROLLBACK TO SAVEPOINT lintel_write');
const RELEASE = control('RELEASE SAVEPOINT lintel_write');
/** Constraints that are tested at the commit refuse a rehearsal, too, and a part of another transaction. */
const TEST = control('SET CONSTRAINTS ALL IMMEDIATE');

/** Ends a transaction, so that it is rolled back. */
class RolledBack extends Error {}

/**
 * Runs writes one after the other in one transaction. A write that is refused changes nothing, and does not end the
 * transaction. What follows a commit (listeners, caches, jobs) is run after the commit of the whole.
 *
 * @param work gets the dependencies of its writes, and returns whether to commit; `test` commits what the constraints
 *   accept that are tested at the commit
 */
export async function inOneTransaction(
  deps: WriteDependencies,
  work: (deps: WriteDependencies) => Promise<'commit' | 'test' | 'roll back' | 'rehearse'>,
  signal: AbortSignal,
): Promise<void> {
  const later: ((deps: WriteDependencies) => Promise<void>)[] = [];
  const run = async (transaction: Transaction): Promise<void> => {
    const part: WriteDependencies['database']['transaction'] = async (write) => {
      await transaction.query(SAVEPOINT);
      try {
        const result = await write(transaction);
        await transaction.query(RELEASE);
        return result;
      } catch (error) {
        await transaction.query(ROLLBACK);
        throw error;
      }
    };
    const end = await work({
      ...deps,
      database: { ...deps.database, transaction: part },
      retries: { attempts: 1, delayMs: 0 },
      runLater: (settle) => void later.push(settle),
    });
    if (end === 'rehearse' || end === 'test') await transaction.query(TEST);
    if (end === 'rehearse' || end === 'roll back') throw new RolledBack();
  };
  try {
    await deps.database.transaction(run, signal);
  } catch (error) {
    if (error instanceof RolledBack) return;
    throw error;
  }
  for (const settle of later) {
    if (deps.runLater === undefined) await settle(deps);
    else deps.runLater(settle);
  }
}
