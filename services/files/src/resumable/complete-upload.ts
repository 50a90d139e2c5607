import { Readable } from 'node:stream';
import { uploadGone } from '../incoming/incoming-errors.ts';
import { formatFileReference } from '../references/file-reference.ts';
import { storageFailure } from '../storage/storage-failure.ts';
import type { FileReferenceObject } from '../uploads/upload-file.ts';
import { endCounting, type ResumableUpload, readResult } from './resumable-upload.ts';

/** Makes files of uploads whose bytes are all stored. */
export interface UploadCompletion {
  /**
   * Stores the file of an upload, as a single request would. It continues if the client disconnects, and requests of
   * the same process share it; several processes write the same file.
   */
  complete(upload: ResumableUpload): Promise<FileReferenceObject>;
}

export interface CompletionPorts {
  /** Called for each chunk. */
  readonly passed: (bytes: number) => void;
  /** Called for each stored file. */
  readonly stored: (bytes: number) => void;
}

export function createUploadCompletion(ports: CompletionPorts): UploadCompletion {
  const inProgress = new Map<string, Promise<FileReferenceObject>>();
  return {
    complete(upload) {
      if (upload.result !== undefined) return Promise.resolve(upload.result);
      const started = inProgress.get(upload.key);
      if (started !== undefined) return started;
      const completion = completeOnce(upload, ports).finally(() => inProgress.delete(upload.key));
      inProgress.set(upload.key, completion);
      return completion;
    },
  };
}

async function completeOnce(upload: ResumableUpload, ports: CompletionPorts): Promise<FileReferenceObject> {
  const { key, storage, name, contentType, path, uploadedBy } = upload;
  const { store } = storage;
  let size: number;
  try {
    const content = Readable.from(contentOf(upload, ports.passed), { objectMode: false });
    ({ size } = await store.write(path, content, { name, contentType, storedBy: undefined, uploadedBy }));
  } catch (error) {
    // Another process that has completed it has removed the parts.
    const result = await readResult(key, storage);
    if (result !== undefined) return result;
    throw error;
  }
  const fileRef = formatFileReference({ storage: storage.name, path, name, parameters: [] });
  const result = { fileRef, name, size };
  const isFirst = await store.incoming.createRecord(key, 'result', JSON.stringify(result));
  if ((await store.incoming.readRecord(key, 'upload')) === undefined) {
    // Ended by the client meanwhile. It has the reference only if another process was first.
    if (isFirst) {
      await store.remove(path);
      await store.incoming.remove(key);
    }
    throw uploadGone();
  }
  if (isFirst) ports.stored(size);
  await store.incoming.removeParts(key);
  await endCounting(upload);
  return result;
}

async function* contentOf(upload: ResumableUpload, passed: CompletionPorts['passed']): AsyncGenerator<Uint8Array> {
  for (const part of upload.parts) {
    let rest = part.size;
    for await (const chunk of await upload.storage.store.incoming.read(upload.key, part)) {
      const bytes: Uint8Array = chunk;
      rest -= bytes.length;
      passed(bytes.length);
      yield bytes;
    }
    if (rest !== 0) throw storageFailure(new Error(`The part at ${part.offset} has another size than it had`));
  }
}
