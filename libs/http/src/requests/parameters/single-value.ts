import { PlatformError } from '@lintel/errors';

/** The parameters of a query as `queryOf`, Express or `URLSearchParams` parse it. */
export type QueryParameters = URLSearchParams | Readonly<Record<string, unknown>>;

/**
 * The value of a query parameter; undefined if it is missing.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER if it is given more than once
 */
export function singleValue(query: QueryParameters, name: string): string | undefined {
  const values = query instanceof URLSearchParams ? oneOf(query.getAll(name)) : query[name];
  if (values === undefined || typeof values === 'string') return values;
  throw new PlatformError('REQ_INVALID_PARAMETER', `Parameter '${name}' must be given once`);
}

/** The only element; undefined if there is none; the list itself if it has several elements. */
const oneOf = (values: readonly string[]): string | readonly string[] | undefined =>
  values.length > 1 ? values : values[0];
