import type { Readable } from 'node:stream';
import { isPlatformError, PlatformError } from '@lintel/errors';
import type { Logger } from '@lintel/telemetry';
import type { IncomingStore } from '../../incoming/incoming-store.ts';
import type { BlobDescription, BlobInfo, BlobStore, ByteRange, ListedBlob, StoredBlob } from '../blob-store.ts';

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
  return new MirroredBlobStore(primary, copies, logger);
}

class MirroredBlobStore implements BlobStore {
  readonly #primary: BlobStore;
  readonly #copies: readonly BlobStore[];
  readonly #logger: Pick<Logger, 'warn'>;
  /** Pending copies, one after another: uploads do not wait for them and are hardly slowed down by them. */
  #copying: Promise<void> = Promise.resolve();

  constructor(primary: BlobStore, copies: readonly BlobStore[], logger: Pick<Logger, 'warn'>) {
    this.#primary = primary;
    this.#copies = copies;
    this.#logger = logger;
  }

  /** Parts are not copied: the file is, when it is complete. */
  get incoming(): IncomingStore {
    return this.#primary.incoming;
  }

  async write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    const stored = await this.#primary.write(key, content, description);
    for (const copy of this.#copies) this.#copying = this.#copying.then(() => this.#copy(key, description, copy));
    return stored;
  }

  find(key: string): Promise<BlobInfo | undefined> {
    return this.#first(
      (store) => store.find(key),
      (found) => found !== undefined,
    );
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const content = await this.#first(
      (store) => store.read(key, range),
      () => true,
    );
    if (content === undefined) throw new PlatformError('FILE_NOT_FOUND');
    return content;
  }

  /** The files of the first one: it has all of them. */
  list(after: string | undefined, limit: number): Promise<readonly ListedBlob[]> {
    return this.#primary.list(after, limit);
  }

  async remove(key: string): Promise<void> {
    // A copy in progress would be completed after the removal of its file.
    await this.#copying;
    for (const store of this.#all()) await store.remove(key);
  }

  async removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    for (const store of this.#all()) removed += await store.removeAbandoned(before);
    return removed;
  }

  /** Checks only the first one: without it no file can be stored. */
  isReady(): Promise<boolean> {
    return this.#primary.isReady();
  }

  assertReady(): Promise<void> {
    return this.#primary.assertReady();
  }

  async close(): Promise<void> {
    await this.#copying;
    for (const store of this.#all()) await store.close();
  }

  #all(): readonly BlobStore[] {
    return [this.#primary, ...this.#copies];
  }

  async #copy(key: string, description: BlobDescription, to: BlobStore): Promise<void> {
    try {
      const content = await this.#primary.read(key);
      // A store that refuses the write leaves the content open.
      await to.write(key, content, description).finally(() => content.destroy());
    } catch (err) {
      this.#logger.warn({ err, key }, 'A file could not be copied to another folder');
    }
  }

  /** Reads from one store after the other; if none has a result, throws the first failure. */
  async #first<T>(read: (store: BlobStore) => Promise<T>, isFound: (result: T) => boolean): Promise<T | undefined> {
    let failure: { readonly error: unknown } | undefined;
    for (const store of this.#all())
      try {
        const result = await read(store);
        if (isFound(result)) return result;
      } catch (error) {
        if (!isPlatformError(error)) throw error;
        if (error.code !== 'FILE_NOT_FOUND') failure ??= { error };
      }
    if (failure !== undefined) throw failure.error;
    return undefined;
  }
}
