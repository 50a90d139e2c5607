import type { OperationKind } from '@lintel/http';

/** From this mean duration on, a statement is heavy. */
export const HEAVY_MS = 250;
/** Only statements that have taken longer are remembered at all. */
const NOTED_MS = 50;
/** Weight of the latest execution in the moving average. */
const WEIGHT = 0.3;
const MAX_STATEMENTS = 2_000;
/** Maximum of remembered statements; each needs a short name. */
const MAX_TRIED = 10_000;

/** The durations of statements by the names of their shapes. */
export class StatementCosts {
  /** Statements that have succeeded at least once. */
  readonly #tried = new Set<string>();
  readonly #meanMs = new Map<string, number>();

  kindOf(statement: string): OperationKind {
    if (this.#meanMs.size > 0 && (this.#meanMs.get(statement) ?? 0) >= HEAVY_MS) return 'heavy';
    return this.#tried.has(statement) ? 'ordinary' : 'untried';
  }

  /** Called for a running statement that has become heavy. A formerly quick one counts as heavy only if this repeats. */
  noteSlow(statement: string): void {
    if (this.kindOf(statement) !== 'heavy') this.#remember(statement, this.#meanWith(statement, HEAVY_MS));
  }

  /** @param hasFailed the duration is then ignored: the client may have cancelled the statement early */
  note(statement: string, durationMs: number, hasFailed = false): void {
    const isKnown = this.#meanMs.has(statement);
    if (durationMs >= NOTED_MS || isKnown) this.#remember(statement, this.#meanWith(statement, durationMs));
    if (!hasFailed) this.#noteTried(statement);
  }

  #meanWith(statement: string, durationMs: number): number {
    const meanMs = this.#meanMs.get(statement) ?? (this.#tried.has(statement) ? 0 : durationMs);
    return meanMs + WEIGHT * (durationMs - meanMs);
  }

  #noteTried(statement: string): void {
    if (this.#tried.has(statement)) return;
    this.#tried.add(statement);
    if (this.#tried.size > MAX_TRIED) deleteFirst(this.#tried);
  }

  #remember(statement: string, meanMs: number): void {
    this.#meanMs.delete(statement);
    if (meanMs >= NOTED_MS) this.#meanMs.set(statement, meanMs);
    // The least recently executed one.
    if (this.#meanMs.size > MAX_STATEMENTS) deleteFirst(this.#meanMs);
  }
}

function deleteFirst(members: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const { value, done } = members.keys().next();
  if (done !== true) members.delete(value);
}
