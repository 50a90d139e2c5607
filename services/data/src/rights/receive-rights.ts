import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';
import type { z } from 'zod';
import { receiveJson } from '../receiving/receive-json.ts';
import { textOf } from '../receiving/receive-user.ts';

/**
 * The JSON body of a request, checked.
 *
 * @param maxBytes 32 KB without it
 * @throws PlatformError REQ_INVALID_PARAMETER that names each wrong member
 */
export async function receiveChecked<S extends z.ZodType>(
  request: Request,
  schema: S,
  maxBytes?: number,
): Promise<z.infer<S>> {
  const parsed = schema.safeParse(await receiveJson(request, maxBytes));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new PlatformError('REQ_INVALID_PARAMETER', problems.join('; '));
}

/** A text of the query that must be there. */
export function requiredText(request: Pick<Request, 'query'>, parameter: string): string {
  const value = textOf(request, parameter);
  if (value === undefined) throw new PlatformError('REQ_INVALID_PARAMETER', `${parameter} is missing`);
  return value;
}
