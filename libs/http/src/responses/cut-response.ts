import type { ServerResponse } from 'node:http';

/**
 * Ends an incomplete response so that no client takes it for a complete one: a body without a length and without
 * chunks (HTTP/1.0) is complete when the connection ends, so that connection is reset.
 */
export function cutResponse(response: ServerResponse): void {
  const { socket } = response;
  const hasVisibleEnd = response.chunkedEncoding || response.hasHeader('content-length');
  // A TLS connection that ends without its own end is incomplete.
  if (response.headersSent && !hasVisibleEnd && socket !== null && !('encrypted' in socket)) socket.resetAndDestroy();
  response.destroy();
}
