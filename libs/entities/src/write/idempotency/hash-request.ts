import { hash } from 'node:crypto';

/** The parts by which two requests of one caller are compared. */
export interface RequestParts {
  readonly method: string;
  /** Path and query string, as they were sent. */
  readonly url: string;
  readonly body: string;
}

/** A text that is equal for equal requests only. A slash at the end of the path is ignored. */
export function hashRequest({ method, url, body }: RequestParts): string {
  const [path = '', ...query] = url.split('?');
  return hash('sha256', JSON.stringify([method, path.replace(/\/+$/, ''), query.join('?'), body]), 'base64url');
}
