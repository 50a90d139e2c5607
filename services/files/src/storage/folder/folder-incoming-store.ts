import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCodeOf, type PlatformError } from '@lintel/errors';
import { offsetTaken, uploadGone } from '../../incoming/incoming-errors.ts';
import {
  type IncomingStore,
  PART_BYTES,
  type RecordName,
  type StoredPart,
  withoutGaps,
} from '../../incoming/incoming-store.ts';
import { callsOf, storageFailure } from '../storage-failure.ts';

/** Folder of the uploads, in the file system of the files. */
const UPLOADS = '.uploads';
/** The only file in the folder of a part or record. */
const CONTENT = 'content';

/**
 * Keeps each part and record in a folder of its own. It is written elsewhere, flushed to the disk and then renamed: a
 * rename onto a folder with content fails, on every file system, so that of two requests only one stores its part.
 *
 * @param root folder of the storage
 * @param incoming folder for what is incomplete; what stays there is removed by the blob store
 */
export function createFolderIncomingStore(root: string, incoming: string): IncomingStore {
  const folderOf = (id: string, ...names: readonly string[]): string => join(root, UPLOADS, id, ...names);

  async function createRecord(id: string, name: RecordName, text: string): Promise<boolean> {
    const draft = await openDraft(incoming);
    try {
      await draft.file.writeFile(text, 'utf8');
      await mkdir(folderOf(id), { recursive: true });
      return await publish(draft, folderOf(id, name));
    } catch (error) {
      throw failure(error);
    } finally {
      await discard(draft);
    }
  }

  async function parts(id: string): Promise<readonly StoredPart[]> {
    const names = (await namesIn(folderOf(id))).filter((name) => /^\d+$/.test(name));
    const partOf = async (name: string) => ({
      offset: Number(name),
      size: (await stat(folderOf(id, name, CONTENT))).size,
    });
    // None if the upload has been completed or removed meanwhile.
    return withoutGaps(
      await calling(
        () => Promise.all(names.map(partOf)),
        () => [],
      ),
    );
  }

  async function append(id: string, offset: number, content: Readable): Promise<number> {
    let draft: Draft | undefined;
    let end = offset;
    const store = async (): Promise<void> => {
      if (draft === undefined) return;
      if (!(await publish(draft, folderOf(id, String(end))))) throw offsetTaken();
      end += draft.size;
      draft = undefined;
    };
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        if (chunk.length === 0) continue;
        draft ??= await openDraft(incoming);
        await draft.file.writeFile(chunk);
        draft.size += chunk.length;
        if (draft.size >= PART_BYTES) await store();
      }
      await store();
      return end;
    } catch (error) {
      throw error === content.errored ? error : failure(error);
    } finally {
      content.destroy();
      if (draft !== undefined) await discard(draft);
    }
  }

  async function removeParts(id: string): Promise<void> {
    for (const name of await namesIn(folderOf(id))) if (/^\d+$/.test(name)) await removeFolder(folderOf(id, name));
  }

  return {
    createRecord,
    readRecord: (id, name) =>
      calling<string | undefined>(
        () => readFile(folderOf(id, name, CONTENT), 'utf8'),
        () => undefined,
      ),
    parts,
    append,
    read: async (id, { offset }) =>
      (await calling(() => open(folderOf(id, String(offset), CONTENT)), gone)).createReadStream(),
    removeParts,
    removeRecord: (id, name) => removeFolder(folderOf(id, name)),
    remove: (id) => removeFolder(folderOf(id)),
    ids: async (prefix = '') => (await namesIn(join(root, UPLOADS))).filter((name) => name.startsWith(prefix)),
  };
}

/** A part or record that is not visible yet. */
interface Draft {
  readonly folder: string;
  readonly file: FileHandle;
  size: number;
}

async function openDraft(incoming: string): Promise<Draft> {
  try {
    const folder = join(incoming, randomUUID());
    await mkdir(folder);
    return { folder, file: await open(join(folder, CONTENT), 'wx'), size: 0 };
  } catch (error) {
    throw storageFailure(error);
  }
}

/** Makes a draft durable and visible, unless the target exists. Returns whether it is visible. */
async function publish({ folder, file }: Draft, target: string): Promise<boolean> {
  await file.sync();
  await file.close();
  try {
    await rename(folder, target);
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCodeOf(error))) return false;
    throw error;
  }
  for (const path of [target, dirname(target)]) {
    const handle = await open(path);
    await handle.sync().finally(() => handle.close());
  }
  return true;
}

async function discard({ folder, file }: Draft): Promise<void> {
  await file.close();
  await rm(folder, { recursive: true, force: true });
}

const removeFolder = (folder: string): Promise<void> =>
  calling(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), gone);

const namesIn = (folder: string): Promise<readonly string[]> =>
  calling<readonly string[]>(
    () => readdir(folder),
    () => [],
  );

/** Without its folder an upload has ended. */
const failure = (error: unknown): PlatformError => (isMissing(error) ? uploadGone() : storageFailure(error));

const gone = (): never => {
  throw uploadGone();
};

const isMissing = (error: unknown): boolean => errorCodeOf(error) === 'ENOENT';

const calling = callsOf(isMissing);
