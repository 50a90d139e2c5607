import { AsyncLocalStorage } from 'node:async_hooks';
import type { LargeBodies } from './large-bodies.ts';

/** Whose share of the database the statements of a request use. */
export interface Share {
  /** The user, or the client's address of anonymous calls. */
  readonly caller: string;
  /** The queue of its large bodies; undefined where bodies have other limits. */
  readonly largeBodies?: LargeBodies;
  /** Every statement counts as heavy: data sets of reports. */
  readonly isHeavy: boolean;
  /** Transactions of the request that are open. */
  transactions: number;
}

const storage = new AsyncLocalStorage<Share>();

/** The share of the request that is being processed; undefined for work of the service itself. */
export const currentShare = (): Share | undefined => storage.getStore();

/** Calls back as part of a request that uses the share. */
export const runInShare = (share: Share, callback: () => void): void => storage.run(share, callback);
