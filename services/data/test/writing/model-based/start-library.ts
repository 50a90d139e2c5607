import { type DataFixture, startData } from '../../data-fixture.ts';
import { library } from '../library-application.ts';
import type { Callers } from './check-writes.ts';

/** A caller for each kind of row-level rule, one with all of them, and one without rules. */
export const RULED_CALLERS: Callers = {
  admin: [],
  modest: ['no-secrets'],
  coded: ['no-secret-topics'],
  narrow: ['narrow'],
  careful: ['careful'],
  bound: ['bound'],
  strict: ['no-secrets', 'no-secret-topics', 'narrow', 'careful', 'bound'],
};

/** Starts the library for callers with full access and the given row-level roles. */
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
