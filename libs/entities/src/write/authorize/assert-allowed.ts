import { type ErrorCode, PlatformError } from '@lintel/errors';
import type { Entity } from '@lintel/metadata';
import type { Access } from '@lintel/security';

const WORDS = {
  create: ['ACCESS_CREATE_DENIED', 'Creation'],
  update: ['ACCESS_UPDATE_DENIED', 'Updating'],
  delete: ['ACCESS_DELETE_DENIED', 'Deletion'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

/** 403 in the words of contract/writing.md#rights. */
export function assertAllowed(access: Pick<Access, 'allows'>, entity: Entity, action: keyof typeof WORDS): void {
  if (access.allows(entity.name, action)) return;
  const [code, word] = WORDS[action];
  throw new PlatformError(code, `${word} of the ${entity.name} is forbidden`);
}
