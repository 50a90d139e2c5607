import { isPlatformError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import type { BlobDescription, BlobStore } from '../blob-store.ts';
import { notFound } from '../storage-failure.ts';

/**
 * A storage whose files are copied to others: written to the first one, then copied to the others, and read from the
 * first one that has them (contract/files.md#storages). A failed copy is logged and not repeated: the file itself is
 * stored.
 */
export function createMirroredBlobStore(
  primary: BlobStore,
  copies: readonly BlobStore[],
  logger: Pick<Logger, 'warn'>,
): BlobStore {
  const all = [primary, ...copies];
  /** Pending copies, one after another: uploads do not wait for them and are hardly slowed down by them. */
  let copying: Promise<void> = Promise.resolve();

  async function copyTo(copy: BlobStore, key: string, description: BlobDescription): Promise<void> {
    try {
      const content = await primary.read(key);
      // A store that refuses the write leaves the content open.
      await copy.write(key, content, description).finally(() => content.destroy());
    } catch (err) {
      logger.warn({ err, key }, 'A file could not be copied to another folder');
    }
  }

  /** Reads from one store after the other; if none has a result, throws the first failure. */
  async function first<T>(read: (store: BlobStore) => Promise<T>): Promise<T | undefined> {
    let failure: { readonly error: unknown } | undefined;
    for (const store of all)
      try {
        const result = await read(store);
        if (result !== undefined) return result;
      } catch (error) {
        if (!isPlatformError(error)) throw error;
        if (error.code !== 'FILE_NOT_FOUND') failure ??= { error };
      }
    if (failure !== undefined) throw failure.error;
    return undefined;
  }

  return {
    // Parts are not copied: the file is, when it is complete.
    incoming: primary.incoming,
    async write(key, content, description) {
      const stored = await primary.write(key, content, description);
      for (const copy of copies) copying = copying.then(() => copyTo(copy, key, description));
      return stored;
    },
    find: (key) => first((store) => store.find(key)),
    read: async (key, range) => (await first((store) => store.read(key, range))) ?? notFound(),
    // The files of the first one: it has all of them.
    list: (after, limit) => primary.list(after, limit),
    async remove(key) {
      // A copy in progress would be completed after the removal of its file.
      await copying;
      for (const store of all) await store.remove(key);
    },
    async removeAbandoned(before) {
      let removed = 0;
      for (const store of all) removed += await store.removeAbandoned(before);
      return removed;
    },
    // Only the first one: without it no file can be stored.
    assertReady: () => primary.assertReady(),
    async close() {
      await copying;
      for (const store of all) await store.close();
    },
  };
}
