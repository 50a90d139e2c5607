import { PlatformError } from '@lintel/errors';
import type { ParsedQuery } from '../../parse/parsed-query.ts';

/** Which rows of the list are requested. */
export interface Page {
  /** Number of rows at most. */
  readonly limit: number;
  /** Zero-based. */
  readonly offset: number;
}

/**
 * The requested rows of the list; without a `limit`, the maximum (contract/reading.md#paging).
 *
 * @throws PlatformError REQ_LIMIT_EXCEEDED
 */
export function pageOf({ limit, offset }: Pick<ParsedQuery, 'limit' | 'offset'>, maxFetchSize: number): Page {
  if (limit !== undefined && limit > maxFetchSize)
    throw new PlatformError(
      'REQ_LIMIT_EXCEEDED',
      'The value of the limit exceeds the maximum possible value from application.properties',
    );
  return { limit: limit ?? maxFetchSize, offset: offset ?? 0 };
}
