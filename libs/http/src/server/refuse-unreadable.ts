import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CODES, type ErrorCode } from '@lintel/errors';
import { type Logger, traceOfRequest } from '@lintel/telemetry';

interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly details: string;
}

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The chunk in which parsing failed. */
  readonly rawPacket?: Buffer;
}

/**
 * Responds to input that is not a valid request (too large a head, invalid syntax, too slow) in the form of the API,
 * and ends the connection. If no response can be sent, for example because the TLS handshake failed, it only closes.
 */
export function refuseUnreadable(
  error: ParserError,
  socket: Duplex,
  { maxUrlLength, logger }: { readonly maxUrlLength?: number | undefined; readonly logger?: Logger | undefined } = {},
): void {
  if (error.code === 'ECONNRESET' || error.code === 'EPROTO' || error.code?.startsWith('ERR_SSL') || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...shape } = refusalOf(error, maxUrlLength);
  const body = JSON.stringify(shape);
  const { traceId } = traceOfRequest(undefined);
  logger?.debug({ traceId, status, code: error.code }, 'request cannot be read');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nX-Trace-Id: ${traceId}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function refusalOf({ code, rawPacket }: ParserError, maxUrlLength: number | undefined): Refusal {
  const from = (errorCode: ErrorCode, details: string): Refusal => ({
    status: ERROR_CODES[errorCode].status,
    error: ERROR_CODES[errorCode].error,
    details,
  });
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return maxUrlLength !== undefined && isLongTarget(rawPacket, maxUrlLength)
        ? from('REQ_URL_TOO_LONG', `The URL is longer than ${maxUrlLength} bytes`)
        : from('REQ_HEADERS_TOO_LARGE', 'The request line and headers are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return from('REQ_BODY_TOO_LARGE', 'The chunk extensions of the body are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, error: STATUS_CODES[408] ?? '', details: 'The request did not arrive in time' };
    case 'HPE_INVALID_URL':
      return {
        status: 400,
        error: STATUS_CODES[400] ?? '',
        details: 'The URL has characters that must be percent-encoded, such as blanks and letters that are not ASCII',
      };
    default:
      return { status: 400, error: STATUS_CODES[400] ?? '', details: 'The request cannot be read' };
  }
}

/** Whether the chunk begins with a request line whose target is too long. */
function isLongTarget(piece: Buffer | undefined, maxUrlLength: number): boolean {
  const target = /^[A-Z]+ ([^ \r\n]*)/.exec(piece?.toString('latin1') ?? '')?.[1];
  return target !== undefined && target.length > maxUrlLength;
}
