import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import type { Client } from 'minio';
import { z } from 'zod';
import type { IncomingStore } from '../../incoming/incoming-store.ts';
import type { BlobDescription, BlobInfo, BlobStore, ByteRange, ListedBlob, StoredBlob } from '../blob-store.ts';
import { isStorageKey } from '../blob-store.ts';
import { partsOf } from '../parts/parts.ts';
import { fileTooLarge, invalidKey, storageFailure } from '../storage-failure.ts';
import { isMissing, S3Bucket, type S3Options, tooBusy } from './s3-bucket.ts';
import { createS3IncomingStore } from './s3-incoming-store.ts';

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
  return new S3BlobStore(new S3Bucket(options));
}

class S3BlobStore implements BlobStore {
  readonly incoming: IncomingStore;
  readonly #bucket: S3Bucket;
  readonly #client: Client;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
    this.#client = bucket.client;
    this.incoming = createS3IncomingStore(bucket);
  }

  async write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    if (!isStorageKey(key)) throw invalidKey();
    content.once('error', () => {});
    try {
      await this.#bucket.ensure();
      return await this.#writeParts(key, content, description);
    } catch (error) {
      content.destroy();
      this.#bucket.noteFailure(error);
      // A content that is not read to its end has an error, too.
      throw error === content.errored ? error : storageFailure(error);
    }
  }

  async find(key: string): Promise<BlobInfo | undefined> {
    if (!isStorageKey(key)) return undefined;
    try {
      const found = await this.#client.statObject(this.#bucket.name, key);
      const name: unknown = found.metaData['name'];
      const sha256: unknown = found.metaData['sha256'] ?? (await this.#taggedSha256(key));
      const contentType: unknown = found.metaData['content-type'];
      const storedBy: unknown = found.metaData['stored-by'];
      const uploadedBy: unknown = found.metaData['uploaded-by'];
      return {
        size: found.size,
        lastModified: found.lastModified,
        tag: typeof sha256 === 'string' ? sha256 : found.etag,
        sha256: typeof sha256 === 'string' ? sha256 : undefined,
        name: typeof name === 'string' ? decodeURIComponent(name) : undefined,
        contentType: typeof contentType === 'string' ? contentType : undefined,
        storedBy: typeof storedBy === 'string' ? storedBy : undefined,
        uploadedBy: typeof uploadedBy === 'string' ? uploadedBy : undefined,
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    if (!isStorageKey(key)) throw new PlatformError('FILE_NOT_FOUND');
    const bucket = this.#bucket.name;
    try {
      return range === undefined
        ? await this.#client.getObject(bucket, key)
        : await this.#client.getPartialObject(bucket, key, range.start, range.end - range.start + 1);
    } catch (error) {
      throw isMissing(error) ? new PlatformError('FILE_NOT_FOUND') : storageFailure(error);
    }
  }

  async list(after: string | undefined, limit: number): Promise<readonly ListedBlob[]> {
    const found: ListedBlob[] = [];
    try {
      // The objects of a bucket are in the order of their names.
      for await (const object of this.#client.listObjectsV2(this.#bucket.name, '', true, after ?? '')) {
        const { name, size, lastModified } = listedSchema.parse(object);
        found.push({ key: name, size, lastModified });
        if (found.length >= limit) break;
      }
      return found;
    } catch (error) {
      if (isMissing(error)) return [];
      throw storageFailure(error);
    }
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    try {
      await this.#client.removeObject(this.#bucket.name, key);
    } catch (error) {
      if (!isMissing(error)) throw storageFailure(error);
    }
  }

  async removeAbandoned(before: Date): Promise<number> {
    const bucket = this.#bucket.name;
    try {
      let removed = 0;
      for await (const upload of this.#client.listIncompleteUploads(bucket, '', true)) {
        const { key, uploadId, initiated } = unfinishedSchema.parse(upload);
        if (initiated >= before) continue;
        await this.#client.abortMultipartUpload(bucket, key, uploadId);
        removed += 1;
      }
      return removed;
    } catch (error) {
      if (isMissing(error)) return 0;
      throw storageFailure(error);
    }
  }

  async isReady(): Promise<boolean> {
    return this.assertReady().then(
      () => true,
      () => false,
    );
  }

  async assertReady(): Promise<void> {
    await this.#client.bucketExists(this.#bucket.name);
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }

  async #writeParts(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    const bucket = this.#bucket.name;
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
      for await (const { bytes, last } of partsOf(content, this.#bucket.buffers, tooBusy)) {
        hash.update(bytes);
        size += bytes.length;
        if (last) sha256 = hash.digest('hex');
        if (uploadId === undefined && last) {
          await this.#client.putObject(bucket, key, bytes, bytes.length, { ...headers, sha256 });
          continue;
        }
        uploadId ??= await this.#client.initiateNewMultipartUpload(bucket, key, headers);
        if (etags.length === MAX_PARTS) throw fileTooLarge();
        const part = {
          bucketName: bucket,
          objectName: key,
          uploadID: uploadId,
          partNumber: etags.length + 1,
          headers: {},
        };
        const { etag } = await this.#client.uploadPart(part, bytes);
        etags.push({ part: part.partNumber, etag });
      }
      if (uploadId === undefined) return { size, sha256 };
      await this.#client.completeMultipartUpload(bucket, key, uploadId, etags);
    } catch (error) {
      if (uploadId !== undefined) await this.#abort(key, uploadId);
      throw error;
    }
    await this.#tag(key, sha256);
    return { size, sha256 };
  }

  async #tag(key: string, sha256: string): Promise<void> {
    try {
      await this.#client.setObjectTagging(this.#bucket.name, key, { sha256 });
    } catch (error) {
      await this.remove(key);
      throw error;
    }
  }

  async #taggedSha256(key: string): Promise<string | undefined> {
    const tags = await this.#client.getObjectTagging(this.#bucket.name, key);
    return tags.find((tag) => tag.Key === 'sha256')?.Value;
  }

  /** Frees the parts; a server that cannot be reached now removes unfinished uploads on its own schedule. */
  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#client.abortMultipartUpload(this.#bucket.name, key, uploadId).catch(() => undefined);
  }
}
