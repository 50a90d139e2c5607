import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { Client } from 'minio';
import { z } from 'zod';
import type { BlobDescription, BlobInfo, BlobStore, ByteRange, StoredBlob } from './blob-store.ts';
import { isStorageKey } from './blob-store.ts';
import { errorCodeOf } from './error-code.ts';
import { PartBuffers } from './part-buffers.ts';
import { partsOf } from './parts.ts';
import { fileTooLarge, invalidKey, storageFailure } from './storage-failure.ts';

export interface S3Options {
  /** `http://host:port` or `https://host[:port]` of any S3-compatible server. */
  readonly endpointUrl: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Created on demand. */
  readonly bucket: string;
  readonly region: string;
  /** Bytes of one part of a multipart upload. At least 5 MiB. */
  readonly partSizeBytes: number;
  /** Maximum number of parts in memory, for all uploads; others wait. */
  readonly partsInMemory: number;
  /** Maximum time until the server responds. */
  readonly timeoutMs: number;
}

const unfinishedSchema = z.object({ key: z.string(), uploadId: z.string(), initiated: z.date() });
/** Maximum wait for a buffer; even with slow clients only, none waits as long. */
const MAX_WAIT_MS = 60_000;
/** The limit of S3 for one object. */
const MAX_PARTS = 10_000;

/**
 * Stores blobs in a bucket of an S3-compatible server: key = path, original name and content type as object metadata.
 * The SHA-256 is metadata too or, for a blob of several parts, an object tag, since it is known only after the metadata
 * was sent.
 */
export function createS3BlobStore(options: S3Options): BlobStore {
  return new S3BlobStore(options);
}

class S3BlobStore implements BlobStore {
  readonly #client: Client;
  readonly #agent: http.Agent;
  readonly #options: S3Options;
  readonly #buffers: PartBuffers;
  #bucketReady: Promise<void> | undefined;

  constructor(options: S3Options) {
    const url = new URL(options.endpointUrl);
    const secure = url.protocol === 'https:';
    this.#options = options;
    this.#buffers = new PartBuffers({
      sizeBytes: options.partSizeBytes,
      max: options.partsInMemory,
      timeoutMs: MAX_WAIT_MS,
    });
    this.#agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
    this.#client = new Client({
      endPoint: url.hostname,
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      useSSL: secure,
      accessKey: options.accessKey,
      secretKey: options.secretKey,
      region: options.region,
      transport: withTimeout(secure ? https.request : http.request, options.timeoutMs),
      transportAgent: this.#agent,
      // Retries of the client library write to the console.
      retryOptions: { disableRetry: true },
    });
  }

  async write(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    if (!isStorageKey(key)) throw invalidKey();
    let broken: unknown;
    content.once('error', (error) => {
      broken = error;
    });
    try {
      await this.#ensureBucket();
      return await this.#writeParts(key, content, description);
    } catch (error) {
      content.destroy();
      if (errorCodeOf(error) === 'NoSuchBucket') this.#bucketReady = undefined;
      throw broken ?? storageFailure(error);
    }
  }

  async find(key: string): Promise<BlobInfo | undefined> {
    if (!isStorageKey(key)) return undefined;
    try {
      const found = await this.#client.statObject(this.#options.bucket, key);
      const name: unknown = found.metaData['name'];
      const sha256: unknown = found.metaData['sha256'] ?? (await this.#taggedSha256(key));
      const contentType: unknown = found.metaData['content-type'];
      const storedBy: unknown = found.metaData['stored-by'];
      return {
        size: found.size,
        lastModified: found.lastModified,
        tag: typeof sha256 === 'string' ? sha256 : found.etag,
        sha256: typeof sha256 === 'string' ? sha256 : undefined,
        name: typeof name === 'string' ? decodeURIComponent(name) : undefined,
        contentType: typeof contentType === 'string' ? contentType : undefined,
        storedBy: typeof storedBy === 'string' ? storedBy : undefined,
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    if (!isStorageKey(key)) throw new PlatformError('FILE_NOT_FOUND');
    const { bucket } = this.#options;
    try {
      return range === undefined
        ? await this.#client.getObject(bucket, key)
        : await this.#client.getPartialObject(bucket, key, range.start, range.end - range.start + 1);
    } catch (error) {
      throw isMissing(error) ? new PlatformError('FILE_NOT_FOUND') : storageFailure(error);
    }
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    try {
      await this.#client.removeObject(this.#options.bucket, key);
    } catch (error) {
      if (!isMissing(error)) throw storageFailure(error);
    }
  }

  async removeAbandoned(before: Date): Promise<number> {
    const { bucket } = this.#options;
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
    await this.#client.bucketExists(this.#options.bucket);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  async #writeParts(key: string, content: Readable, description: BlobDescription): Promise<StoredBlob> {
    const { bucket } = this.#options;
    const hash = createHash('sha256');
    const headers = {
      'Content-Type': description.contentType,
      'x-amz-meta-name': encodeURIComponent(description.name),
      ...(description.storedBy === undefined ? {} : { 'x-amz-meta-stored-by': description.storedBy }),
    };
    const etags: { part: number; etag: string }[] = [];
    let size = 0;
    let uploadId: string | undefined;
    let sha256 = '';
    try {
      for await (const { bytes, last } of partsOf(content, this.#buffers, tooBusy)) {
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
      await this.#client.setObjectTagging(this.#options.bucket, key, { sha256 });
    } catch (error) {
      await this.remove(key);
      throw error;
    }
  }

  async #taggedSha256(key: string): Promise<string | undefined> {
    const tags = await this.#client.getObjectTagging(this.#options.bucket, key);
    return tags.find((tag) => tag.Key === 'sha256')?.Value;
  }

  /** Frees the parts; a server that cannot be reached now removes unfinished uploads on its own schedule. */
  async #abort(key: string, uploadId: string): Promise<void> {
    await this.#client.abortMultipartUpload(this.#options.bucket, key, uploadId).catch(() => undefined);
  }

  #ensureBucket(): Promise<void> {
    this.#bucketReady ??= this.#makeBucket().catch((error: unknown) => {
      this.#bucketReady = undefined;
      throw error;
    });
    return this.#bucketReady;
  }

  async #makeBucket(): Promise<void> {
    const { bucket, region } = this.#options;
    if (await this.#client.bucketExists(bucket)) return;
    try {
      await this.#client.makeBucket(bucket, region);
    } catch (error) {
      // Another replica has created it meanwhile.
      if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(errorCodeOf(error))) throw error;
    }
  }
}

const tooBusy = (): PlatformError =>
  new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The file storage has too much to do; try again later', {
    headers: { 'Retry-After': '5' },
  });

/** Limits the time until the server responds; the body of the response has no limit, since its reader may be slow. */
function withTimeout(request: typeof http.request, timeoutMs: number): { request: typeof http.request } {
  const timed = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const sent = request(options, onResponse);
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No answer within ${timeoutMs} ms`)));
    sent.once('response', () => sent.setTimeout(0));
    return sent;
  };
  return { request: timed as typeof http.request };
}

const isMissing = (error: unknown): boolean =>
  ['NotFound', 'NoSuchKey', 'NoSuchBucket', 'NoSuchUpload'].includes(errorCodeOf(error));
