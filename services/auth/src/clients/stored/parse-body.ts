import { PlatformError } from '@lintel/errors';
import type { z } from 'zod';

/**
 * The body of a request for a schema.
 *
 * @throws PlatformError REQ_INVALID_PARAMETER that names each wrong member
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new PlatformError('REQ_INVALID_PARAMETER', parsed.error.issues.map(describe).join('; '));
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
