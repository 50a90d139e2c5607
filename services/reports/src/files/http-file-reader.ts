import { ReportFailure } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import { createServiceClient, type HttpResponse } from '@lintel/http-client';
import type { Metrics } from '@lintel/telemetry';
import type { RunToken } from '../datasets/dataset-client.ts';
import type { FileReader } from './file-reader.ts';

export interface HttpFileReader extends FileReader {
  close(): Promise<void>;
}

export interface HttpFileReaderOptions {
  /** Internal listener of the files service. */
  readonly filesInternalUrl: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly metrics?: Metrics | undefined;
}

/** Creates the reader by `GET /internal/files` (`libs/contracts/src/internal-api.ts`). */
export function createHttpFileReader(options: HttpFileReaderOptions): HttpFileReader {
  const files = createServiceClient([options.filesInternalUrl], {
    service: 'files',
    metrics: options.metrics,
    timeoutMs: options.timeoutMs,
    maxResponseBytes: options.maxBytes,
  });
  async function* stream(fileRef: string, token: RunToken, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const call = { token: await token(), signal };
      const response = await files.send(`/internal/files?${new URLSearchParams({ fileRef })}`, call);
      if (response.statusCode === 200) return yield* response.body;
      await response.body.dump();
      throw refusal(response);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (isTooLarge(cause)) throw new ReportFailure(`A file has more than ${options.maxBytes} bytes`, { cause });
      if (cause instanceof ReportFailure || cause instanceof PlatformError) throw cause;
      throw new PlatformError('FILE_STORAGE_UNAVAILABLE', 'Files cannot be read now', { cause });
    }
  }
  return {
    read: async (fileRef, token, signal) => Buffer.concat(await Array.fromAsync(stream(fileRef, token, signal))),
    stream,
    close: () => files.close(),
  };
}

/** 400 means an invalid reference, 404 a missing file: both come from the data of the report. */
function refusal({ statusCode }: HttpResponse): Error {
  if (statusCode === 400 || statusCode === 404) return new ReportFailure('There is no file of a reference');
  return new PlatformError('FILE_STORAGE_UNAVAILABLE', 'Files cannot be read now', {
    cause: new Error(`The files service returned ${statusCode}`),
  });
}

const isTooLarge = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
