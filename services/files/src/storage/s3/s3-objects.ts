import { text as textOf } from 'node:stream/consumers';
import { errorCodeOf } from '@lintel/errors';
import { Semaphore } from '@lintel/timing';
import { z } from 'zod';
import { storageFailure } from '../storage-failure.ts';
import { calling, type S3Bucket } from './s3-bucket.ts';

const objectSchema = z.object({ name: z.string(), size: z.number() });
const prefixSchema = z.object({ prefix: z.string() });

/** An object in a list. */
export type S3Object = z.infer<typeof objectSchema>;

/** Small objects of a bucket. Errors are those of `storageFailure`. */
export interface S3Objects {
  /** Stores an object unless there is one of its key. Returns whether the object is stored by this call. */
  create(key: string, bytes: Buffer): Promise<boolean>;
  /** All objects whose keys begin with the prefix. */
  list(prefix: string): Promise<readonly S3Object[]>;
  /** The prefixes of one more level, each with the slash at its end. */
  listFolders(prefix: string): Promise<readonly string[]>;
  readText(key: string): Promise<string | undefined>;
  /** Removes an object, if there is one. */
  remove(key: string): Promise<void>;
  /** Removes all objects whose keys begin with the prefix. */
  removeAll(prefix: string): Promise<void>;
}

/** A large upload has thousands of parts, which the request with the last byte removes. */
const CONCURRENT_REMOVALS = 16;

export function createS3Objects(bucket: S3Bucket): S3Objects {
  const { client, name: bucketName } = bucket;
  const removals = new Semaphore(CONCURRENT_REMOVALS);

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

  async function listWith<T>(prefix: string, isDeep: boolean, schema: z.ZodType<T>): Promise<readonly T[]> {
    const found: T[] = [];
    for await (const item of client.listObjectsV2(bucketName, prefix, isDeep)) found.push(schema.parse(item));
    return found;
  }

  const list = (prefix: string): Promise<readonly S3Object[]> =>
    calling(
      () => listWith(prefix, true, objectSchema),
      () => [],
    );

  async function removeAll(prefix: string): Promise<void> {
    const objects = await list(prefix);
    await Promise.all(objects.map(({ name }) => removals.run(() => remove(name))));
  }

  const remove = (key: string): Promise<void> =>
    calling(
      () => client.removeObject(bucketName, key),
      () => {},
    );

  return {
    create,
    list,
    listFolders: (prefix) =>
      calling(
        async () => (await listWith(prefix, false, prefixSchema)).map((found) => found.prefix),
        () => [],
      ),
    readText: (key) =>
      calling<string | undefined>(
        async () => textOf(await client.getObject(bucketName, key)),
        () => undefined,
      ),
    remove,
    removeAll,
  };
}
