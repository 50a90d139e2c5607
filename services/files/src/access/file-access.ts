import { hash } from 'node:crypto';
import { createCache, declareCache } from '@lintel/cache';
import { fileAccessResponseSchema, lastingKeyOf, type Principal } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { BlobInfo } from '../storage/blob-store.ts';

/** A caller, and the JWT of the request. */
export interface FileReader {
  readonly principal: Principal;
  readonly token: string;
}

/** Whether callers may read what refers to a file (contract/files.md#access). */
export interface FileAccess {
  /** @param key `<storage>://<path>` */
  mayRead(key: string, reader: FileReader): Promise<boolean>;
  close(): Promise<void>;
}

export interface FileAccessOptions {
  /** Internal listeners of the replicas of data. */
  readonly dataInternalUrls: readonly string[];
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
}

const TIMEOUT_MS = 10_000;

/** A document is read by several requests, for its ranges; what was allowed stays so for as long. */
const FILE_ACCESS = declareCache({
  name: 'file-access',
  holds: 'that a session may read a file; refusals are not kept',
  where: ['files'],
  keyedBy: 'session, storage and path of the file',
  maxEntries: 10_000,
  invalidatedBy: [],
  staleness: 6_000,
  ownWrites: 'new references at once; a right that has ended within six seconds',
  whileAway: '503',
});

/** Sends `POST /internal/forwarded/file-access` to data, with the JWT of the caller. */
export function createHttpFileAccess({ dataInternalUrls, clock, metrics }: FileAccessOptions): FileAccess {
  const data = createServiceClient(dataInternalUrls, { service: 'data', timeoutMs: TIMEOUT_MS, metrics });
  const ask = async (key: string, token: string): Promise<true | undefined> => {
    try {
      const { status, body } = await data.sendJson('/internal/forwarded/file-access', {
        method: 'POST',
        token,
        json: { key },
      });
      if (status === 200) return fileAccessResponseSchema.parse(body).isReadable || undefined;
      throw new Error(`data responded with ${status}`);
    } catch (cause) {
      throw new PlatformError('DATA_UNAVAILABLE', 'The rights to the file cannot be checked now', { cause });
    }
  };
  const known = createCache<string, true | undefined, { readonly key: string; readonly token: string }>({
    declaration: FILE_ACCESS,
    clock,
    load: (_name, { key, token }) => ask(key, token),
  });
  return {
    mayRead: async (key, { principal, token }) =>
      (await known.get(`${principal.sessionId} ${principal.acr} ${key}`, { key, token })) === true,
    close: () => data.close(),
  };
}

/** Uploads can be read by their users before something refers to them. */
const OF_UPLOADER_MS = 24 * 3_600_000;

/** The user who uploads a file, as it is stored with the file; undefined for callers without a login. */
export const uploaderOf = (principal: Principal): string | undefined =>
  principal.kind === 'anonymous' ? undefined : uploaderKey(lastingKeyOf(principal));

/** @param reader `lastingKeyOf` the user */
export const uploaderKey = (reader: string): string => hash('sha256', reader, 'base64url');

/**
 * Whether the caller has uploaded the file within the last day, or a service has stored it for the caller.
 *
 * @param reader `lastingKeyOf` the caller
 */
export const isOfReader = (reader: string, { uploadedBy, storedBy, lastModified }: BlobInfo, nowMs: number): boolean =>
  uploadedBy === uploaderKey(reader) && (storedBy !== undefined || nowMs - lastModified.getTime() < OF_UPLOADER_MS);
