import { Readable } from 'node:stream';
import { fileDescriptionsSchema, fileListingSchema, lastingKeyOf, storedFileSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient, type JsonResponse, type ServiceCall } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { StoredFiles } from './stored-files.ts';

export interface HttpStoredFilesOptions {
  /** Internal listener of the files service. */
  readonly filesInternalUrl: string;
  readonly internalSecret: string;
  readonly metrics?: Metrics | undefined;
}

/** Mails with larger files are refused by most servers. */
const MAX_READ_BYTES = 20 * 1024 * 1024;

/** A list of a folder with many files takes longer than other operations. */
const TIMEOUT_MS = 30_000;

/** Calls `/internal/files` of the files service (`libs/contracts/src/internal-api.ts`). */
export function createHttpStoredFiles({
  filesInternalUrl,
  internalSecret,
  metrics,
}: HttpStoredFilesOptions): StoredFiles {
  const files = createServiceClient([filesInternalUrl], { service: 'files', timeoutMs: TIMEOUT_MS, metrics });
  const send = async (path: string, options: Partial<ServiceCall> & { json?: unknown }): Promise<JsonResponse> => {
    try {
      return await files.sendJson(`/internal/files${path}`, { ...options, token: internalSecret });
    } catch (cause) {
      throw unavailable(cause);
    }
  };
  const bodyOf = ({ status, body }: JsonResponse): unknown => {
    if (status === 200 || status === 204) return body;
    throw unavailable(new Error(`files responded with ${status}`));
  };
  return {
    async store({ name, contentType, content }, uploader, signal) {
      const query = new URLSearchParams({ name, uploaded: 'true', uploader: lastingKeyOf(uploader) });
      const body = Readable.from(content, { objectMode: false });
      const headers = { 'content-type': contentType };
      const call = { method: 'POST', token: internalSecret, headers, body, signal } as const;
      const response = await files.send(`/internal/files?${query}`, call).catch((cause: unknown) => {
        throw signal.aborted ? signal.reason : (body.errored ?? unavailable(cause));
      });
      const { statusCode } = response;
      if (statusCode === 201) return storedFileSchema.parse(await response.body.json());
      await response.body.dump();
      if (statusCode === 413) throw new PlatformError('FILE_TOO_LARGE', 'The file is larger than files may be');
      throw unavailable(new Error(`files responded with ${statusCode}`));
    },
    async list(after, limit) {
      const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) });
      const response = await send(`/listing?${query}`, {});
      if (response.status === 400)
        throw new PlatformError('REQ_INVALID_PARAMETER', 'cursor is no position of this list');
      return fileListingSchema.parse(bodyOf(response));
    },
    async describe(fileRefs, reader) {
      const json = { fileRefs, ...(reader !== undefined && { reader: lastingKeyOf(reader) }) };
      const response = await send('/descriptions', { method: 'POST', json });
      return fileDescriptionsSchema.parse(bodyOf(response)).files;
    },
    async read(fileRef, part) {
      const headers = part === undefined ? {} : { range: `bytes=${part.from}-${part.from + part.bytes - 1}` };
      const response = await files
        .send(`/internal/files?${new URLSearchParams({ fileRef })}`, { token: internalSecret, headers })
        .catch((cause: unknown) => {
          throw unavailable(cause);
        });
      const { statusCode, body } = response;
      const isRead = statusCode === (part === undefined ? 200 : 206);
      if (isRead && Number(response.headers['content-length']) <= MAX_READ_BYTES) return body.bytes();
      await body.dump();
      if (statusCode === 400 || statusCode === 404) return undefined;
      if (statusCode === 200) throw new PlatformError('FILE_TOO_LARGE', 'The file has more than 20 MiB');
      throw unavailable(new Error(`files responded with ${statusCode}`));
    },
    async remove(fileRef) {
      bodyOf(await send(`?${new URLSearchParams({ fileRef, uploaded: 'true' })}`, { method: 'DELETE' }));
    },
  };
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('FILE_STORAGE_UNAVAILABLE', 'Files cannot be read now', { cause });
