import { scanJson } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { readBody } from '@lintel/http';
import type { Request } from 'express';

const MAX_BODY_BYTES = 32 * 1024;
/** More than any member has: deeper values could not be sent to auth. */
const MAX_DEPTH = 20;

/**
 * The JSON body of a request; undefined for an empty one.
 *
 * @throws PlatformError REQ_BODY_TOO_LARGE, REQ_UNSUPPORTED_MEDIA_TYPE, REQ_MALFORMED_JSON, REQ_INVALID_PARAMETER
 */
export async function receiveJson(request: Request, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const text = (await readBody(request, maxBytes)).toString('utf8');
  if (text === '') return undefined;
  if (scanJson(text, MAX_DEPTH).depth > MAX_DEPTH)
    throw new PlatformError('REQ_INVALID_PARAMETER', `The request body has more than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is not JSON', { cause });
  }
}

/**
 * Refuses a body, which would have no effect.
 *
 * @param reason why a body has no meaning, for the caller
 * @throws PlatformError as `readBody`, and REQ_INVALID_PARAMETER
 */
export async function refuseBody(request: Request, reason: string): Promise<void> {
  if ((await readBody(request, MAX_BODY_BYTES)).length > 0)
    throw new PlatformError('REQ_INVALID_PARAMETER', `The body must be empty: ${reason}`);
}
