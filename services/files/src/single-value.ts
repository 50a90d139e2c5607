import { PlatformError } from '@lintel/errors';

/**
 * The value of a query parameter.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER if it is given more than once
 */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name);
  if (others.length > 0) throw new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' must be given once`);
  return value;
}
