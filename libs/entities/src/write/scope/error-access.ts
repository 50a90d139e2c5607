import type { Access } from '@lintel/security';
import type { WriteEnvironment, Writer } from './write-scope.ts';

/** The access that decides which parts of the model errors may name. */
export type ErrorAccess = Pick<Access, 'allows' | 'mayView' | 'mayModify'>;

const EVERYTHING: ErrorAccess = Object.freeze({ allows: () => true, mayView: () => true, mayModify: () => true });

/** The rights of who writes; the application itself has them all. */
export const errorAccessOf = (
  { accessOf }: Pick<WriteEnvironment, 'accessOf'>,
  { kind, resourceRoles, acr }: Writer,
): ErrorAccess =>
  kind === undefined || resourceRoles === undefined ? EVERYTHING : accessOf({ kind, resourceRoles, acr });

/** Whether errors may name the entity: the caller may read or write it. */
export const isKnownTo = (access: ErrorAccess, entity: string): boolean =>
  (['read', 'create', 'update'] as const).some((action) => access.allows(entity, action));
