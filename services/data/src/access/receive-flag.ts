import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';

/**
 * A parameter of the query that is `true` or `false`; false without it.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function receiveFlag({ query }: Pick<Request, 'query'>, name: string): boolean {
  const value = query[name];
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw new PlatformError('REQ_INVALID_PARAMETER', `${name} must be true or false`);
  return value === 'true';
}
