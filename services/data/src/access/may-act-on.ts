import type { Principal } from '@lintel/contracts';
import { readAssignedRoles, type StatementRunner } from '@lintel/persistence';
import type { Delegation } from '@lintel/security';

/**
 * Asserts that the caller has every right of another user, before something of that user is changed.
 *
 * @throws PlatformError ACCESS_DENIED naming the missing policies, AUTH_STEP_UP_REQUIRED
 */
export type AssertMayActOn = (caller: Principal, username: string) => Promise<void>;

export const createAssertMayActOn =
  (delegation: Delegation | undefined, database: StatementRunner): AssertMayActOn =>
  async (caller, username) => {
    // A key has fewer rights than its user, perhaps.
    const isKey = caller.clientId.startsWith('api-key:');
    const isOwn = caller.kind === 'user' && caller.username === username && !isKey;
    if (delegation !== undefined && !isOwn)
      delegation.assertCovers(caller, await readAssignedRoles(database, username));
  };

/** The user that auth names as the owner of a session or key; undefined if there is none. */
export const ownerIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'username' in body && typeof body.username === 'string'
    ? body.username
    : undefined;
