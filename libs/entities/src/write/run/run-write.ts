import { setTimeout as sleep } from 'node:timers/promises';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import {
  isCollision,
  isIntegrityViolation,
  isPoolExhausted,
  type LogPosition,
  type Transaction,
} from '@lintel/persistence';
import type { ReadYourWrites } from '@lintel/reading';
import { publishChanges } from '../changes/publish-changes.ts';
import { afterCommit } from '../listeners/after-commit.ts';
import { assertReason } from '../scope/announce-writer.ts';
import type { ChangeRecord } from '../scope/change-log.ts';
import { errorAccessOf } from '../scope/error-access.ts';
import { createLocalize } from '../scope/localize.ts';
import type { Writer, WriteScope } from '../scope/write-scope.ts';
import type { WriteDependencies } from '../write-dependencies.ts';
import { openScope } from './open-scope.ts';
import { isRefusal } from './translate-violation.ts';

/** How often, and after which delay, a write that collided with another one is run again. */
export interface RetryPolicy {
  /** Runs of one write at most, the first one included. */
  readonly attempts: number;
  /** Longest wait before the second run; each further wait may be twice as long. The real one is random. */
  readonly delayMs: number;
}

type RunDependencies = Pick<
  WriteDependencies,
  | 'database'
  | 'environment'
  | 'read'
  | 'translateViolation'
  | 'retries'
  | 'logger'
  | 'onCommitted'
  | 'readYourWrites'
  | 'runLater'
>;

/** How a write runs. */
export interface WriteOptions {
  /** Whether the first run may be pipelined (`WriteScope.isPipelined`); never with application code in `work`. */
  readonly isPipelined?: boolean;
  /** The version of the model that the request was parsed with; the current one without it. */
  readonly model?: Model;
}

const RETRY_AFTER_SECONDS = '1';

/**
 * Runs `work` and appends its events to the outbox, in one transaction. Errors of the database are translated into terms
 * of the model. After a deadlock or a serialization failure everything is run again in a new transaction, listeners
 * included.
 *
 * @throws PlatformError DATA_UNAVAILABLE with `Retry-After` if the last run collided as well
 */
export async function runWrite<T>(
  deps: RunDependencies,
  writer: Writer,
  work: (scope: WriteScope) => Promise<T>,
  signal?: AbortSignal,
  { isPipelined = false, model }: WriteOptions = {},
): Promise<T> {
  let attempt = 1;
  // A pipelined statement that fails ends its transaction.
  let isPipelinedNow = isPipelined && deps.runLater === undefined;
  for (;;) {
    try {
      const { result, changes, jobs, log } = await runOnce(deps, writer, work, signal, isPipelinedNow, model);
      const settle = async (used: RunDependencies): Promise<void> => {
        for (const name of jobs) used.environment.jobs?.wake(name);
        const settling = used.onCommitted?.(changes.map(({ entity }) => entity.name));
        if (settling !== undefined) await settling;
        // A transaction that did nothing was not committed either, and has no log position.
        if (log !== undefined && (log.position !== undefined || changes.length > 0))
          await used.readYourWrites?.committed(writer, log.position);
        await afterCommit(used, writer, changes, (own) => runWrite(used, writer, own));
      };
      if (deps.runLater === undefined) await settle(deps);
      else deps.runLater(settle);
      return result;
    } catch (error) {
      if (isPipelinedNow && isIntegrityViolation(error)) {
        isPipelinedNow = false;
        continue;
      }
      const isLast = !isCollision(error) || attempt >= deps.retries.attempts;
      if (isLast && deps.readYourWrites !== undefined && signal?.aborted !== true)
        await recordFailure(deps.readYourWrites, writer, error);
      if (!isCollision(error)) {
        if (isRefusal(error)) deps.logger.error({ error: error.cause }, 'the database refused a write');
        const access = errorAccessOf(deps.environment, writer);
        throw await deps.translateViolation(error, createLocalize(deps.environment, writer), access);
      }
      if (isLast) throw collided(error);
      await sleep(Math.random() * deps.retries.delayMs * 2 ** (attempt - 1), undefined, signal && { signal });
      attempt += 1;
    }
  }
}

/** The next reads of the session must see the rows that made its write fail: a replica may not have them yet. */
async function recordFailure(positions: ReadYourWrites, writer: Writer, error: unknown): Promise<void> {
  // The write was never sent, and the reads of the session must not go to a primary that has no free connection.
  if (isPoolExhausted(error)) return;
  const isUnavailable = isPlatformError(error) && error.code === 'DATA_UNAVAILABLE';
  if (isUnavailable && !isCollision(error)) await positions.uncertain(writer);
  else await positions.refused(writer);
}

/** The position of the database log after a commit, as soon as it is known. */
interface CommitLog {
  position: LogPosition | undefined;
}

function recordLogPosition(transaction: Transaction): CommitLog {
  const log: CommitLog = { position: undefined };
  transaction.onCommitPosition((position) => {
    log.position = position;
  });
  return log;
}

interface Committed<T> {
  readonly result: T;
  readonly changes: readonly ChangeRecord[];
  readonly jobs: ReadonlySet<string>;
  /** Absent without replicas. */
  readonly log: CommitLog | undefined;
}

async function runOnce<T>(
  { database, environment, read, readYourWrites }: RunDependencies,
  writer: Writer,
  work: (scope: WriteScope) => Promise<T>,
  signal: AbortSignal | undefined,
  isPipelined: boolean,
  modelOfRequest: Model | undefined,
): Promise<Committed<T>> {
  // Before the transaction: it may need a connection of its own.
  const model = modelOfRequest ?? (await read.modelWithDynamicAttributes());
  return database.transaction(async (transaction: Transaction) => {
    const log = readYourWrites === undefined ? undefined : recordLogPosition(transaction);
    const scope = openScope({ ...environment, model }, transaction, writer, isPipelined);
    const result = await work(scope);
    if (writer.kind !== undefined) assertReason(model, scope.changes.all());
    await publishChanges(scope);
    return { result, changes: scope.changes.all(), jobs: scope.changes.queuedJobs, log };
  }, signal);
}

const collided = (cause: unknown): PlatformError =>
  new PlatformError('DATA_UNAVAILABLE', 'The change collided with concurrent ones; send it again', {
    cause,
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
