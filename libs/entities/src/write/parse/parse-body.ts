import { PlatformError } from '@lintel/errors';
import { type ExactJson, isExactObject } from '@lintel/query';
import { parseJson } from '../../json/parse-json.ts';

/**
 * A body of any type is UTF-8 (contract/conventions.md#endpoints); other bytes are no JSON. A byte order mark is
 * dropped.
 */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PlatformError('REQ_MALFORMED_JSON', 'The request body is not UTF-8', { cause });
  }
}

/** A create's body: one object, or an array of them for a batch. */
export async function parseCreateBody(text: string): Promise<ExactJson> {
  const json = await parseJson(text, 'The request body');
  if (!isExactObject(json) && !Array.isArray(json))
    throw new PlatformError('REQ_CANNOT_DESERIALIZE', 'The body must be a JSON object or an array of them');
  return json;
}

/** An update's body; the error is the one of the contract for PUT (contract/writing.md#body-errors). */
export const parseUpdateBody = (text: string): Promise<ExactJson> =>
  parseJson(text, 'The request body', 'REQ_CANNOT_DESERIALIZE');

/** A batch update's body. An absent body is no array. */
export async function parseBatchUpdateBody(text: string): Promise<readonly ExactJson[]> {
  const json = await parsePresent(text);
  if (!Array.isArray(json))
    throw new PlatformError('REQ_BULK_UPDATE_NOT_ARRAY', 'The body of bulk update request should be an array');
  return json;
}

/** A batch delete's body: ids, or objects with `id`. An absent body is no array. */
export async function parseBatchDeleteBody(text: string): Promise<readonly ExactJson[]> {
  const json = await parsePresent(text);
  if (!Array.isArray(json))
    throw new PlatformError('REQ_BULK_DELETE_NOT_ARRAY', 'The body of bulk delete request should be an array');
  return json;
}

const parsePresent = async (text: string): Promise<ExactJson | undefined> =>
  text.trim() === '' ? undefined : parseJson(text, 'The request body');
