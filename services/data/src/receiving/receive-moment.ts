import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';
import { z } from 'zod';

const schema = z.iso.datetime({ offset: true });
const FIRST_YEAR = 1970;

/**
 * A point in time in the query, in UTC with milliseconds.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER
 */
export function momentOf({ query }: Pick<Request, 'query'>, name: string): string | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  const moment = new Date(parsed.success ? parsed.data : Number.NaN);
  if (!(moment.getUTCFullYear() >= FIRST_YEAR && moment.getUTCFullYear() <= 9999))
    throw new PlatformError(
      'REQ_INVALID_PARAMETER',
      `${name} must be a point in time from ${FIRST_YEAR} on, for example 2026-11-26T08:00:00Z`,
    );
  return moment.toISOString();
}
