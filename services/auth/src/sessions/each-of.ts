/** Maximum number of sessions of one user or client that are updated or ended concurrently. */
const MAX_CONCURRENT = 10;

/** Does work for all of them, some at the same time; it ends with the first failure. */
export async function eachOf<T>(all: Iterable<T>, work: (each: T) => Promise<unknown>): Promise<void> {
  const left = [...all].values();
  const workers = Array.from({ length: MAX_CONCURRENT }, async () => {
    for (const each of left) await work(each);
  });
  await Promise.all(workers);
}
