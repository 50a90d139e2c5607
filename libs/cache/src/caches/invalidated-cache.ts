import type { Envelope } from '@lintel/contracts';
import type { CacheDeclaration } from './cache-declaration.ts';
import type { CacheMeter } from './cache-meter.ts';

/** What `attachInvalidation` needs of a cache, whatever its keys and values. */
export interface InvalidatedCache {
  readonly declaration: CacheDeclaration;
  readonly meter: CacheMeter;
  /** Drops what the event makes wrong. */
  handleEvent(event: Envelope): void;
  dropAll(): void;
  /** Tells whether events arrive; while they do not, entries live shorter. */
  setConnected(connected: boolean): void;
}
