import {
  beginSpan,
  currentTrace,
  type Histogram,
  isTracing,
  type Metrics,
  NO_METRICS,
  type TraceContext,
} from '@lintel/telemetry';
import type { Statement } from '../database.ts';
import type { SlowQueryLog } from './slow-queries.ts';

export interface StatementWatchOptions {
  /** Name of the pool in metrics. */
  readonly pool: string;
  readonly metrics: Metrics | undefined;
  readonly slow: SlowQueryLog | undefined;
}

/** To be called when the statement has ended, with its error if it has failed. */
export type StatementEnded = (error?: unknown) => void;

/** Measures the statements of one pool: metrics, spans, and log entries of slow statements. */
export class StatementWatch {
  readonly #slow: SlowQueryLog | undefined;
  readonly #pool: string;
  readonly #succeeded: Histogram;
  readonly #failed: Histogram;
  readonly #waits: Histogram;
  #slowCount = 0;

  constructor({ pool, metrics = NO_METRICS, slow }: StatementWatchOptions) {
    this.#pool = pool;
    this.#slow = slow;
    this.#succeeded = metrics.histogram('db.client.operation.duration', { pool, outcome: 'ok' });
    this.#failed = metrics.histogram('db.client.operation.duration', { pool, outcome: 'error' });
    this.#waits = metrics.histogram('db.client.connection.wait_time', { pool });
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
      (error === undefined ? this.#succeeded : this.#failed).record(durationMs / 1_000);
      endSpan?.(error);
      if (this.#slow?.isSlow(durationMs)) this.#recordSlow(statement, durationMs, trace);
    };
  }

  #beginSpan({ name, text }: Statement): ReturnType<typeof beginSpan> {
    const verb = verbOf(text);
    return beginSpan(name ?? verb, 'client', {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      'lintel.db.pool': this.#pool,
    });
  }

  #recordSlow(statement: Statement, durationMs: number, trace: TraceContext | undefined): void {
    this.#slowCount += 1;
    this.#slow?.record(statement, durationMs, trace);
  }
}

/** `SELECT`, `INSERT`, …; statements of the platform begin with it. */
const verbOf = (text: string): string => /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
