import {
  beginSpan,
  currentTrace,
  errorTypeOf,
  type Histogram,
  isTracing,
  type Metrics,
  NO_METRICS,
  sqlStateOf,
  type TraceContext,
} from '@lintel/telemetry';
import type { Statement } from '../database.ts';
import type { PoolLabels } from './pool-labels.ts';
import type { SlowQueryLog } from './slow-queries.ts';

export interface StatementWatchOptions {
  /** The pool and its database in metrics and spans. */
  readonly labels: PoolLabels;
  readonly metrics: Metrics | undefined;
  readonly slow: SlowQueryLog | undefined;
}

/** To be called when the statement has ended, with its error if it has failed. */
export type StatementEnded = (error?: unknown) => void;

/** Measures the statements of one pool: metrics, spans, and log entries of slow statements. */
export class StatementWatch {
  readonly #slow: SlowQueryLog | undefined;
  readonly #labels: PoolLabels;
  readonly #metrics: Metrics;
  readonly #succeeded = new Map<Operation, Histogram>();
  readonly #waits: Histogram;
  #slowCount = 0;

  constructor({ labels, metrics = NO_METRICS, slow }: StatementWatchOptions) {
    this.#labels = labels;
    this.#metrics = metrics;
    this.#slow = slow;
    const pool = labels['db.client.connection.pool.name'];
    this.#waits = metrics.histogram('db.client.connection.wait_time', { 'db.client.connection.pool.name': pool });
    metrics.observe('lintel.db.slow_statements', () => this.#slowCount, { pool });
  }

  /** Records a wait for a connection. */
  waited(durationMs: number): void {
    this.#waits.record(durationMs / 1_000);
  }

  /** @param statement the statement that is sent; its values are not recorded */
  begin(statement: Statement): StatementEnded {
    const startedAtMs = performance.now();
    const trace = this.#slow === undefined ? undefined : currentTrace();
    // Most statements are in no trace; for these the attributes of a span need not be computed.
    const endSpan = isTracing() ? this.#beginSpan(statement) : undefined;
    return (error) => {
      const durationMs = performance.now() - startedAtMs;
      this.#durationsOf(operationOf(statement.text), error).record(durationMs / 1_000);
      endSpan?.(error);
      if (this.#slow?.isSlow(durationMs)) this.#recordSlow(statement, durationMs, trace);
    };
  }

  #durationsOf(operation: Operation, error: unknown): Histogram {
    // Failures are rare: only the others are kept.
    if (error !== undefined) return this.#createDurations(operation, error);
    let histogram = this.#succeeded.get(operation);
    if (histogram === undefined) {
      histogram = this.#createDurations(operation, undefined);
      this.#succeeded.set(operation, histogram);
    }
    return histogram;
  }

  #createDurations(operation: Operation, error: unknown): Histogram {
    const sqlState = error === undefined ? undefined : sqlStateOf(error);
    return this.#metrics.histogram('db.client.operation.duration', {
      ...this.#labels,
      'db.operation.name': operation,
      'db.response.status_code': sqlState,
      'error.type': error === undefined ? undefined : (sqlState ?? errorTypeOf(error)),
    });
  }

  #beginSpan({ name, text }: Statement): ReturnType<typeof beginSpan> {
    const operation = operationOf(text);
    return beginSpan(name ?? operation, 'client', {
      ...this.#labels,
      'db.operation.name': operation,
      // The name of a statement of the platform groups all statements of its text.
      'db.query.summary': name ?? operation,
    });
  }

  #recordSlow(statement: Statement, durationMs: number, trace: TraceContext | undefined): void {
    this.#slowCount += 1;
    this.#slow?.record(statement, durationMs, trace);
  }
}

/** The values of `db.operation.name`; the application chooses the texts, so there is one name for all others. */
const OPERATIONS = ['SELECT', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'BEGIN', 'COMMIT', 'ROLLBACK'] as const;

type Operation = (typeof OPERATIONS)[number] | '_OTHER';

/** The operation of a statement: its first word, where it is one of the frequent ones. */
export function operationOf(text: string): Operation {
  // Nearly all statements begin with the word itself: comparing creates no text, this is called for each statement.
  for (const operation of OPERATIONS) if (text.startsWith(operation)) return operation;
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase();
  return OPERATIONS.find((operation) => operation === word) ?? '_OTHER';
}
