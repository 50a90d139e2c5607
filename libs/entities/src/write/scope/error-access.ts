import type { Access } from '@lintel/security';
import type { WriteEnvironment, Writer } from './write-scope.ts';

/** What of the model errors may name. */
export type ErrorAccess = Pick<Access, 'allows' | 'mayView' | 'mayModify'>;

const EVERYTHING: ErrorAccess = Object.freeze({ allows: () => true, mayView: () => true, mayModify: () => true });

/** The rights of who writes; the application itself has them all. */
export const errorAccessOf = (
  { accessOf }: Pick<WriteEnvironment, 'accessOf'>,
  { kind, resourceRoles }: Writer,
): ErrorAccess => (kind === undefined || resourceRoles === undefined ? EVERYTHING : accessOf({ kind, resourceRoles }));

/** Whether the caller knows the entity: by reading or by writing it. */
export const isKnownTo = (access: ErrorAccess, entity: string): boolean =>
  (['read', 'create', 'update'] as const).some((action) => access.allows(entity, action));
