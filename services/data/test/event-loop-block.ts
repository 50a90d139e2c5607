const INTERVAL_MS = 1;

/**
 * Runs work and measures the longest time for which it blocked the event loop: CPU time, which does not depend on the
 * load of the machine.
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
