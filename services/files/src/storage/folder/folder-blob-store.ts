import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf, isPlatformError, PlatformError } from '@lintel/errors';
import { z } from 'zod';
import type { IncomingStore } from '../../incoming/incoming-store.ts';
import type { BlobDescription, BlobInfo, BlobStore, ByteRange, ListedBlob, StoredBlob } from '../blob-store.ts';
import { isStorageKey } from '../blob-store.ts';
import { DigestMeter } from '../parts/digest-meter.ts';
import { invalidKey, storageFailure } from '../storage-failure.ts';
import { createFolderIncomingStore } from './folder-incoming-store.ts';
import { listFolder } from './list-folder.ts';

/** Folder for incomplete blobs, on the file system of the blobs, so that a rename is atomic. */
const INCOMING = '.incoming';
/** Folder of the descriptions, in the same tree as the blobs. */
const DESCRIPTIONS = '.meta';

const descriptionSchema = z.object({
  name: z.string(),
  contentType: z.string(),
  sha256: z.string(),
  storedBy: z.string().optional(),
  uploadedBy: z.string().optional(),
});

/**
 * Stores blobs in a folder. Bytes are written to a temporary file that is flushed to the disk and then renamed, so that
 * a crash leaves no incomplete file under its name.
 */
export async function createFolderBlobStore(root: string): Promise<BlobStore> {
  try {
    await mkdir(join(root, INCOMING), { recursive: true });
  } catch (cause) {
    throw storageFailure(cause);
  }
  return new FolderBlobStore(root);
}

class FolderBlobStore implements BlobStore {
  readonly incoming: IncomingStore;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.incoming = createFolderIncomingStore(root, join(root, INCOMING));
  }

  async write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    if (!isStorageKey(key)) throw invalidKey();
    const incoming = join(this.#root, INCOMING, randomUUID());
    let isDescribed = false;
    let broken: unknown;
    content.once('error', (error) => {
      broken = error;
    });
    try {
      const stored = await receive(content, `${incoming}.data`);
      const [path, descriptionPath] = [this.#path(key), this.#descriptionPath(key)];
      const folders = [dirname(path), dirname(descriptionPath)];
      // Concurrently: each step waits for a thread and for the event loop.
      await together([
        writeDurably(`${incoming}.meta`, JSON.stringify({ ...description, sha256: stored.sha256 })),
        ...folders.map((folder) => mkdir(folder, { recursive: true })),
      ]);
      // The description first: a visible blob must be complete.
      isDescribed = true;
      await rename(`${incoming}.meta`, descriptionPath);
      await rename(`${incoming}.data`, path);
      await together(folders.map(flushFolder));
      return stored;
    } catch (error) {
      await Promise.all([rm(`${incoming}.data`, { force: true }), rm(`${incoming}.meta`, { force: true })]);
      if (isDescribed && !(await exists(this.#path(key)))) await rm(this.#descriptionPath(key), { force: true });
      throw isPlatformError(error) ? error : (broken ?? storageFailure(error));
    }
  }

  async find(key: string): Promise<BlobInfo | undefined> {
    if (!isStorageKey(key)) return undefined;
    try {
      const file = await stat(this.#path(key));
      if (!file.isFile()) return undefined;
      const description = await this.#description(key);
      return {
        size: file.size,
        lastModified: file.mtime,
        tag: description?.sha256 ?? `${file.size.toString(16)}-${Math.trunc(file.mtimeMs).toString(16)}`,
        sha256: description?.sha256,
        name: description?.name,
        contentType: description?.contentType,
        storedBy: description?.storedBy,
        uploadedBy: description?.uploadedBy,
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    if (!isStorageKey(key)) throw new PlatformError('FILE_NOT_FOUND');
    try {
      const file = await open(this.#path(key));
      return file.createReadStream(range ?? {});
    } catch (error) {
      throw isMissing(error) ? new PlatformError('FILE_NOT_FOUND') : storageFailure(error);
    }
  }

  async list(after: string | undefined, limit: number): Promise<readonly ListedBlob[]> {
    try {
      return await listFolder(this.#root, after, limit);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    try {
      await rm(this.#path(key), { force: true });
      await rm(this.#descriptionPath(key), { force: true });
    } catch (error) {
      if (!isMissing(error)) throw storageFailure(error);
    }
  }

  async removeAbandoned(before: Date): Promise<number> {
    const folder = join(this.#root, INCOMING);
    try {
      let removed = 0;
      for (const name of await readdir(folder)) {
        const file = await stat(join(folder, name)).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
        if (file === undefined || file.mtime >= before) continue;
        await rm(join(folder, name), { force: true, recursive: true });
        removed += 1;
      }
      return removed;
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async isReady(): Promise<boolean> {
    return this.assertReady().then(
      () => true,
      () => false,
    );
  }

  assertReady(): Promise<void> {
    return access(join(this.#root, INCOMING), constants.W_OK);
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    return join(this.#root, ...key.split('/'));
  }

  #descriptionPath(key: string): string {
    return join(this.#root, DESCRIPTIONS, ...`${key}.json`.split('/'));
  }

  async #description(key: string): Promise<z.infer<typeof descriptionSchema> | undefined> {
    try {
      return descriptionSchema.parse(JSON.parse(await readFile(this.#descriptionPath(key), 'utf8')));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}

async function receive(content: Readable, path: string): Promise<StoredBlob> {
  const meter = new DigestMeter();
  // `flush` makes the bytes durable before the file is closed.
  const file = createWriteStream(path, { flags: 'wx', flush: true });
  let failure: PlatformError | undefined;
  file.once('error', (error) => {
    // The first stream that fails destroys the others with its error.
    if (content.errored === null) failure = storageFailure(error);
  });
  try {
    await pipeline(content, meter, file);
  } catch (error) {
    throw failure ?? error;
  }
  return meter.result();
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Rejects with the error of the first failed step after all have ended: no step may run after the clean-up. */
async function together(steps: readonly Promise<unknown>[]): Promise<void> {
  for (const step of await Promise.allSettled(steps)) if (step.status === 'rejected') throw step.reason;
}

/** Without it a new name may be lost in a crash. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCodeOf(error));
