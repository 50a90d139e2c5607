import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { IncomingContent, type IncomingContentOptions, tooLarge } from './incoming-content.ts';

export const interrupted = (): PlatformError => new PlatformError('FILE_INVALID_UPLOAD', 'The upload was interrupted');

/**
 * The body of a request as a stream that fails if the client disconnects or sends too much. The request itself is not
 * destroyed, so that a response can still be sent.
 *
 * @throws FILE_TOO_LARGE at once where `Content-Length` exceeds the limit
 */
export function receiveRaw(request: IncomingMessage, options: IncomingContentOptions): Readable {
  const { limitBytes } = options;
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const content = new IncomingContent(options);
  // A storage that refuses the write before it reads has no listener; a reader receives the error as well.
  content.on('error', () => request.unpipe(content));
  breakWith(request, content);
  request.pipe(content);
  return content;
}

/** Destroys `target` if the request ends before its body is complete. With `pipe` alone it would wait forever. */
export function breakWith(request: IncomingMessage, target: { destroy(error: Error): unknown }): void {
  const onEarlyEnd = (): void => {
    if (!request.complete) target.destroy(interrupted());
  };
  request.once('error', onEarlyEnd);
  request.once('close', onEarlyEnd);
}
