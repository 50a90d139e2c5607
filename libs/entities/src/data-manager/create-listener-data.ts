import type { DataManager } from '@lintel/application';
import type { ReadDependencies } from '@lintel/reading';
import { UNLIMITED_ACCESS } from '@lintel/reading';
import type { WriteScope } from '../write/scope/write-scope.ts';
import { createDataManager } from './create-data-manager.ts';
import { noLimits } from './write-limits.ts';

/** The data API of listeners: it works inside the transaction of the change, without the caller's limits. */
export const createListenerData =
  (read: ReadDependencies) =>
  (scope: WriteScope): DataManager =>
    createDataManager({
      // The model of the transaction: with the dynamic attributes that it writes.
      read: { ...read, currentModel: () => scope.model },
      access: UNLIMITED_ACCESS,
      runner: scope.transaction,
      signal: undefined,
      assertMayReadBin: () => {},
      write: (work) => work(scope, noLimits(scope)),
    });
