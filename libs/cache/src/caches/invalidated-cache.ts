import type { Envelope } from '@lintel/contracts';
import type { CacheDeclaration } from './cache-declaration.ts';
import type { CacheMeter } from './cache-meter.ts';

/** The interface of a cache for `attachInvalidation`, with any keys and values. */
export interface InvalidatedCache {
  readonly declaration: CacheDeclaration;
  readonly meter: CacheMeter;
  /** Drops the entries that the event invalidates. */
  handleEvent(event: Envelope): void;
  dropAll(): void;
  /** Resolves when values are current again after the events so far; absent if they are at once. */
  settled?(): Promise<void>;
  /** Sets whether events arrive; while they do not, entries expire earlier. */
  setConnected(connected: boolean): void;
}
