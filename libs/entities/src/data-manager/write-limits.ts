import type { Principal } from '@lintel/contracts';
import { isPlatformError } from '@lintel/errors';
import { assertAllowed } from '../write/authorize/assert-allowed.ts';
import { callerRights } from '../write/authorize/caller-rights.ts';
import { dropDenied } from '../write/authorize/drop-denied.ts';
import { loadDeleted, loadForChange } from '../write/authorize/load-for-change.ts';
import { assertMayUseBin, RELEASED_IN_BIN } from '../write/bin/assert-may-use-bin.ts';
import { isDeleted, loadRows, type StoredRow } from '../write/rows/rows.ts';
import { UNLIMITED, type WriteScope } from '../write/scope/write-scope.ts';
import { keyText } from '../write/values/value.ts';
import type { WriteDependencies } from '../write/write-dependencies.ts';
import type { WriteLimits } from './data-context.ts';

/** No limits: for listeners, and for writes that the application authorizes itself. */
export const noLimits = (scope: WriteScope, deleted?: 'with'): WriteLimits => ({
  rights: UNLIMITED,
  assertAllowed: () => {},
  allowedPart: (input) => input,
  async loadForChange(entity, key, lock) {
    const selection = { by: 'key', keys: [key] } as const;
    const options = { lock, liveOnly: deleted === undefined };
    const [stored] = await loadRows(scope.transaction, scope.writeModel, entity, selection, options);
    return stored !== undefined && deleted && !isDeleted(stored) ? undefined : stored;
  },
  inBin: () => noLimits(scope, 'with'),
});

/**
 * The limits of the caller's roles, the same as for a write request, except the security token: only bodies of the
 * entity API have one, and values that are hidden from the caller now are protected without it.
 */
export function callerLimits(
  deps: WriteDependencies,
  scope: WriteScope,
  principal: Principal,
  deleted?: 'with',
): WriteLimits {
  const access = deps.accessOf(principal);
  const rights = callerRights(deps, scope, principal, deleted);
  return {
    rights: { ...rights, ...(deleted ? RELEASED_IN_BIN : { assertToken: undefined }) },
    assertAllowed: (entity, action) => assertAllowed(access, entity, action),
    allowedPart: (input) => dropDenied(scope.writeModel, input, access),
    async loadForChange(entity, key, lock): Promise<StoredRow | undefined> {
      const named = [{ key, text: keyText(key) }];
      try {
        const [stored] = await (deleted
          ? loadDeleted(scope, entity, named, principal, deps)
          : loadForChange(scope, entity, named, principal, deps, lock));
        return stored;
      } catch (error) {
        if (isPlatformError(error) && error.code === 'DATA_INSTANCE_NOT_FOUND') return undefined;
        throw error;
      }
    },
    inBin(entity, action) {
      assertMayUseBin(scope.model, entity, access, action);
      return callerLimits(deps, scope, principal, 'with');
    },
  };
}
