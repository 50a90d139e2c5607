import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type { PlatformError } from '@lintel/errors';
import { Semaphore } from '@lintel/timing';
import { z } from 'zod';
import { offsetTaken, uploadGone } from '../../incoming/incoming-errors.ts';
import { type IncomingStore, type StoredPart, withoutGaps } from '../../incoming/incoming-store.ts';
import { errorCodeOf } from '../error-code.ts';
import { partsOf } from '../parts/parts.ts';
import { storageFailure } from '../storage-failure.ts';
import { isMissing, type S3Bucket, tooBusy } from './s3-bucket.ts';

/** No file has such a key: `isStorageKey` refuses it. */
const UPLOADS = '.uploads/';
const OFFSET_DIGITS = 16;
/** A large upload has thousands of parts, which the request with the last byte removes. */
const CONCURRENT_REMOVALS = 16;

const objectSchema = z.object({ name: z.string(), size: z.number() });
const prefixSchema = z.object({ prefix: z.string() });

/**
 * Keeps each part and record as an object. Objects are written under the condition that there is none of their key
 * (`If-None-Match: *`), so that of two requests only one stores its part.
 */
export function createS3IncomingStore(bucket: S3Bucket): IncomingStore {
  const { client, buffers, name: bucketName } = bucket;
  const removals = new Semaphore(CONCURRENT_REMOVALS);
  const partPrefix = (id: string): string => `${UPLOADS}${id}/parts/`;
  const partKey = (id: string, offset: number): string =>
    `${partPrefix(id)}${String(offset).padStart(OFFSET_DIGITS, '0')}`;

  /** Returns whether the object is stored now. */
  async function create(key: string, bytes: Buffer): Promise<boolean> {
    try {
      await bucket.ensure();
      await client.putObject(bucketName, key, bytes, bytes.length, { 'If-None-Match': '*' });
      return true;
    } catch (error) {
      bucket.noteFailure(error);
      // The second code: while another request stores the object.
      if (['PreconditionFailed', 'ConditionalRequestConflict'].includes(errorCodeOf(error))) return false;
      // A server that refuses a large object may close the connection before its response is read.
      if (await exists(key)) return false;
      throw storageFailure(error);
    }
  }

  const exists = (key: string): Promise<boolean> =>
    client.statObject(bucketName, key).then(
      () => true,
      () => false,
    );

  async function list<T>(prefix: string, isDeep: boolean, schema: z.ZodType<T>): Promise<readonly T[]> {
    try {
      const found: T[] = [];
      for await (const item of client.listObjectsV2(bucketName, prefix, isDeep)) found.push(schema.parse(item));
      return found;
    } catch (error) {
      if (isMissing(error)) return [];
      throw storageFailure(error);
    }
  }

  async function removeAll(prefix: string): Promise<void> {
    const objects = await list(prefix, true, objectSchema);
    await Promise.all(objects.map(({ name }) => removals.run(() => remove(name))));
  }

  const remove = (key: string): Promise<void> =>
    client.removeObject(bucketName, key).catch((error: unknown) => {
      if (!isMissing(error)) throw storageFailure(error);
    });

  async function readRecord(key: string): Promise<string | undefined> {
    try {
      return await textOf(await client.getObject(bucketName, key));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

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
    readRecord: (id, name) => readRecord(`${UPLOADS}${id}/${name}`),
    async parts(id) {
      const objects = await list(partPrefix(id), true, objectSchema);
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
    async ids() {
      const prefixes = await list(UPLOADS, false, prefixSchema);
      return prefixes.map(({ prefix }) => prefix.slice(UPLOADS.length, -1));
    },
  };
}

const failure = (error: unknown): PlatformError => (isMissing(error) ? uploadGone() : storageFailure(error));
