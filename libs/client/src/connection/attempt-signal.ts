import { TimeoutError } from '../errors/lintel-error.ts';
import type { AbortSignalLike } from './platform.ts';

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

/** Starts the time of an attempt. */
export function attemptSignal(caller: AbortSignalLike | undefined, timeoutMs: number): AttemptSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted === true) abort();
  caller?.addEventListener('abort', abort);
  const startTimer = () => setTimeout(() => controller.abort(new TimeoutError(timeoutMs)), timeoutMs);
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
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort);
  });
}
