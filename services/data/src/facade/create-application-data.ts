import type { ApplicationData } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { answeringAccess } from '../entities/read-dependencies.ts';
import { runWrite } from '../entities/write/execute/run-write.ts';
import { UNLIMITED_ACCESS } from '../entities/write/execute/unlimited-access.ts';
import type { WriteScope } from '../entities/write/execute/write-scope.ts';
import type { WriteDependencies } from '../entities/write/write-dependencies.ts';
import { createDataManager } from './create-data-manager.ts';
import { callerLimits, noLimits } from './write-limits.ts';

/**
 * What service methods and controllers read and write with: under the caller's access, each write in a
 * transaction of its own, unless they ask for something else.
 */
export const createApplicationData = (
  deps: WriteDependencies,
  principal: Principal,
  signal: AbortSignal,
): ApplicationData => dataAt(deps, principal, signal, undefined, false);

/**
 * @param scope the transaction; undefined outside
 * @param isFree without the limits of the caller
 */
function dataAt(
  deps: WriteDependencies,
  principal: Principal,
  signal: AbortSignal,
  scope: WriteScope | undefined,
  isFree: boolean,
): ApplicationData {
  const inScope = <T>(work: (within: WriteScope) => Promise<T>): Promise<T> =>
    scope === undefined ? runWrite(deps, principal, work, signal) : work(scope);
  const place = createDataManager({
    read: deps.read,
    access: isFree
      ? { ...UNLIMITED_ACCESS, locale: principal.locale ?? '' }
      : answeringAccess(deps.read.loadAccess(principal), deps.read),
    runner: scope?.transaction ?? deps.database,
    signal,
    write: (work) =>
      inScope((within) => work(within, isFree ? noLimits(within) : callerLimits(deps, within, principal))),
  });
  return {
    ...place,
    unconstrained: () => dataAt(deps, principal, signal, scope, true),
    inTransaction: (work) => inScope((within) => work(dataAt(deps, principal, signal, within, isFree))),
  };
}
