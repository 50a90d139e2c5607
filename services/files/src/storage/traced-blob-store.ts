import { withSpan } from '@lintel/telemetry';
import type { BlobStore } from './blob-store.ts';

/**
 * Adds a span to each call of a store. Spans have the storage and the operation, never a key, since keys contain names
 * of files. The span of a read ends when the first bytes are available.
 */
export function createTracedBlobStore(store: BlobStore, kind: 'folder' | 's3', name: string): BlobStore {
  const traced = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    withSpan(`${kind} ${operation}`, { 'lintel.storage.name': name }, work, 'client');
  return {
    ...store,
    write: (...given) => traced('write', () => store.write(...given)),
    find: (key) => traced('find', () => store.find(key)),
    read: (...given) => traced('read', () => store.read(...given)),
    list: (...given) => traced('list', () => store.list(...given)),
    remove: (key) => traced('remove', () => store.remove(key)),
  };
}
