import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type BlobDescription,
  type BlobInfo,
  type BlobStore,
  type ByteRange,
  isStorageKey,
  type ListedBlob,
  type StoredBlob,
} from '../blob-store.ts';
import { partsOf } from '../parts/parts.ts';
import { fileTooLarge, invalidKey, notFound, storageFailure } from '../storage-failure.ts';
import { calling, createS3Bucket, type S3Options, tooBusy } from './s3-bucket.ts';
import { createS3IncomingStore } from './s3-incoming-store.ts';
import { createS3Objects } from './s3-objects.ts';

export type { S3Options };

const unfinishedSchema = z.object({ key: z.string(), uploadId: z.string(), initiated: z.date() });
const listedSchema = z.object({ name: z.string(), size: z.number(), lastModified: z.date() });
/** The limit of S3 for one object. */
const MAX_PARTS = 10_000;

/**
 * Stores blobs in a bucket of an S3-compatible server: key = path, original name and content type as object metadata.
 * The SHA-256 is metadata too or, for a blob of several parts, an object tag, since it is known only after the metadata
 * was sent.
 */
export function createS3BlobStore(options: S3Options): BlobStore {
  const bucket = createS3Bucket(options);
  const { client, name: bucketName } = bucket;
  const { remove } = createS3Objects(bucket);

  async function write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    if (!isStorageKey(key)) throw invalidKey();
    content.once('error', () => {});
    try {
      await bucket.ensure();
      return await writeParts(key, content, description);
    } catch (error) {
      content.destroy();
      bucket.noteFailure(error);
      // A content that is not read to its end has an error, too.
      throw error === content.errored ? error : storageFailure(error);
    }
  }

  async function writeParts(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    const hash = createHash('sha256');
    const headers = {
      'Content-Type': description.contentType,
      'x-amz-meta-name': encodeURIComponent(description.name),
      ...(description.storedBy === undefined ? {} : { 'x-amz-meta-stored-by': description.storedBy }),
      ...(description.uploadedBy === undefined ? {} : { 'x-amz-meta-uploaded-by': description.uploadedBy }),
    };
    const etags: { part: number; etag: string }[] = [];
    let size = 0;
    let uploadId: string | undefined;
    let sha256 = '';
    try {
      for await (const { bytes, last } of partsOf(content, bucket.buffers, tooBusy)) {
        hash.update(bytes);
        size += bytes.length;
        if (last) sha256 = hash.digest('hex');
        if (uploadId === undefined && last) {
          await client.putObject(bucketName, key, bytes, bytes.length, { ...headers, sha256 });
          continue;
        }
        uploadId ??= await client.initiateNewMultipartUpload(bucketName, key, headers);
        if (etags.length === MAX_PARTS) throw fileTooLarge();
        const partNumber = etags.length + 1;
        const part = { bucketName, objectName: key, uploadID: uploadId, partNumber, headers: {} };
        const { etag } = await client.uploadPart(part, bytes);
        etags.push({ part: partNumber, etag });
      }
      if (uploadId === undefined) return { size, sha256 };
      await client.completeMultipartUpload(bucketName, key, uploadId, etags);
    } catch (error) {
      // Frees the parts; a server that cannot be reached now removes unfinished uploads on its own schedule.
      if (uploadId !== undefined) await client.abortMultipartUpload(bucketName, key, uploadId).catch(() => undefined);
      throw error;
    }
    try {
      await client.setObjectTagging(bucketName, key, { sha256 });
    } catch (error) {
      await remove(key);
      throw error;
    }
    return { size, sha256 };
  }

  async function find(key: string): Promise<BlobInfo> {
    const { size, lastModified, etag, metaData } = await client.statObject(bucketName, key);
    const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
    const name = textOf(metaData['name']);
    const sha256 = textOf(metaData['sha256'] ?? (await taggedSha256(key)));
    return {
      size,
      lastModified,
      tag: sha256 ?? etag,
      sha256,
      name: name === undefined ? undefined : decodeURIComponent(name),
      contentType: textOf(metaData['content-type']),
      storedBy: textOf(metaData['stored-by']),
      uploadedBy: textOf(metaData['uploaded-by']),
    };
  }

  async function taggedSha256(key: string): Promise<string | undefined> {
    const tags = await client.getObjectTagging(bucketName, key);
    return tags.find((tag) => tag.Key === 'sha256')?.Value;
  }

  async function list(after: string | undefined, limit: number): Promise<readonly ListedBlob[]> {
    const found: ListedBlob[] = [];
    // The objects of a bucket are in the order of their names.
    for await (const object of client.listObjectsV2(bucketName, '', true, after ?? '')) {
      const { name, size, lastModified } = listedSchema.parse(object);
      found.push({ key: name, size, lastModified });
      if (found.length >= limit) break;
    }
    return found;
  }

  async function removeAbandoned(before: Date): Promise<number> {
    let removed = 0;
    for await (const upload of client.listIncompleteUploads(bucketName, '', true)) {
      const { key, uploadId, initiated } = unfinishedSchema.parse(upload);
      if (initiated >= before) continue;
      await client.abortMultipartUpload(bucketName, key, uploadId);
      removed += 1;
    }
    return removed;
  }

  const read = (key: string, range: ByteRange | undefined): Promise<Readable> =>
    range === undefined
      ? client.getObject(bucketName, key)
      : client.getPartialObject(bucketName, key, range.start, range.end - range.start + 1);

  return {
    incoming: createS3IncomingStore(bucket),
    write,
    find: async (key) =>
      isStorageKey(key)
        ? calling<BlobInfo | undefined>(
            () => find(key),
            () => undefined,
          )
        : undefined,
    read: async (key, range) => (isStorageKey(key) ? calling(() => read(key, range), notFound) : notFound()),
    list: (after, limit) =>
      calling(
        () => list(after, limit),
        () => [],
      ),
    async remove(key) {
      if (isStorageKey(key)) await remove(key);
    },
    removeAbandoned: (before) =>
      calling(
        () => removeAbandoned(before),
        () => 0,
      ),
    async assertReady() {
      await client.bucketExists(bucketName);
    },
    async close() {
      bucket.close();
    },
  };
}
