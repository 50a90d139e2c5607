import type { RequestListener } from 'node:http';

const draining = new WeakSet<RequestListener>();

/** Whether the application's server is being closed. */
export const isDraining = (app: RequestListener): boolean => draining.has(app);

/** From now on `/health/ready` answers 503, and answers close their connections. */
export const startDraining = (app: RequestListener): void => {
  draining.add(app);
};

/** Those who want to know that a server closes; `closing` once it does. */
const waiting = new WeakMap<RequestListener, Set<() => void> | 'closing'>();

/**
 * Calls back when the application's server stops to take connections: for answers that have no end, which would make
 * it wait in vain. At once where it has already.
 *
 * @returns a function that takes the wish back
 */
export function whenClosing(app: RequestListener, callback: () => void): () => void {
  const callbacks = waiting.get(app) ?? new Set();
  if (callbacks === 'closing') {
    callback();
    return () => {};
  }
  waiting.set(app, callbacks.add(callback));
  return () => void callbacks.delete(callback);
}

/** Tells those who wait for it that the server closes. */
export function startClosing(app: RequestListener): void {
  const callbacks = waiting.get(app);
  waiting.set(app, 'closing');
  if (callbacks !== undefined && callbacks !== 'closing') for (const callback of callbacks) callback();
}
