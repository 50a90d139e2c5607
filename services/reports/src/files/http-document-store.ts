import { Readable } from 'node:stream';
import { storedFileSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { createServiceClient, type HttpResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { DocumentStore } from './document-store.ts';

export interface HttpDocumentStore extends DocumentStore {
  close(): Promise<void>;
}

export interface HttpDocumentStoreOptions {
  /** Internal listener of the files service. */
  readonly filesInternalUrl: string;
  /** Authenticates the removal of documents of runs whose user has no session any more. */
  readonly internalSecret: string;
  /** Maximum wait for the response after the last byte. */
  readonly timeoutMs: number;
  readonly metrics?: Metrics | undefined;
}

/** Creates the store by `/internal/files` (`libs/contracts/src/internal-api.ts`). */
export function createHttpDocumentStore(options: HttpDocumentStoreOptions): HttpDocumentStore {
  const { filesInternalUrl, internalSecret, timeoutMs, metrics } = options;
  const files = createServiceClient([filesInternalUrl], { service: 'files', timeoutMs, metrics });
  return {
    async store({ name, contentType, content, isUpload }, token, signal) {
      let broken: { readonly error: unknown } | undefined;
      const watched = async function* () {
        try {
          for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
        } catch (error) {
          broken = { error };
          throw error;
        }
      };
      let response: HttpResponse;
      try {
        response = await files.send(`/internal/files?${queryOf({ name }, isUpload)}`, {
          method: 'POST',
          token: await token(),
          headers: { 'content-type': contentType },
          body: Readable.from(watched(), { objectMode: false }),
          signal,
        });
      } catch (cause) {
        if (broken !== undefined) throw broken.error;
        throw signal.aborted ? signal.reason : unavailable(cause);
      }
      if (response.statusCode !== 201) throw await refusal(response);
      const { fileRef, size } = storedFileSchema.parse(await response.body.json());
      return { fileRef, name, contentType, size };
    },
    async remove(fileRef, isUpload) {
      const response = await files.send(`/internal/files?${queryOf({ fileRef }, isUpload)}`, {
        method: 'DELETE',
        token: internalSecret,
      });
      await response.body.dump();
      if (response.statusCode !== 204)
        throw unavailable(new Error(`The files service returned ${response.statusCode}`));
    },
    close: () => files.close(),
  };
}

const queryOf = (parameters: Readonly<Record<string, string>>, isUpload = false): URLSearchParams =>
  new URLSearchParams({ ...parameters, ...(isUpload && { uploaded: 'true' }) });

async function refusal({ statusCode, body }: HttpResponse): Promise<PlatformError> {
  await body.dump();
  if (statusCode === 401) return new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  if (statusCode === 413) return new PlatformError('FILE_TOO_LARGE', 'The document is larger than files may be');
  return unavailable(new Error(`The files service returned ${statusCode}`));
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The document cannot be stored now', { cause });
