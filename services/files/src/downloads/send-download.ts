import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { type DownloadPorts, downloadFile } from './download-file.ts';

/** Answers `GET` and `HEAD` of the file that the parameter `fileRef` names. */
export async function sendDownload(
  request: IncomingMessage,
  query: URLSearchParams,
  response: Response,
  ports: DownloadPorts,
): Promise<void> {
  const { headers } = request;
  const answer = await downloadFile(
    {
      fileRef: query.get('fileRef') ?? undefined,
      attachment: query.get('attachment') ?? undefined,
      range: headers.range,
      conditions: {
        ifNoneMatch: headers['if-none-match'],
        ifModifiedSince: headers['if-modified-since'],
        ifRange: oneHeader(headers['if-range']),
      },
    },
    ports,
  );
  const content = request.method === 'HEAD' ? undefined : await answer.open?.();
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (content === undefined) {
    response.end();
    return;
  }
  // A storage that fails now destroys the response: a cut file never looks complete.
  await pipeline(content, response).catch((error: unknown) => {
    if (!hasLeft(response, error)) throw error;
  });
}

/** Whether it was the client who ended the transfer. */
const hasLeft = (response: Response, error: unknown): boolean =>
  response.destroyed &&
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_STREAM_PREMATURE_CLOSE';

const oneHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
