/** Lets a limited number of tasks run at the same time; the others wait their turn. */
export interface LimitedPool {
  /**
   * Runs a task in a free place (a number from 0), waiting for one first.
   *
   * @param onBusy makes the error of a wait that takes too long
   * @throws the signal's reason when it aborts meanwhile
   */
  run<T>(task: (place: number) => Promise<T>, signal: AbortSignal, onBusy: () => Error): Promise<T>;
}

export function createLimitedPool(places: number, longestWaitMs: number): LimitedPool {
  const free = Array.from({ length: places }, (_, place) => place);
  const waiting = new Set<(place: number) => void>();
  const take = (signal: AbortSignal, onBusy: () => Error): Promise<number> => {
    signal.throwIfAborted();
    const place = free.shift();
    if (place !== undefined) return Promise.resolve(place);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(given);
      };
      const given = (one: number): void => {
        end();
        resolve(one);
      };
      const abort = (): void => {
        end();
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        end();
        reject(onBusy());
      }, longestWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(given);
    });
  };
  const release = (place: number): void => {
    const [next] = waiting;
    if (next === undefined) free.push(place);
    else next(place);
  };
  return {
    async run(task, signal, onBusy) {
      const place = await take(signal, onBusy);
      try {
        return await task(place);
      } finally {
        release(place);
      }
    },
  };
}
