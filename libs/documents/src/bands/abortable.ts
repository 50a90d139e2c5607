/**
 * Yields the values of a source until the signal aborts, then throws its reason, even while the source waits:
 * application code does not have to check the signal.
 */
export async function* abortable<T>(source: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  // One promise per value: `Promise.race` against a single promise would keep every value in memory.
  let rejectNext: ((reason: unknown) => void) | undefined;
  const abort = (): void => rejectNext?.(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectNext = reject;
        source.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: where the source hangs, its end would hang as well.
    source.return(undefined).catch(() => undefined);
  }
}
