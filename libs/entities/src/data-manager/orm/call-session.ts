import type { Principal } from '@lintel/contracts';
import type { OrmSession, OrmTransaction, Statement } from '@lintel/persistence';
import { runWrite } from '../../write/run/run-write.ts';
import type { WriteDependencies } from '../../write/run/write-dependencies.ts';
import type { WriteScope } from '../../write/scope/write-scope.ts';
import type { CallLifetime } from '../call-lifetime.ts';
import { forgetCachedResults } from './forget-cached-results.ts';
import { isGuarded } from './guarded-entities.ts';

const HAS_ENDED = 'The data source is of a call that has ended: dataSource() is valid during the call only';

/** What a rollback of TypeORM ends the transaction with. */
class RolledBack extends Error {}

/**
 * What data sources of a call reach outside of a transaction of `data`: a connection for each statement, or for each
 * transaction of TypeORM. Connections come from the fair queue, as those of any request.
 */
export function createCallSession(
  deps: WriteDependencies,
  principal: Principal,
  signal: AbortSignal,
  lifetime: CallLifetime,
): OrmSession {
  const { environment, database } = deps;
  const assertOpen = (): void => {
    if (lifetime.hasEnded) throw new Error(HAS_ENDED);
  };
  return {
    username: principal.username,
    now: () => new Date(environment.clock.now()).toISOString().slice(0, -1),
    newId: () => environment.ids.next(),
    isGuarded,
    assertOpen,
    async run(statement, kind) {
      if (kind === 'read') return database.query(statement, signal);
      const rows = await runWrite(deps, principal, ({ transaction }) => transaction.query(statement), signal);
      forgetCachedResults(deps);
      return rows;
    },
    begin: () => beginOwn(deps, principal, signal, lifetime),
  };
}

/** Begins a transaction that lasts until TypeORM, or the call, ends it. */
async function beginOwn(
  deps: WriteDependencies,
  principal: Principal,
  signal: AbortSignal,
  lifetime: CallLifetime,
): Promise<OrmTransaction> {
  const begun = Promise.withResolvers<WriteScope>();
  const ended = Promise.withResolvers<void>();
  // `commit` reports it; after a rollback it is what the caller wants.
  ended.promise.catch(() => {});
  // What ran in between cannot be run again by the platform.
  const once = { ...deps, retries: { attempts: 1, delayMs: 0 } };
  const outcome = runWrite(
    once,
    principal,
    (scope) => {
      begun.resolve(scope);
      return ended.promise;
    },
    signal,
  );
  outcome.catch((error) => begun.reject(error));
  const { transaction } = await begun.promise;
  const rollback = async (): Promise<void> => {
    ended.reject(new RolledBack());
    await outcome.catch(() => {});
  };
  lifetime.onEnd(() => void rollback());
  return {
    isOutermost: true,
    run: (statement: Statement) => transaction.query(statement),
    async commit() {
      ended.resolve();
      await outcome;
      forgetCachedResults(deps);
    },
    rollback,
  };
}
