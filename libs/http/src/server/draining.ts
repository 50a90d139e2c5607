import type { RequestListener } from 'node:http';

const draining = new WeakSet<RequestListener>();

/** Whether the application's server is being closed. */
export const isDraining = (app: RequestListener): boolean => draining.has(app);

/** From now on `/health/ready` answers 503, and answers close their connections. */
export const startDraining = (app: RequestListener): void => {
  draining.add(app);
};
