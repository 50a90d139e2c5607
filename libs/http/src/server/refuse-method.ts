import { PlatformError } from '@lintel/errors';
import type { Request, Response } from 'express';

/** The value of `Allow` for served methods: GET implies HEAD, and OPTIONS is always allowed. */
export const allowOf = (served: Iterable<string>): string => {
  const allowed = new Set(served);
  if (allowed.has('GET')) allowed.add('HEAD');
  return [...allowed.add('OPTIONS')].sort().join(', ');
};

/** The error of a request with a method that its path does not serve. */
export const methodNotAllowed = (method: string, allow: string): PlatformError =>
  new PlatformError('REQ_METHOD_NOT_ALLOWED', `${method} is not supported here; use ${allow}`, {
    headers: { Allow: allow },
  });

/**
 * Ends a request with a method that its path does not serve: responds to OPTIONS, refuses all others.
 *
 * @param refusal the error of the protocol, with `Allow`
 * @throws what `refusal` returns: PlatformError REQ_METHOD_NOT_ALLOWED without one
 */
export function refuseMethod(
  request: Request,
  response: Response,
  served: Iterable<string>,
  refusal: (method: string, allow: string) => Error = methodNotAllowed,
): void {
  const allow = allowOf(served);
  if (request.method !== 'OPTIONS') throw refusal(request.method, allow);
  response.setHeader('Allow', allow);
  response.setHeader('Content-Length', 0);
  response.status(200).end();
}
