import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { assertAllowed } from '../write/authorize/assert-allowed.ts';
import { callerRights } from '../write/authorize/caller-rights.ts';
import { dropDenied } from '../write/authorize/drop-denied.ts';
import { loadForChange } from '../write/authorize/load-for-change.ts';
import { loadRows, type StoredRow } from '../write/rows/rows.ts';
import { UNLIMITED, type WriteScope } from '../write/scope/write-scope.ts';
import { keyText } from '../write/values/value.ts';
import type { WriteDependencies } from '../write/write-dependencies.ts';
import type { WriteLimits } from './data-context.ts';

/** No limits: for listeners, and for writes that the application authorizes itself. */
export const noLimits = (scope: WriteScope): WriteLimits => ({
  rights: UNLIMITED,
  assertAllowed: () => {},
  allowedPart: (input) => input,
  async loadForChange(entity, key, lock) {
    const selection = { by: 'key', keys: [key] } as const;
    const [stored] = await loadRows(scope.transaction, scope.writeModel, entity, selection, { lock, liveOnly: true });
    return stored;
  },
});

/**
 * The limits of the caller's roles, the same as for a write request, except the security token: only bodies of the
 * entity API have one, and values that are hidden from the caller now are protected without it.
 */
export function callerLimits(deps: WriteDependencies, scope: WriteScope, principal: Principal): WriteLimits {
  const access = deps.accessOf(principal);
  return {
    rights: { ...callerRights(deps, scope, principal), assertToken: undefined },
    assertAllowed: (entity, action) => assertAllowed(access, entity, action),
    allowedPart: (input) => dropDenied(scope.writeModel, input, access),
    async loadForChange(entity, key, lock): Promise<StoredRow | undefined> {
      try {
        const [stored] = await loadForChange(scope, entity, [{ key, text: keyText(key) }], principal, deps, lock);
        return stored;
      } catch (error) {
        if (isPlatformError(error) && error.code === 'DATA_INSTANCE_NOT_FOUND') return undefined;
        throw error;
      }
    },
  };
}
