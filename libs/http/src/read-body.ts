import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';

/**
 * The whole body, whatever its `Content-Type`.
 *
 * @throws PlatformError REQ_BODY_TOO_LARGE above `maxBytes`; the connection is then closed after the
 *   answer, so that the rest need not be received. REQ_UNSUPPORTED_MEDIA_TYPE for a compressed body.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `Content-Encoding ${encoding} is not supported`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.off('data', onData);
        request.pause();
        reject(tooLarge(maxBytes));
      } else chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length)),
    );
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new PlatformError('REQ_INVALID_PARAMETER', 'The request body ended early'));
    });
  });
}

const tooLarge = (maxBytes: number) =>
  new PlatformError('REQ_BODY_TOO_LARGE', `The request body is larger than ${maxBytes} bytes`, {
    headers: { Connection: 'close' },
  });
