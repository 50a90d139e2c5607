import type { FairQueue, OperationKind, Slot } from '@lintel/http';
import type { Database, Statement, StreamOptions, Transaction } from '@lintel/persistence';
import type { ReadDatabase } from '@lintel/reading';
import { currentShare, type Share } from './current-share.ts';
import { type FairStream, streamFairly } from './fair-stream.ts';
import type { StatementCosts } from './statement-costs.ts';

/**
 * A database whose connections are divided fairly among the callers of requests. A statement, a transaction or a
 * cursor acquires a slot of the queue before it acquires a connection, and no request keeps a slot without using a
 * connection: slow bodies, feeds of changes and calls of other servers occupy none. Statements during an open
 * transaction of the same request need no further slot, since the transaction would wait for itself. Statements of the
 * service itself never wait here.
 *
 * @param costs of the statements of this database
 */
export function fairDatabase(database: Database, queue: FairQueue, costs: StatementCosts): Database {
  return {
    ...fairReads(database, queue, costs),
    async transaction<T>(work: (transaction: Transaction) => Promise<T>, signal?: AbortSignal): Promise<T> {
      const share = currentShare();
      if (share === undefined || share.transactions > 0) return database.transaction(work, signal);
      const kind = share.isHeavy ? 'heavy' : 'ordinary';
      const slot = queue.tryTake(share.caller, kind) ?? (await queue.take(share.caller, kind, signal));
      share.transactions += 1;
      try {
        return await database.transaction(work, signal);
      } finally {
        share.transactions -= 1;
        slot.end();
      }
    },
    describe: (statement, signal) => database.describe(statement, signal),
    listen: (channel, wake) => database.listen(channel, wake),
    isReady: () => database.isReady(),
    assertReady: () => database.assertReady(),
    metrics: () => database.metrics(),
    close: () => database.close(),
  };
}

/** The same for reads. */
export function fairReads(database: ReadDatabase, queue: FairQueue, costs: StatementCosts): ReadDatabase {
  const run = <R extends object>(statement: Statement, signal: AbortSignal | undefined, slot: Slot) => {
    const startedMs = performance.now();
    // After an abort the connection becomes free later than the end of the request; the slot is released then.
    const free = endOnce(slot);
    const rows = database.query<R>({ ...statement, onFree: free }, signal);
    const end = (hasFailed: boolean): void => {
      if (hasFailed && signal?.aborted === true) endLater(free);
      else free();
      costs.note(costNameOf(statement), performance.now() - startedMs, hasFailed);
    };
    rows.then(
      () => end(false),
      () => end(true),
    );
    return rows;
  };
  const kindOf = (share: Share, statement: Statement): OperationKind =>
    share.isHeavy || statement.isHeavy === true ? 'heavy' : costs.kindOf(costNameOf(statement));
  return {
    query<R extends object>(statement: Statement, signal?: AbortSignal): Promise<readonly R[]> {
      const share = currentShare();
      if (share === undefined || share.transactions > 0) return database.query<R>(statement, signal);
      const operation = costNameOf(statement);
      const kind = kindOf(share, statement);
      const slot = queue.tryTake(share.caller, kind, operation);
      if (slot !== undefined) return run<R>(statement, signal, slot);
      return queue.take(share.caller, kind, signal, operation).then((taken) => run<R>(statement, signal, taken));
    },
    async *stream<R extends object>(statement: Statement, options: StreamOptions) {
      const share = currentShare();
      if (share === undefined || share.transactions > 0) {
        yield* database.stream<R>(statement, options);
        return;
      }
      // Without a name: the duration includes the time of the client, which is not a cost of the statement.
      const free = endOnce(await queue.take(share.caller, kindOf(share, statement), options.signal));
      const stream: FairStream = {
        costs,
        costName: costNameOf(statement),
        // The rows of a report are received at the speed at which its document is made.
        isWanted: () => !share.isHeavy && queue.waiting > 0,
      };
      try {
        const open = (note: (durationMs: number) => void) => {
          const onFetched = (durationMs: number): void => {
            note(durationMs);
            options.onFetched?.(durationMs);
          };
          return database.stream<R>(statement, { ...options, onFree: free, onFetched });
        };
        yield* streamFairly(open, stream);
      } finally {
        endLater(free);
      }
    },
  };
}

/** Maximum time for which a slot is kept if the database does not report that the connection is free. */
const MAX_KEPT_MS = 60_000;

function endOnce(slot: Slot): () => void {
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    slot.end();
  };
}

const endLater = (end: () => void): void => void setTimeout(end, MAX_KEPT_MS).unref();

const costNameOf = ({ costName, name, text }: Statement): string => costName ?? name ?? text;
