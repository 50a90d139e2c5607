import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';

/**
 * An integer in the query.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function numberOf(
  { query }: Pick<Request, 'query'>,
  name: string,
  range: { readonly default: number; readonly min: number; readonly max: number },
): number {
  const value = query[name];
  if (value === undefined) return range.default;
  const number = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= range.min && number <= range.max))
    throw new PlatformError('REQ_INVALID_PARAMETER', `${name} must be an integer from ${range.min} to ${range.max}`);
  return number;
}
