import http from 'node:http';
import https from 'node:https';
import { errorCodeOf, PlatformError } from '@lintel/errors';
import { Client } from 'minio';
import { PartBuffers } from '../parts/part-buffers.ts';
import { callsOf } from '../storage-failure.ts';

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

/** Maximum wait for a buffer; even with slow clients only, none waits as long. */
const MAX_WAIT_MS = 60_000;

/** The bucket of a storage, and the buffers of all that is written to it. */
export function createS3Bucket(options: S3Options) {
  const { bucket: name, region } = options;
  const url = new URL(options.endpointUrl);
  const secure = url.protocol === 'https:';
  const agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const client = new Client({
    endPoint: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    useSSL: secure,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    region,
    transport: withTimeout(secure ? https.request : http.request, options.timeoutMs),
    transportAgent: agent,
    // Retries of the client library write to the console.
    retryOptions: { disableRetry: true },
  });
  let isReady: Promise<void> | undefined;

  async function make(): Promise<void> {
    if (await client.bucketExists(name)) return;
    try {
      await client.makeBucket(name, region);
    } catch (error) {
      // Another replica has created it meanwhile.
      if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(errorCodeOf(error))) throw error;
    }
  }

  return {
    client,
    name,
    buffers: new PartBuffers({ sizeBytes: options.partSizeBytes, max: options.partsInMemory, timeoutMs: MAX_WAIT_MS }),
    /** Creates the bucket if it does not exist; to be called before a write. */
    ensure(): Promise<void> {
      isReady ??= make().catch((error: unknown) => {
        isReady = undefined;
        throw error;
      });
      return isReady;
    },
    /** After a failed write: if the bucket is missing, the next write creates it. */
    noteFailure(error: unknown): void {
      if (errorCodeOf(error) === 'NoSuchBucket') isReady = undefined;
    },
    close: (): void => agent.destroy(),
  };
}

export type S3Bucket = ReturnType<typeof createS3Bucket>;

/** The error where no buffer became free in time. */
export const tooBusy = (): PlatformError =>
  new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The file storage has too much to do; try again later', {
    headers: { 'Retry-After': '5' },
  });

/** Limits the time until the server responds; the body of the response has no limit, since its reader may be slow. */
function withTimeout(request: typeof http.request, timeoutMs: number): { request: typeof http.request } {
  const timed = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const sent = request(options, onResponse);
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`No response within ${timeoutMs} ms`)));
    sent.once('response', () => sent.setTimeout(0));
    return sent;
  };
  return { request: timed as typeof http.request };
}

/** Whether an error says that the object, upload or bucket does not exist. */
export const isMissing = (error: unknown): boolean =>
  ['NotFound', 'NoSuchKey', 'NoSuchBucket', 'NoSuchUpload'].includes(errorCodeOf(error));

/** Makes calls of the client. */
export const calling = callsOf(isMissing);
