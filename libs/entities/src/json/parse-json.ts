import { setImmediate } from 'node:timers/promises';
import type { ErrorCode } from '@lintel/errors';
import { type ExactJson, parseJsonInSteps } from '@lintel/query';

/**
 * Parses a JSON text that a client sent; a long one in steps, so that other requests are handled in between.
 *
 * @param what names the text in the error, e.g. `The request body`
 * @throws PlatformError with `code` if the text is not JSON, or nested too deeply
 */
export const parseJson = (text: string, what: string, code: ErrorCode = 'REQ_MALFORMED_JSON'): Promise<ExactJson> =>
  parseJsonInSteps(text, what, code, () => setImmediate());
