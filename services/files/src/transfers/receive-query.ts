import type { IncomingMessage } from 'node:http';

/** Parses the query as a form, so that `?` and `/` of an unencoded reference stay part of the value. */
export const receiveQuery = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams(request.url?.slice(request.url.indexOf('?') + 1 || request.url.length) ?? '');
