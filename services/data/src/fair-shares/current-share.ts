import { AsyncLocalStorage } from 'node:async_hooks';
import type { LargeBodies } from './large-bodies.ts';

/** The caller whose share of the database the statements of a request use. */
export interface Share {
  /** The user, or the address of the client for anonymous calls. */
  readonly caller: string;
  /** The queue of large bodies; undefined if bodies have other limits. */
  readonly largeBodies?: LargeBodies;
  /** Every statement counts as heavy; set for data sets of reports. */
  readonly isHeavy: boolean;
  /** Number of open transactions of the request. */
  transactions: number;
}

const storage = new AsyncLocalStorage<Share>();

/** The share of the current request; undefined for work of the service itself. */
export const currentShare = (): Share | undefined => storage.getStore();

/** Runs the callback as part of a request that uses the share. */
export const runInShare = <T>(share: Share, callback: () => T): T => storage.run(share, callback);
