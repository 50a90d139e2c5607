import { Readable } from 'node:stream';
import { storedFileSchema } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { traceHeaders } from '@lintel/telemetry';
import { Agent, type Dispatcher, request } from 'undici';
import type { DocumentStore } from './document-store.ts';

export interface HttpDocumentStore extends DocumentStore {
  close(): Promise<void>;
}

export interface HttpDocumentStoreOptions {
  /** Internal listener of the files service. */
  readonly filesInternalUrl: string;
  /** Removes documents of runs that have no user any longer. */
  readonly internalSecret: string;
  /** Longest wait for the answer behind the last byte. */
  readonly timeoutMs: number;
}

/** Keeps documents over `/internal/files` (`libs/contracts/src/internal-api.ts`). */
export function createHttpDocumentStore(options: HttpDocumentStoreOptions): HttpDocumentStore {
  const { filesInternalUrl, internalSecret, timeoutMs } = options;
  const dispatcher = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const send = async (path: string, how: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>) =>
    request(`${filesInternalUrl}/internal/files?${path}`, { dispatcher, ...how });
  return {
    async store({ name, contentType, content }, token, signal) {
      let broken: { readonly error: unknown } | undefined;
      const watched = async function* () {
        try {
          for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
        } catch (error) {
          broken = { error };
          throw error;
        }
      };
      let answer: Dispatcher.ResponseData;
      try {
        answer = await send(`${new URLSearchParams({ name })}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${await token()}`, 'content-type': contentType, ...traceHeaders() },
          body: Readable.from(watched(), { objectMode: false }),
          signal,
        });
      } catch (cause) {
        if (broken !== undefined) throw broken.error;
        throw signal.aborted ? signal.reason : unavailable(cause);
      }
      if (answer.statusCode !== 201) throw await refusal(answer);
      const { fileRef, size } = storedFileSchema.parse(await answer.body.json());
      return { fileRef, name, contentType, size };
    },
    async remove(fileRef) {
      const answer = await send(`${new URLSearchParams({ fileRef })}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${internalSecret}`, ...traceHeaders() },
      });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw unavailable(new Error(`The files service answered ${answer.statusCode}`));
    },
    close: () => dispatcher.close(),
  };
}

async function refusal({ statusCode, body }: Dispatcher.ResponseData): Promise<PlatformError> {
  await body.dump();
  if (statusCode === 401) return new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
  if (statusCode === 413) return new PlatformError('FILE_TOO_LARGE', 'The document is larger than files may be');
  return unavailable(new Error(`The files service answered ${statusCode}`));
}

const unavailable = (cause: unknown): PlatformError =>
  new PlatformError('FILE_STORAGE_UNAVAILABLE', 'The document cannot be stored now', { cause });
