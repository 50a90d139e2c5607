import { TimeoutError } from '../errors/lintel-error.ts';
import type { AbortSignalLike } from '../platform.ts';

/** The signal of one attempt: it ends with the caller's signal, or when the time is over. */
export interface AttemptSignal {
  readonly signal: AbortSignalLike;
  /** The time begins again. */
  restartTimer(): void;
  /** The response is here: from now on only the caller ends the request. */
  stopTimer(): void;
  /** Nothing of the response is read any more. */
  release(): void;
}

/** The longest time of a timer: with a longer one it ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts the time of an attempt; a time that is longer than 24 days has no end. */
export function attemptSignal(caller: AbortSignalLike | undefined, timeoutMs: number): AttemptSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) abort();
  caller?.addEventListener('abort', abort);
  const startTimer = () =>
    timeoutMs > MAX_TIMER_MS ? undefined : setTimeout(() => controller.abort(new TimeoutError(timeoutMs)), timeoutMs);
  let timer = startTimer();
  const stopTimer = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    restartTimer: () => {
      stopTimer();
      timer = startTimer();
    },
    stopTimer,
    release: () => {
      stopTimer();
      caller?.removeEventListener('abort', abort);
    },
  };
}

/** Waits; rejects with the reason of the signal when it ends. */
export function wait(ms: number, signal: AbortSignalLike | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort);
  });
}

/** Waits for a result; rejects with the reason of the signal when it ends earlier. */
export function unlessAborted<T>(result: T | Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort);
    Promise.resolve(result)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort));
  });
}
