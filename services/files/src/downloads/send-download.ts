import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { singleValue } from '@lintel/http';
import type { Response } from 'express';
import { guardDownload, type TransferPace } from '../guard-against-stall.ts';
import { storageFailure } from '../storage/storage-failure.ts';
import { type DownloadPorts, type DownloadRights, downloadFile } from './download-file.ts';

export interface SendPorts extends DownloadPorts {
  /** Called for each chunk. */
  readonly passed: (bytes: number) => void;
  readonly pace: TransferPace;
}

/** Responds to `GET` and `HEAD` with the file of the parameter `fileRef`. */
export async function sendDownload(
  request: IncomingMessage,
  query: URLSearchParams,
  response: Response,
  ports: SendPorts,
  rights?: DownloadRights,
): Promise<void> {
  const { headers } = request;
  const isHead = request.method === 'HEAD';
  const download = await downloadFile(
    {
      fileRef: singleValue(query, 'fileRef'),
      attachment: singleValue(query, 'attachment'),
      // `Range` is ignored for methods other than GET (RFC 9110 §14.2).
      range: isHead ? undefined : headers.range,
      conditions: {
        ifMatch: headers['if-match'],
        ifUnmodifiedSince: headers['if-unmodified-since'],
        ifNoneMatch: headers['if-none-match'],
        ifModifiedSince: headers['if-modified-since'],
        ifRange: oneHeader(headers['if-range']),
      },
      rights,
    },
    ports,
  );
  const content = isHead ? undefined : await download.open?.();
  response.statusCode = download.status;
  for (const [name, value] of Object.entries(download.headers)) response.setHeader(name, value);
  if (content === undefined) {
    response.end();
    return;
  }
  const endGuard = guardDownload(request, ports.pace);
  try {
    // An error of the storage destroys the response: an incomplete file never looks complete.
    const lengthBytes = Number(download.headers['Content-Length']);
    await pipeline(checked(content, lengthBytes, ports.passed), response);
  } catch (error) {
    if (!hasLeft(response, error)) throw error;
  } finally {
    endGuard();
    // If the client disconnected before the first byte, the content has not been read.
    content.destroy();
  }
}

/** @throws FILE_STORAGE_UNAVAILABLE, also if the content ends before its last byte without an error */
async function* checked(
  content: AsyncIterable<Uint8Array>,
  lengthBytes: number,
  passed: SendPorts['passed'],
): AsyncGenerator<Uint8Array> {
  let sentBytes = 0;
  try {
    for await (const chunk of content) {
      passed(chunk.length);
      sentBytes += chunk.length;
      yield chunk;
    }
    if (sentBytes !== lengthBytes) throw new Error(`The storage sent ${sentBytes} bytes of ${lengthBytes}`);
  } catch (error) {
    throw storageFailure(error);
  }
}

/** Whether the client ended the transfer. */
const hasLeft = (response: Response, error: unknown): boolean =>
  response.destroyed &&
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_STREAM_PREMATURE_CLOSE';

const oneHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
