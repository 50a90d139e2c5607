/**
 * Does a piece of work when its turn has come, and answers what it answers.
 *
 * @param signal who waits no longer leaves the line; work that has begun looks at it itself
 * @throws the reason of the signal, where the turn has not come before
 */
export type InTurn = <R>(work: () => Promise<R>, signal: AbortSignal) => Promise<R>;

/**
 * A line in which no more than some pieces of work are done at a time; the others wait in the order in which they came.
 *
 * @param most how many are done at a time
 */
export function inTurns(most: number): InTurn {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const come = (): void => {
        waiting.delete(come);
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(come);
        reject(signal.reason);
      };
      waiting.add(come);
      signal.addEventListener('abort', leave, { once: true });
    });

  return async (work, signal) => {
    signal.throwIfAborted();
    if (running < most) running += 1;
    else await turn(signal);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
