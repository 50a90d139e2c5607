import type { SlowStatement } from '@lintel/contracts';

/** Statements of which the last slow execution is longest ago are forgotten first. */
const MAX_STATEMENTS = 100;

/** The slow statements of the pools of one process, without values. */
export class SlowStatements {
  readonly #statements = new Map<string, SlowStatement>();

  /** Counts an execution; its text and plan have no values. */
  record(execution: Pick<SlowStatement, 'pool' | 'statement' | 'text' | 'lastAt' | 'lastMs' | 'traceId'>): void {
    const key = keyOf(execution);
    const before = this.#statements.get(key);
    this.#statements.delete(key);
    this.#statements.set(key, {
      ...execution,
      count: (before?.count ?? 0) + 1,
      maxMs: Math.max(before?.maxMs ?? 0, execution.lastMs),
      plan: before?.plan ?? null,
    });
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
  }

  /** Adds the generic plan of a statement that was recorded. */
  explain(statement: Pick<SlowStatement, 'pool' | 'statement' | 'text'>, plan: string): void {
    const key = keyOf(statement);
    const found = this.#statements.get(key);
    if (found !== undefined) this.#statements.set(key, { ...found, plan });
  }

  /** The most recent first. */
  list(): readonly SlowStatement[] {
    return [...this.#statements.values()].reverse();
  }
}

const keyOf = ({ pool, statement, text }: Pick<SlowStatement, 'pool' | 'statement' | 'text'>): string =>
  `${pool} ${statement ?? text}`;

/** Those of this process: the logs of all its pools record here. */
export const PROCESS_SLOW_STATEMENTS = new SlowStatements();

/** The slow statements of this process, the most recent first. */
export const slowStatements = (): readonly SlowStatement[] => PROCESS_SLOW_STATEMENTS.list();
