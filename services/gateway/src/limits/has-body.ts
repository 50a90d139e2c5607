import type { IncomingMessage } from 'node:http';

/** Whether a request has a body, by its headers (RFC 9112 §6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
