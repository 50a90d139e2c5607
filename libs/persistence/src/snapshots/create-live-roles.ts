import type { LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

/**
 * The roles of this moment for a service, read from the database at the start and when they change
 * (`data.roles.changed.v1`; attach it with `attachInvalidation`).
 *
 * @param options `read` is `roleReader` of `@lintel/security`; the body is its `StoredRoles`
 * @throws what the database throws when the view is not there within a minute
 */
export const createLiveRoles = <B>(options: LiveSnapshotOptions<B>): Promise<LiveValue<B>> =>
  createLiveSnapshot({ name: 'roles', view: 'sec.role_snapshot', event: 'data.roles.changed.v1' }, options);
