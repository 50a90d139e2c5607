import type { Logger, TraceContext } from '@lintel/telemetry';
import type { Statement } from '../database.ts';

/** What is to be told of slow statements; settings `svc.datasource.slow-query-…`. */
export interface SlowQueryOptions {
  /** Statements that take at least so long are told of; 0 for none. */
  readonly thresholdMs: number;
  /** Whether the plan of a slow statement is asked for. */
  readonly plan: boolean;
  /** At most one plan of a statement in this time. */
  readonly planIntervalMs: number;
}

export interface SlowQueryLogOptions extends SlowQueryOptions {
  readonly pool: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** The plan of a statement, whatever its values. */
  readonly explain: (statement: Statement) => Promise<string>;
  readonly nowMs: () => number;
}

/** Longer texts are of data sets and of deep fetch plans; their beginning tells which. */
const LONGEST_TEXT = 2_000;
/** Statements whose last plan is remembered. */
const MOST_STATEMENTS = 1_000;

/**
 * Tells of slow statements: name, text with places instead of values, duration, trace; now and then the plan.
 * Values are never told, nor do plans hold any.
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

  /** @param trace of whoever wanted the statement; answers of the database arrive outside of any */
  tell(statement: Statement, durationMs: number, trace: TraceContext | undefined): void {
    const { logger, pool } = this.#options;
    const about = {
      pool,
      statement: statement.name ?? null,
      text: statement.text.slice(0, LONGEST_TEXT),
      // The one in progress is of whoever made the connection.
      traceId: trace?.traceId,
    };
    logger.warn({ ...about, durationMs: Math.round(durationMs) }, 'slow statement');
    if (this.#mayExplain(statement)) void this.#explain(statement, about);
  }

  #mayExplain({ name, text }: Statement): boolean {
    const { plan, planIntervalMs, nowMs } = this.#options;
    if (!plan || !/^\s*(select|with|insert|update|delete|merge|values)\b/i.test(text)) return false;
    const key = name ?? text;
    const last = this.#explainedAtMs.get(key);
    if (last !== undefined && nowMs() - last < planIntervalMs) return false;
    this.#explainedAtMs.delete(key);
    this.#explainedAtMs.set(key, nowMs());
    const [oldest] = this.#explainedAtMs.keys();
    if (this.#explainedAtMs.size > MOST_STATEMENTS && oldest !== undefined) this.#explainedAtMs.delete(oldest);
    return true;
  }

  async #explain(statement: Statement, about: object): Promise<void> {
    const { logger, explain } = this.#options;
    try {
      logger.warn({ ...about, plan: await explain(statement) }, 'plan of a slow statement');
    } catch (error) {
      logger.warn({ ...about, error }, 'the plan of a slow statement could not be found out');
    }
  }
}
