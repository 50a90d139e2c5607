import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { readAccount, type StatementRunner } from '@lintel/persistence';
import type { Delegation } from '@lintel/security';

/** Who has made the clients that register themselves; no user has this name. */
const REGISTRATION = 'dynamic registration';

/** Whether a caller has every right of the user who made a client; false if that user does not exist any more. */
export async function coversMaker(
  caller: Principal,
  createdBy: unknown,
  delegation: Delegation,
  database: StatementRunner,
): Promise<boolean> {
  if (createdBy === REGISTRATION) return true;
  if (typeof createdBy !== 'string') return false;
  const isOwn = caller.kind === 'user' && createdBy === caller.username && !caller.clientId.startsWith('api-key:');
  if (isOwn) return true;
  const maker = await readAccount(database, createdBy);
  if (maker === undefined) return false;
  try {
    delegation.assertCovers(caller, maker);
    return true;
  } catch (error) {
    if (isPlatformError(error) && error.status < 500) return false;
    throw error;
  }
}
