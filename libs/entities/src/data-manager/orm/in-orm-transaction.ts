import type { WriteScope } from '../../write/scope/write-scope.ts';
import type { WriteDependencies } from '../../write/write-dependencies.ts';
import { forgetCachedResults } from './forget-cached-results.ts';
import { TransactionSession } from './transaction-session.ts';

/**
 * Runs `work` and its data sources in one transaction. The data sources end with the work; their writes are committed
 * together with all others.
 *
 * @param run runs its argument in a transaction; may run it several times
 */
export async function inOrmTransaction<T>(
  deps: WriteDependencies,
  run: (work: (scope: WriteScope) => Promise<T>) => Promise<T>,
  work: (scope: WriteScope, session: TransactionSession) => Promise<T>,
): Promise<T> {
  let last: TransactionSession | undefined;
  const result = await run(async (scope) => {
    const session = new TransactionSession(scope);
    last = session;
    try {
      const done = await work(scope, session);
      session.assertComplete();
      return done;
    } finally {
      session.end();
    }
  });
  if (last?.hasWritten === true) await forgetCachedResults(deps);
  return result;
}
