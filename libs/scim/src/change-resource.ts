import { setTimeout as sleep } from 'node:timers/promises';
import { isCollision, noteWork, type Transaction } from '@lintel/persistence';
import type { ScimDeps } from './scim-deps.ts';
import { SCIM_SOURCE } from './users/user-changes.ts';

const MAX_ATTEMPTS = 5;
const DELAY_MS = 50;

/**
 * Runs a change in a transaction. Changes with the same key run one after the other; a change that collides with
 * another one is run again.
 *
 * @param key of the resource
 */
export async function changeResource<T>(
  { database, users }: Pick<ScimDeps, 'database' | 'users'>,
  key: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (transaction) => {
        await noteWork(transaction, SCIM_SOURCE);
        await users.lock(transaction, key);
        return work(transaction);
      });
    } catch (error) {
      if (!isCollision(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    await sleep(Math.random() * DELAY_MS * 2 ** attempt);
  }
}
