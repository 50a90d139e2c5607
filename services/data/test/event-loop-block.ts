const INTERVAL_MS = 1;

/**
 * Runs work and finds the longest time for which the event loop did nothing else: time of the processor, which does
 * not depend on what else the machine does.
 */
export async function eventLoopBlock<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly blockMs: number }> {
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = usedMs();
  let blockMs = 0;
  const note = (): void => {
    const now = usedMs();
    blockMs = Math.max(blockMs, now - before);
    before = now;
  };
  const timer = setInterval(note, INTERVAL_MS);
  try {
    const result = await work();
    note();
    return { result, blockMs };
  } finally {
    clearInterval(timer);
  }
}
