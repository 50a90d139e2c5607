import type { IntegerParameter } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';

/**
 * An integer in the query; without it the default, or the maximum.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function numberOf(
  { query }: Pick<Request, 'query'>,
  { name, schema: { minimum, maximum, default: preset = maximum } }: IntegerParameter,
): number {
  const value = query[name];
  if (value === undefined) return preset;
  const number = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= minimum && number <= maximum))
    throw new PlatformError('REQ_INVALID_PARAMETER', `${name} must be an integer from ${minimum} to ${maximum}`);
  return number;
}
