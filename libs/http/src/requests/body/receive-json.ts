import { PlatformError } from '@lintel/errors';
import type { Request } from 'express';
import type { z } from 'zod';
import { readBody } from './read-body.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** The JSON body of a request of another service. */
export async function receiveJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.infer<S>> {
  const text = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The body is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new PlatformError('REQ_INVALID_PARAMETER', parsed.error.issues.map(({ message }) => message).join('; '));
  return parsed.data;
}
