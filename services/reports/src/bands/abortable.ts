/**
 * Passes values on until the signal aborts, then throws its reason, even while the source is still waiting:
 * application code need not look at the signal.
 */
export async function* abortable<T>(source: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  // One promise per value: racing all of them against a single one would keep a record of each.
  let refuse: ((reason: unknown) => void) | undefined;
  const abort = (): void => refuse?.(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        refuse = reject;
        source.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: a source that hangs would hang its end as well.
    source.return(undefined).catch(() => undefined);
  }
}
