/** Work that is repeated until it is stopped. */
export interface PeriodicTask {
  /** Runs the work now, and then at the interval. It does not keep the process running. */
  start(): void;
  /** Ends the repetition; resolves when a run in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats work, one run at a time: while a run takes longer than the interval, no other begins. After a run that fails
 * `onFailure` is called, and the work is repeated as before.
 */
export function createPeriodicTask(
  work: () => Promise<unknown>,
  intervalMs: number,
  onFailure: (error: unknown) => void,
): PeriodicTask {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  const run = (): void => {
    running ??= work()
      .catch(onFailure)
      .finally(() => {
        running = undefined;
      });
  };
  return {
    start() {
      timer = setInterval(run, intervalMs).unref();
      run();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
