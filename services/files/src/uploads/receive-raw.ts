import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { PlatformError } from '@lintel/errors';
import { IncomingContent, type IncomingContentOptions, tooLarge } from './incoming-content.ts';

export const interrupted = (): PlatformError => new PlatformError('FILE_INVALID_UPLOAD', 'The upload was interrupted');

/**
 * The body of a request as a stream that breaks when the sender goes away or sends too much. The request
 * itself stays alive, so that an answer can still be sent.
 *
 * @throws FILE_TOO_LARGE at once when the announced length says so
 */
export function receiveRaw(request: IncomingMessage, options: IncomingContentOptions): Readable {
  const { limitBytes } = options;
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const content = new IncomingContent(options);
  // A storage that refuses before it reads listens to nothing; the reader gets the error as well.
  content.on('error', () => request.unpipe(content));
  breakWith(request, content);
  request.pipe(content);
  return content;
}

/** Breaks `target` when the request ends before its body does. `pipe` alone would leave it waiting for ever. */
export function breakWith(request: IncomingMessage, target: { destroy(error: Error): unknown }): void {
  const onEarlyEnd = (): void => {
    if (!request.complete) target.destroy(interrupted());
  };
  request.once('error', onEarlyEnd);
  request.once('close', onEarlyEnd);
}
