import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';
import type { Callers } from './check-writes.ts';

/** One caller for each kind of row-level rule, one with all of them, and one with none. */
export const RULED_CALLERS: Callers = {
  admin: [],
  modest: ['no-secrets'],
  coded: ['no-secret-topics'],
  narrow: ['narrow'],
  careful: ['careful'],
  bound: ['bound'],
  strict: ['no-secrets', 'no-secret-topics', 'narrow', 'careful', 'bound'],
};

/** The library, for callers with every right and the row-level roles that are given. */
export const startLibrary = (callers: Callers): Promise<DataFixture> =>
  startData(
    library,
    Object.fromEntries(
      Object.entries(callers).map(([name, rowLevelRoles]) => [
        name,
        { resourceRoles: ['system-full-access'], rowLevelRoles },
      ]),
    ),
    { 'svc.rest.optimistic-locking-enabled': 'true' },
  );
