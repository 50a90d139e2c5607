/**
 * Finds values by their keys, those that are asked for meanwhile together: a search that reads everything runs once for
 * all of them, and never twice at a time.
 *
 * @param findAll finds the values of the keys that it knows
 */
export function createBatches<V>(
  findAll: (keys: ReadonlySet<string>) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, V>> } | undefined;
  return async (key) => {
    if (next === undefined) {
      const keys = new Set<string>();
      const found = last.then(() => {
        next = undefined;
        return findAll(keys);
      });
      last = found.catch(() => undefined);
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
