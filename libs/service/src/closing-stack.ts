/** A connection, a pool, a timer: something that a process opens and must close. */
export interface Closable {
  close(): unknown;
}

/** What a process has opened, in order. */
export interface ClosingStack {
  /** Adds a resource, or one that is being opened, and returns it. */
  own<T extends Closable | Promise<Closable>>(resource: T): T;
  /** Closes one resource after the other, the last one first. A second call has nothing to close. */
  close(): Promise<void>;
}

/** A resource that could not be opened is not closed; an error of `close` ends the closing. */
export function createClosingStack(): ClosingStack {
  const owned: (Closable | Promise<Closable>)[] = [];
  return {
    own(resource) {
      owned.push(resource);
      return resource;
    },
    async close() {
      for (const opening of owned.splice(0).reverse()) {
        // What could not be opened needs no closing; the caller that opened it has the error.
        const resource = await Promise.resolve(opening).catch(() => undefined);
        await resource?.close();
      }
    },
  };
}
