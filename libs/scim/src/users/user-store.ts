import { USER_CHANGES } from './user-changes.ts';
import { createUserQueries } from './user-queries.ts';

/** @param linksExisting whether users that SCIM did not create are visible */
export function createUserStore(linksExisting: boolean) {
  return { ...createUserQueries(linksExisting), ...USER_CHANGES };
}

/** Statements about users. */
export type UserStore = ReturnType<typeof createUserStore>;
