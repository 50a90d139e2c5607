import { WaitingLine } from '@lintel/http';

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
  const waiting = new WaitingLine();
  const take = async (signal: AbortSignal, onBusy: () => Error): Promise<number> => {
    signal.throwIfAborted();
    const place = free.shift() ?? (await waiting.wait(() => free.shift(), { timeoutMs: longestWaitMs, signal }));
    if (place !== undefined) return place;
    throw signal.aborted ? signal.reason : onBusy();
  };
  return {
    async run(task, signal, onBusy) {
      const place = await take(signal, onBusy);
      try {
        return await task(place);
      } finally {
        free.push(place);
        waiting.advance();
      }
    },
  };
}
