import type { Readable } from 'node:stream';
import type { PlatformError } from '@lintel/errors';
import { offsetTaken, uploadGone } from '../../incoming/incoming-errors.ts';
import { type IncomingStore, type StoredPart, withoutGaps } from '../../incoming/incoming-store.ts';
import { partsOf } from '../parts/parts.ts';
import { storageFailure } from '../storage-failure.ts';
import { isMissing, type S3Bucket, tooBusy } from './s3-bucket.ts';
import { createS3Objects } from './s3-objects.ts';

/** No file has such a key: `isStorageKey` refuses it. */
const UPLOADS = '.uploads/';
const OFFSET_DIGITS = 16;

/**
 * Keeps each part and record as an object. Objects are written under the condition that there is none of their key
 * (`If-None-Match: *`), so that of two requests only one stores its part.
 */
export function createS3IncomingStore(bucket: S3Bucket): IncomingStore {
  const { client, buffers, name: bucketName } = bucket;
  const { create, list, listFolders, readText, remove, removeAll } = createS3Objects(bucket);
  const partPrefix = (id: string): string => `${UPLOADS}${id}/parts/`;
  const partKey = (id: string, offset: number): string =>
    `${partPrefix(id)}${String(offset).padStart(OFFSET_DIGITS, '0')}`;

  async function append(id: string, offset: number, content: Readable): Promise<number> {
    let end = offset;
    try {
      for await (const { bytes } of partsOf(content, buffers, tooBusy)) {
        if (bytes.length === 0) continue;
        if (!(await create(partKey(id, end), bytes))) throw offsetTaken();
        end += bytes.length;
      }
      return end;
    } catch (error) {
      throw error === content.errored ? error : storageFailure(error);
    } finally {
      content.destroy();
    }
  }

  return {
    createRecord: (id, name, text) => create(`${UPLOADS}${id}/${name}`, Buffer.from(text, 'utf8')),
    readRecord: (id, name) => readText(`${UPLOADS}${id}/${name}`),
    async parts(id) {
      const objects = await list(partPrefix(id));
      return withoutGaps(
        objects.map(({ name, size }) => ({ offset: Number(name.slice(partPrefix(id).length)), size })),
      );
    },
    append,
    read: (id, { offset }: StoredPart) =>
      client.getObject(bucketName, partKey(id, offset)).catch((error: unknown): never => {
        throw failure(error);
      }),
    removeParts: (id) => removeAll(partPrefix(id)),
    removeRecord: (id, name) => remove(`${UPLOADS}${id}/${name}`),
    remove: (id) => removeAll(`${UPLOADS}${id}/`),
    async ids(prefix = '') {
      const folders = await listFolders(UPLOADS + prefix);
      return folders.map((folder) => folder.slice(UPLOADS.length, -1));
    },
  };
}

const failure = (error: unknown): PlatformError => (isMissing(error) ? uploadGone() : storageFailure(error));
