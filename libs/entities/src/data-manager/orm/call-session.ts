import type { Principal } from '@lintel/contracts';
import type { OrmSession, OrmTransaction, Statement } from '@lintel/persistence';
import { runWrite } from '../../write/run/run-write.ts';
import type { WriteScope } from '../../write/scope/write-scope.ts';
import type { WriteDependencies } from '../../write/write-dependencies.ts';
import type { CallLifetime } from '../call-lifetime.ts';
import { forgetCachedResults } from './forget-cached-results.ts';
import { isGuarded } from './guarded-entities.ts';

const HAS_ENDED = 'The data source is of a call that has ended: dataSource() is valid during the call only';

/** Thrown to end the transaction when TypeORM rolls back. */
class RolledBack extends Error {}

/**
 * The session that data sources of a call use outside a transaction of `data`: one connection per statement, or per
 * TypeORM transaction. Connections are taken through the fair queue, as for any request.
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
      await forgetCachedResults(deps);
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
  // `commit` reports the rejection; after a rollback it is the expected result.
  ended.promise.catch(() => {});
  // No retries: the platform cannot repeat the application's calls inside the transaction.
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
      await forgetCachedResults(deps);
    },
    rollback,
  };
}
