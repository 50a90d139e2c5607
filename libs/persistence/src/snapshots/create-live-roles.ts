import { declareCache, type LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

const ROLES = declareCache({
  name: 'roles',
  holds: 'the roles of the database and their policies, merged with those of the application',
  where: ['data', 'files', 'reports'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['data.roles.changed.v1'],
  staleness: 'max-staleness',
  whileAway: 'PostgreSQL: answered to the end of its life, then 503. Read again every half of it',
});

/**
 * Creates the current roles for a service. They are read from the database at the start and when they change
 * (`data.roles.changed.v1`; attach it with `attachInvalidation`).
 *
 * @param options `read` is `roleReader` of `@lintel/security`; the body is its `StoredRoles`
 * @throws the error of the database when the view cannot be read within a minute
 */
export const createLiveRoles = <B>(options: LiveSnapshotOptions<B>): Promise<LiveValue<B>> =>
  createLiveSnapshot(ROLES, 'sec.role_snapshot', options);
