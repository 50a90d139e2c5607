import type { ApplicationData } from '@lintel/application';
import type { Principal } from '@lintel/contracts';
import { type OrmSession, openDataSource, type Transaction } from '@lintel/persistence';
import { responseAccess, UNLIMITED_ACCESS } from '@lintel/reading';
import { assertMayUseBin } from '../write/bin/assert-may-use-bin.ts';
import { withIdempotency } from '../write/idempotency/with-idempotency.ts';
import { runWrite } from '../write/run/run-write.ts';
import type { WriteScope } from '../write/scope/write-scope.ts';
import type { WriteDependencies } from '../write/write-dependencies.ts';
import type { CallLifetime } from './call-lifetime.ts';
import { createDataManager } from './create-data-manager.ts';
import { assertUnrestricted } from './orm/assert-unrestricted.ts';
import { createCallSession } from './orm/call-session.ts';
import { inOrmTransaction } from './orm/in-orm-transaction.ts';
import { callerLimits, noLimits } from './write-limits.ts';

/** The call that reads and writes. */
export interface Call {
  readonly deps: WriteDependencies;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly lifetime: CallLifetime;
}

/** A transaction, and the session that TypeORM data sources use inside it. */
interface OpenTransaction {
  readonly scope: WriteScope;
  readonly session: OrmSession;
}

/**
 * The data API of service methods and controllers. By default it applies the caller's access and runs each write in a
 * transaction of its own.
 *
 * @param lifetime how long data sources of TypeORM may be used
 */
export const createApplicationData = (
  deps: WriteDependencies,
  principal: Principal,
  signal: AbortSignal,
  lifetime: CallLifetime,
): ApplicationData => dataAt({ deps, principal, signal, lifetime }, undefined, false);

/**
 * Runs application code in a transaction that is rolled back (contract/services.md#rehearsal).
 *
 * @param work returns the body of the response, as JSON; empty for none
 * @returns the body of the rehearsal
 */
export async function rehearseCall(call: Call, work: (data: ApplicationData) => Promise<string>): Promise<string> {
  const { deps, principal, signal } = call;
  const rehearsed = { isRehearsal: true, unknownMembers: 'ignore', idempotentCall: undefined } as const;
  const response = await withIdempotency(rehearsed, principal, deps, signal, async (own) => {
    const inScope = <T>(inner: (scope: WriteScope) => Promise<T>): Promise<T> => inner(own);
    const inSession = (scope: WriteScope, session: OrmSession) => work(dataAt(call, { scope, session }, false));
    const body = await inOrmTransaction(deps, inScope, inSession);
    return { isPlain: true, result: Promise.resolve({ status: 200, headers: {}, body }) };
  });
  return response.body;
}

/**
 * Runs application code and statements of the platform in one transaction, which may run several times.
 *
 * @param work gets the data of the caller, and the transaction
 */
export const callInTransaction = <T>(
  call: Call,
  work: (data: ApplicationData, transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inOrmTransaction(
    call.deps,
    (inner: (scope: WriteScope) => Promise<T>) => runWrite(call.deps, call.principal, inner, call.signal),
    (scope, session) => work(dataAt(call, { scope, session }, false), scope.transaction),
  );

/**
 * @param transaction undefined outside
 * @param isFree without the limits of the caller
 */
function dataAt(call: Call, transaction: OpenTransaction | undefined, isFree: boolean): ApplicationData {
  const { deps, principal, signal, lifetime } = call;
  const inScope = <T>(work: (within: WriteScope) => Promise<T>): Promise<T> =>
    transaction === undefined ? runWrite(deps, principal, work, signal) : work(transaction.scope);
  const manager = createDataManager({
    read: deps.read,
    access: isFree
      ? { ...UNLIMITED_ACCESS, locale: principal.locale ?? '', reader: deps.read.loadAccess(principal).reader }
      : responseAccess(deps.read.loadAccess(principal), deps.read),
    runner: transaction?.scope.transaction ?? deps.database,
    signal,
    assertMayReadBin(entity) {
      if (!isFree) assertMayUseBin(deps.environment.model, entity, deps.accessOf(principal), 'read');
    },
    write: (work) =>
      inScope((within) => work(within, isFree ? noLimits(within) : callerLimits(deps, within, principal))),
  });
  return {
    ...manager,
    unconstrained: () => dataAt(call, transaction, true),
    inTransaction: (work) =>
      transaction === undefined
        ? inOrmTransaction(deps, inScope, (scope, session) => work(dataAt(call, { scope, session }, isFree)))
        : work(dataAt(call, transaction, isFree)),
    async dataSource<D>(): Promise<D> {
      const { model } = deps.environment;
      if (!isFree) assertUnrestricted(model, deps.accessOf, principal);
      const session = transaction?.session ?? createCallSession(deps, principal, signal, lifetime);
      return (await openDataSource(model, session)) as D;
    },
  };
}
