import type { RoleRegistry } from './role-registry.ts';

/**
 * The codes of a caller's row-level roles that are not in the registry: assigned under a wrong code, deleted, or
 * renamed in the code of the application. A row-level role only removes rows, so a user with an unknown one may see
 * and write no row at all.
 */
export const unknownRowRoles = (
  codes: readonly string[],
  { rowRoles }: Pick<RoleRegistry, 'rowRoles'>,
): readonly string[] => codes.filter((code) => !rowRoles.has(code));
