import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf, isPlatformError, type PlatformError } from '@lintel/errors';
import { z } from 'zod';
import { type BlobDescription, type BlobInfo, type BlobStore, isStorageKey, type StoredBlob } from '../blob-store.ts';
import { DigestMeter } from '../parts/digest-meter.ts';
import { callsOf, invalidKey, notFound, storageFailure } from '../storage-failure.ts';
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
  const incomingFolder = join(root, INCOMING);
  const pathOf = (key: string): string => join(root, ...key.split('/'));
  const descriptionPathOf = (key: string): string => join(root, DESCRIPTIONS, ...`${key}.json`.split('/'));
  await mkdir(incomingFolder, { recursive: true }).catch(fail);

  async function write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    if (!isStorageKey(key)) throw invalidKey();
    const incoming = join(incomingFolder, randomUUID());
    let isDescribed = false;
    let broken: unknown;
    content.once('error', (error) => {
      broken = error;
    });
    try {
      const stored = await receive(content, `${incoming}.data`);
      const [path, descriptionPath] = [pathOf(key), descriptionPathOf(key)];
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
      if (isDescribed && !(await exists(pathOf(key)))) await rm(descriptionPathOf(key), { force: true });
      throw isPlatformError(error) ? error : (broken ?? storageFailure(error));
    }
  }

  const describe = (key: string): Promise<z.infer<typeof descriptionSchema> | undefined> =>
    calling(
      async () => descriptionSchema.parse(JSON.parse(await readFile(descriptionPathOf(key), 'utf8'))),
      () => undefined,
    );

  async function find(key: string): Promise<BlobInfo | undefined> {
    const file = await stat(pathOf(key));
    if (!file.isFile()) return undefined;
    const description = await describe(key);
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
  }

  async function removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(incomingFolder)) {
      const path = join(incomingFolder, name);
      const file = await calling(
        () => stat(path),
        () => undefined,
      );
      if (file === undefined || file.mtime >= before) continue;
      await rm(path, { force: true, recursive: true });
      removed += 1;
    }
    return removed;
  }

  return {
    incoming: createFolderIncomingStore(root, incomingFolder),
    write,
    find: async (key) =>
      isStorageKey(key)
        ? calling(
            () => find(key),
            () => undefined,
          )
        : undefined,
    read: async (key, range) =>
      isStorageKey(key)
        ? calling(async () => (await open(pathOf(key))).createReadStream(range ?? {}), notFound)
        : notFound(),
    list: (after, limit) => listFolder(root, after, limit).catch(fail),
    async remove(key) {
      if (!isStorageKey(key)) return;
      for (const path of [pathOf(key), descriptionPathOf(key)])
        await calling(
          () => rm(path, { force: true }),
          () => {},
        );
    },
    removeAbandoned: (before) => removeAbandoned(before).catch(fail),
    assertReady: () => access(incomingFolder, constants.W_OK),
    async close() {},
  };
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

const calling = callsOf((error) => ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(errorCodeOf(error)));

const fail = (cause: unknown): never => {
  throw storageFailure(cause);
};
