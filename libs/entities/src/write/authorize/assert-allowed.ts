import { type ErrorCode, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import { type Access, assertStrongLogin } from '@lintel/security';

const WORDS = {
  create: ['ACCESS_CREATE_DENIED', 'Creation'],
  update: ['ACCESS_UPDATE_DENIED', 'Updating'],
  delete: ['ACCESS_DELETE_DENIED', 'Deletion'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

/**
 * Refuses to write an entity that is read-only for everybody (contract/writing.md#rights).
 *
 * @throws PlatformError REQ_METHOD_NOT_ALLOWED
 */
export function assertWritable(entity: Pick<Entity, 'name' | 'readOnly'>): void {
  if (entity.readOnly !== true) return;
  throw new PlatformError('REQ_METHOD_NOT_ALLOWED', `${entity.name} is read-only`, {
    headers: { Allow: 'GET, HEAD, OPTIONS' },
  });
}

/**
 * 405 for an entity that is read-only, 403 in the words of contract/writing.md#rights, 401 if a stronger login of the
 * caller has the right.
 */
export function assertAllowed(
  access: Pick<Access, 'allows' | 'afterLogin'>,
  entity: Entity,
  action: keyof typeof WORDS,
): void {
  assertWritable(entity);
  if (access.allows(entity.name, action)) return;
  assertStrongLogin(access, (stronger) => stronger.allows(entity.name, action));
  const [code, word] = WORDS[action];
  throw new PlatformError(code, `${word} of the ${entity.name} is forbidden`);
}
