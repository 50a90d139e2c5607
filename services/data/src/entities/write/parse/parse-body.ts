import { PlatformError } from '@lintel/errors';
import { type ExactJson, isExactObject, parseExactJson } from '@lintel/query';

/** A body is UTF-8 whatever its type (contract §0); other bytes are no JSON. */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is not UTF-8', { cause });
  }
}

/** A create's body: one object, or an array of them for a batch. */
export function parseCreateBody(text: string): ExactJson {
  const json = parseExactJson(text, 'The request body');
  if (!isExactObject(json) && !Array.isArray(json))
    throw new PlatformError('REQ_CANNOT_DESERIALIZE', 'The body must be a JSON object or an array of them');
  return json;
}

/** An update's body; the error is the one of the contract for PUT (§3.7). */
export const parseUpdateBody = (text: string): ExactJson =>
  parseExactJson(text, 'The request body', 'REQ_CANNOT_DESERIALIZE');

/** A batch update's body. */
export function parseBatchUpdateBody(text: string): readonly ExactJson[] {
  const json = parseExactJson(text, 'The request body');
  if (!Array.isArray(json))
    throw new PlatformError('REQ_BULK_UPDATE_NOT_ARRAY', 'The body of bulk update request should be an array');
  return json;
}

/** A batch delete's body: ids, or objects with `id`. Answers the ids. */
export function parseBatchDeleteBody(text: string): readonly ExactJson[] {
  const json = parseExactJson(text, 'The request body');
  if (!Array.isArray(json))
    throw new PlatformError('REQ_BULK_DELETE_NOT_ARRAY', 'The body of bulk delete request should be an array');
  return json;
}
