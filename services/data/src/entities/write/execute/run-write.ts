import type { Transaction } from '@lintel/persistence';
import type { WriteDependencies } from '../write-dependencies.ts';
import { openScope } from './open-scope.ts';
import { publishChanges } from './publish-changes.ts';
import type { WriteScope } from './write-scope.ts';

/**
 * Runs `work` in one transaction together with its events: either everything is there afterwards or
 * nothing. What the database refuses is told in the words of the model.
 */
export async function runWrite<T>(
  deps: Pick<WriteDependencies, 'database' | 'environment' | 'translateViolation'>,
  username: string,
  work: (scope: WriteScope) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await deps.database.transaction(async (transaction: Transaction) => {
      const scope = openScope(deps.environment, transaction, username);
      const result = await work(scope);
      await publishChanges(scope);
      return result;
    }, signal);
  } catch (error) {
    throw deps.translateViolation(error);
  }
}
