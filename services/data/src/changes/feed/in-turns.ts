/**
 * Lets no more than some of the calls of a function run at a time; the others wait in the order in which they came.
 *
 * @param most how many run at a time
 */
export function inTurns<A extends readonly unknown[], R>(
  most: number,
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (...args) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work(...args);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
