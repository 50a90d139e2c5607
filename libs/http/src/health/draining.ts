import type { RequestListener } from 'node:http';

const draining = new WeakSet<RequestListener>();

/** Applications by the listener that passes requests on to them. */
const applications = new WeakMap<RequestListener, RequestListener>();

/** Declares that a listener passes requests on to an application: both drain and close together. */
export const passesTo = (listener: RequestListener, app: RequestListener): void => {
  applications.set(listener, app);
};

/** Whether the application's server is being closed. */
export const isDraining = (app: RequestListener): boolean => draining.has(app);

/** From now on `/health/ready` responds with 503, and responses close their connections. */
export function startDraining(app: RequestListener): void {
  draining.add(app);
  const inner = applications.get(app);
  if (inner !== undefined) startDraining(inner);
}

/** Callbacks of `whenClosing` by application; `closing` where its server closes. */
const closeCallbacks = new WeakMap<RequestListener, Set<() => void> | 'closing'>();

/**
 * Calls back when the application's server stops accepting connections, at once if it already has. For streams, whose
 * end the server would wait for.
 *
 * @returns a function that removes the callback
 */
export function whenClosing(app: RequestListener, callback: () => void): () => void {
  const callbacks = closeCallbacks.get(app) ?? new Set();
  if (callbacks === 'closing') {
    callback();
    return () => {};
  }
  closeCallbacks.set(app, callbacks.add(callback));
  return () => void callbacks.delete(callback);
}

/** Calls the callbacks of `whenClosing`. */
export function startClosing(app: RequestListener): void {
  const callbacks = closeCallbacks.get(app);
  closeCallbacks.set(app, 'closing');
  if (callbacks !== undefined && callbacks !== 'closing') for (const callback of callbacks) callback();
  const inner = applications.get(app);
  if (inner !== undefined) startClosing(inner);
}
