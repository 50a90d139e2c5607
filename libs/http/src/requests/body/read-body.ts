import type { IncomingMessage } from 'node:http';
import { PlatformError } from '@lintel/errors';
import { drainRequest } from './drain-request.ts';

/**
 * Reads the whole body, of any `Content-Type`.
 *
 * @throws PlatformError REQ_BODY_TOO_LARGE above `maxBytes`; the rest of the body is discarded.
 *   REQ_UNSUPPORTED_MEDIA_TYPE for a compressed body
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    drainRequest(request);
    throw new PlatformError('REQ_UNSUPPORTED_MEDIA_TYPE', `Content-Encoding ${encoding} is not supported`);
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    drainRequest(request);
    throw tooLarge(maxBytes);
  }
  if (!request.complete) await arrivedParsed();
  // It emits no further event.
  if (request.destroyed) throw endedEarly();
  // A small body has usually arrived with the headers: it needs no listeners.
  if (request.complete && request.readableLength > 0) {
    const whole = request.read() as Buffer;
    if (whole.length > maxBytes) throw tooLarge(maxBytes);
    return whole;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      drainRequest(request);
      reject(tooLarge(maxBytes));
    };
    request.on('data', onData);
    request.once('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
    });
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(endedEarly());
    });
  });
}

/**
 * Resolves when the bytes that arrived together with the head of a request are parsed. Node calls the handler of a
 * request, and continues with what it awaits, before it parses them: a small body is complete only afterwards.
 */
const arrivedParsed = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const endedEarly = () => new PlatformError('REQ_INVALID_PARAMETER', 'The request body ended early');

const tooLarge = (maxBytes: number) =>
  new PlatformError('REQ_BODY_TOO_LARGE', `The request body is larger than ${maxBytes} bytes`);
