import { RunDeadlineError } from '../run-error.ts';

/** The time limit of a run. */
export interface RunDeadline {
  /** Aborts with a `RunDeadlineError` after the limit. */
  readonly signal: AbortSignal;
  /** Ends the time limit; further calls have no effect. */
  clear(): void;
}

export function startDeadline(limitMs: number): RunDeadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new RunDeadlineError(limitMs)), limitMs);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
