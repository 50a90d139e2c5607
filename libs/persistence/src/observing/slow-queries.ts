import type { Logger, TraceContext } from '@lintel/telemetry';
import type { Statement } from '../database.ts';
import { PROCESS_SLOW_STATEMENTS } from './slow-statements.ts';

/** Settings `svc.datasource.slow-query-…`. */
export interface SlowQueryOptions {
  /** Minimum duration of statements that are logged; 0 for none. */
  readonly thresholdMs: number;
  /** Whether plans of slow statements are logged. */
  readonly plan: boolean;
  /** At most one plan of a statement in this time; by default ten minutes, since a plan seldom changes. */
  readonly planIntervalMs?: number;
}

export interface SlowQueryLogOptions extends SlowQueryOptions {
  readonly pool: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the generic plan of a statement. */
  readonly explain: (statement: Statement) => Promise<string>;
  readonly nowMs: () => number;
}

/** Longer texts are of data sets and of deep fetch plans, which their beginning identifies. */
const MAX_TEXT_LENGTH = 2_000;
/** Number of statements whose last plan is remembered. */
const MAX_REMEMBERED_STATEMENTS = 1_000;

/**
 * Logs slow statements: name, text with `$1` instead of values, duration, trace, and from time to time the plan.
 * Neither texts nor plans contain values.
 */
export class SlowQueryLog {
  readonly #options: SlowQueryLogOptions;
  readonly #explainedAtMs = new Map<string, number>();

  constructor(options: SlowQueryLogOptions) {
    this.#options = options;
  }

  isSlow(durationMs: number): boolean {
    return this.#options.thresholdMs > 0 && durationMs >= this.#options.thresholdMs;
  }

  /** @param trace of the caller of the statement; results of the database arrive outside of any trace */
  record(statement: Statement, durationMs: number, trace: TraceContext | undefined): void {
    const { logger, pool } = this.#options;
    const about = {
      pool,
      statement: statement.name ?? null,
      text: statement.text.slice(0, MAX_TEXT_LENGTH),
      // The current trace is that of the request for which the connection was opened.
      traceId: trace?.traceId,
    };
    logger.warn({ ...about, durationMs: Math.round(durationMs) }, 'slow statement');
    PROCESS_SLOW_STATEMENTS.record({
      pool: about.pool,
      statement: about.statement,
      text: about.text,
      lastAt: new Date().toISOString(),
      lastMs: Math.round(durationMs),
      traceId: about.traceId ?? null,
    });
    if (this.#mayExplain(statement)) void this.#explain(statement, about);
  }

  #mayExplain({ name, text }: Statement): boolean {
    const { plan, planIntervalMs = 600_000, nowMs } = this.#options;
    if (!plan || !/^\s*(select|with|insert|update|delete|merge|values)\b/i.test(text)) return false;
    const key = name ?? text;
    const last = this.#explainedAtMs.get(key);
    if (last !== undefined && nowMs() - last < planIntervalMs) return false;
    this.#explainedAtMs.delete(key);
    this.#explainedAtMs.set(key, nowMs());
    const [oldest] = this.#explainedAtMs.keys();
    if (this.#explainedAtMs.size > MAX_REMEMBERED_STATEMENTS && oldest !== undefined)
      this.#explainedAtMs.delete(oldest);
    return true;
  }

  async #explain(
    statement: Statement,
    about: { readonly pool: string; readonly statement: string | null; readonly text: string },
  ): Promise<void> {
    const { logger, explain } = this.#options;
    try {
      const plan = await explain(statement);
      logger.warn({ ...about, plan }, 'plan of a slow statement');
      PROCESS_SLOW_STATEMENTS.explain(about, plan);
    } catch (error) {
      logger.warn({ ...about, error }, 'the plan of a slow statement could not be determined');
    }
  }
}
