import { declareCache, type LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions, type StoredSnapshot } from './create-live-snapshot.ts';

export interface LiveRolesOptions<B> extends Omit<LiveSnapshotOptions<B>, 'read'> {
  /** Creates the roles of a snapshot, and reports each unusable stored role, for which a warning is logged. */
  readonly read: (snapshot: StoredSnapshot, onProblem: (problem: string) => void) => B;
}

const ROLES = declareCache({
  name: 'roles',
  holds: 'the roles of the database and their policies, merged with those of the application',
  where: ['data', 'files', 'reports'],
  keyedBy: 'one value',
  maxEntries: 1,
  invalidatedBy: ['data.roles.changed.v1'],
  staleness: 'max-staleness',
  ownWrites: 'before the response',
  whileAway: 'PostgreSQL: used until the maximum age, then 503. Loaded again after half of that age',
});

/**
 * Creates the current roles for a service. They are read from the database at the start and when they change
 * (`data.roles.changed.v1`; attach it with `attachInvalidation`).
 *
 * @param options `read` is `roleReader` of `@lintel/security`; the body is its `StoredRoles`
 * @throws the error of the database when the view cannot be read within a minute
 */
export const createLiveRoles = <B>({ read, ...options }: LiveRolesOptions<B>): Promise<LiveValue<B>> => {
  const warn = (problem: string) => options.logger.warn({ problem }, 'a stored role cannot be used as it is');
  return createLiveSnapshot(ROLES, 'sec.role_snapshot', { ...options, read: (snapshot) => read(snapshot, warn) });
};
