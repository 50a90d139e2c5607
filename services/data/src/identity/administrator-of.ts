import type { Administrator, Principal } from '@lintel/contracts';

/** A role that has every right. */
const FULL_ACCESS = 'system-full-access';

/** Who calls, and which roles the caller may give to a client. */
export const administratorOf = ({ username, resourceRoles, rowLevelRoles }: Principal): Administrator => ({
  username,
  isUnlimited: resourceRoles.includes(FULL_ACCESS) && rowLevelRoles.length === 0,
  resourceRoles: [...resourceRoles],
  rowLevelRoles: [...rowLevelRoles],
  coversMaker: false,
});
