import type { WriteEnvironment, Writer } from './write-scope.ts';

/** Whether who writes has a specific permission; the application itself has them all. */
export const hasSpecific = (
  { accessOf }: Pick<WriteEnvironment, 'accessOf'>,
  { kind, resourceRoles, acr }: Writer,
  permission: string,
): boolean =>
  kind === undefined || resourceRoles === undefined || accessOf({ kind, resourceRoles, acr }).hasSpecific(permission);
